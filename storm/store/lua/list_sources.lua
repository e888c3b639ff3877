-- Some sources without their texts. Only reads.
--
-- KEYS  1 sources  2 hits
-- ARGV  the numbers of 1 the first  2 the last
-- Returns for each that is there its JSON, then its record, or of several the lines of hits.lua, with empty texts.

-- The identifier under which its records are looked up; a PMID that stands first, as most do, is found without decoding
-- the rest. No text can look like it: quotation marks in a text are escaped.
local function find_strongest(source)
  return string.match(source, '"identifiers":%["(pmid:%d+)"') or strongest(cjson.decode(source).identifiers)
end

-- The value kept under each of these identifiers in turn, or nothing.
local function values_of(identifiers)
  return #identifiers > 0 and redis.call('HMGET', KEYS[2], unpack(identifiers)) or {}
end

local names, found, identifiers = {}, {}, {}
for number = ARGV[1], ARGV[2] do names[#names + 1] = string.format('src_%03d', number) end
for _, text in ipairs(redis.call('HMGET', KEYS[1], unpack(names))) do
  if text then
    found[#found + 1] = text
    identifiers[#identifiers + 1] = find_strongest(text)
  end
end
local answer = {}
for n, value in ipairs(values_of(identifiers)) do
  if value and string.sub(value, 1, 1) == '@' then value = records_of(KEYS[2], identifiers[n]) end
  local lines = value or ''
  if not string.find(lines, '\n', 1, true) then lines = string.match(lines, '\t(.*)$') or '' end
  answer[#answer + 1] = found[n]
  answer[#answer + 1] = without_texts(lines)
end
return answer
