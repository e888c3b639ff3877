-- Some sources without their texts. Only reads.
--
-- KEYS  1 sources  2 hits
-- ARGV  ids of sources
-- Returns for each that is there its JSON, then the lines of hits.lua of its records with empty texts.
local function without_texts(lines)
  return (string.gsub(lines, '"sections": "[^"]*"', '"sections": ""'))
end

local answer = {}
for _, id in ipairs(ARGV) do
  local text = redis.call('HGET', KEYS[1], id)
  if text then
    answer[#answer + 1] = text
    answer[#answer + 1] = without_texts(records_of(KEYS[2], strongest(cjson.decode(text).identifiers)))
  end
end
return answer
