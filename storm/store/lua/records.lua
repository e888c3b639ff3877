-- The records kept under an identifier, wherever it leads: the lines of hits.lua, or nothing.
local function records_of(hits, identifier)
  local value = redis.call('HGET', hits, identifier)
  local place = value and string.match(value, '^@(.*)$')
  if place then value = redis.call('HGET', hits, place) end
  return value or ''
end
