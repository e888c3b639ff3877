-- How many of these identifiers have no record. Only reads.
--
-- KEYS  1 hits
-- ARGV  identifiers
-- Returns their number.
local missing = 0
for _, identifier in ipairs(ARGV) do
  missing = missing + 1 - redis.call('HEXISTS', KEYS[1], identifier)
end
return missing
