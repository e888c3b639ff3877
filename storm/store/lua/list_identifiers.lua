-- The identifiers of the records kept under identifiers, without their texts. Only reads.
--
-- KEYS  1 hits
-- ARGV  identifiers
-- Returns for each the JSON of each record (record, size, identifiers), one per line, or nothing.
local answer = {}
for n, identifier in ipairs(ARGV) do
  local abouts = {}
  for line in string.gmatch(records_of(KEYS[1], identifier), '[^\n]+') do
    abouts[#abouts + 1] = string.match(line, '^([^\t]*)\t')
  end
  answer[n] = table.concat(abouts, '\n')
end
return answer
