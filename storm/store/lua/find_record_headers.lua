-- The headers of the records kept under identifiers, for find_works. Only reads.
--
-- KEYS  1 hits
-- ARGV  identifiers
-- Returns for each the header of each record (hits.lua), one per line, or nothing.
local answer = {}
for n, identifier in ipairs(ARGV) do
  local headers = {}
  for line in string.gmatch(records_of(KEYS[1], identifier), '[^\n]+') do
    headers[#headers + 1] = string.match(line, '^([^\t]*)\t')
  end
  answer[n] = table.concat(headers, '\n')
end
return answer
