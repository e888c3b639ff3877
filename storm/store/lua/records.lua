-- The records kept under an identifier, wherever it leads: the lines of hits.lua, or nothing.
local function records_of(hits, identifier)
  local value = redis.call('HGET', hits, identifier)
  local place = value and string.match(value, '^@(.*)$')
  if place then value = redis.call('HGET', hits, place) end
  return value or ''
end

-- The identifier under which a source's records are looked up: its PMID, or else the first.
local function strongest(identifiers)
  for _, identifier in ipairs(identifiers) do
    if string.sub(identifier, 1, 5) == 'pmid:' then return identifier end
  end
  return identifiers[1]
end
