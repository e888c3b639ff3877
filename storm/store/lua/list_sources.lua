-- Some sources without their texts. Only reads.
--
-- KEYS  1 sources  2 hits
-- ARGV  the numbers of 1 the first  2 the last
-- Returns for each that is there its JSON, then the lines of hits.lua of its records with empty texts.
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

-- Where its records are kept; a PMID that stands first, as most do, is found without decoding the rest. No text can look
-- like it: quotation marks in a text are escaped.
local function place_of_records(source)
  return string.match(source, '"identifiers":%["(pmid:%d+)"') or strongest(cjson.decode(source).identifiers)
end

local answer = {}
for number = ARGV[1], ARGV[2] do
  local text = redis.call('HGET', KEYS[1], string.format('src_%03d', number))
  if text then
    answer[#answer + 1] = text
    answer[#answer + 1] = without_texts(records_of(KEYS[2], place_of_records(text)))
  end
end
return answer
