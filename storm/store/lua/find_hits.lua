-- The records kept under identifiers, wherever they lead. Only reads.
--
-- KEYS  1 hits
-- ARGV  identifiers
-- Returns for each the lines of record_hits.lua, or nothing.
local answer = {}
for n, identifier in ipairs(ARGV) do
  local value = redis.call('HGET', KEYS[1], identifier)
  local place = value and string.match(value, '^@(.*)$')
  if place then value = redis.call('HGET', KEYS[1], place) end
  answer[n] = value or ''
end
return answer
