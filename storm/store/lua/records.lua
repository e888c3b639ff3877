-- The records kept under an identifier, or under the target of an alias: the lines of hits.lua, or nothing.
local function records_of(hits, identifier)
  local value = redis.call('HGET', hits, identifier)
  local target = value and string.match(value, '^@(.*)$')
  if target then value = redis.call('HGET', hits, target) end
  return value or ''
end

-- The identifier under which a source's records are looked up: its PMID, or else the first.
local function strongest(identifiers)
  for _, identifier in ipairs(identifiers) do
    if string.sub(identifier, 1, 5) == 'pmid:' then return identifier end
  end
  return identifiers[1]
end

-- The lines of hits.lua with empty texts.
local TEXT = '"sections": "'

local function without_texts(lines)
  local kept, from = {}, 1
  local _, before = string.find(lines, TEXT, 1, true)
  local after = before and string.find(lines, '"', before + 1, true)
  while after do
    kept[#kept + 1] = string.sub(lines, from, before)
    from = after
    _, before = string.find(lines, TEXT, from, true)
    after = before and string.find(lines, '"', before + 1, true)
  end
  kept[#kept + 1] = string.sub(lines, from)
  return table.concat(kept)
end
