-- A source, also by an id that it had before two became one, with the records that describe it. Only reads.
--
-- KEYS  1 sources  2 hits
-- ARGV  1 the source's id
-- Returns the source as JSON, or nothing, and the lines of hits.lua under its PMID, or else its first identifier.
local function has(list, wanted)
  for _, value in ipairs(list) do
    if value == wanted then return true end
  end
end

local function found(text)
  return {text, records_of(KEYS[2], strongest(cjson.decode(text).identifiers))}
end

local text = redis.call('HGET', KEYS[1], ARGV[1])
if text then return found(text) end
for _, other in ipairs(redis.call('HVALS', KEYS[1])) do
  if has(cjson.decode(other).aliases, ARGV[1]) then return found(other) end
end
return {'', ''}
