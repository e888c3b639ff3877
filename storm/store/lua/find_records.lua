-- The records kept under identifiers, for find_hit, find_hits and find_records. Only reads.
--
-- KEYS  1 hits
-- ARGV  identifiers
-- Returns for each the lines of hits.lua, or nothing.
local answer = {}
for n, identifier in ipairs(ARGV) do
  answer[n] = records_of(KEYS[1], identifier)
end
return answer
