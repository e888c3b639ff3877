-- The records kept under identifiers, without their texts, for find_titles. Only reads.
--
-- KEYS  1 hits
-- ARGV  identifiers
-- Returns for each the lines of hits.lua with empty texts, or nothing.
local answer = {}
for n, identifier in ipairs(ARGV) do
  answer[n] = without_texts(records_of(KEYS[1], identifier))
end
return answer
