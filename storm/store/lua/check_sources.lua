-- Some sources, and how the other keys of the job agree with them. Only reads.
--
-- KEYS  1 sources  2 identifiers  3 hits  4… the questions
-- ARGV  1 where to go on, 0 to begin  2 about how many
-- Returns where to go on, 0 after the last; ids and values in turn; how many have no record among the hits; how many of
-- their identifiers lead to them; then for each question how many are filed under it and listed there. What is no source
-- agrees with nothing.
local PLACES = {}
for n = 4, #KEYS do PLACES[string.match(KEYS[n], ':question:(.+)$')] = n end

local scanned = redis.call('HSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[2])
local answer = {scanned[1], scanned[2], 0, 0}
for n = 4, #KEYS do answer[n + 1] = 0 end

local function check(id, text)
  local source = cjson.decode(text)
  for _, identifier in ipairs(source.identifiers) do
    if redis.call('HGET', KEYS[2], identifier) == id then answer[4] = answer[4] + 1 end
  end
  for _, question in ipairs(source.questions) do
    local place = PLACES[question]
    if place and redis.call('ZSCORE', KEYS[place], id) then answer[place + 1] = answer[place + 1] + 1 end
  end
  if redis.call('HEXISTS', KEYS[3], strongest(source.identifiers)) == 0 then answer[3] = answer[3] + 1 end
end

for n = 1, #scanned[2], 2 do pcall(check, scanned[2][n], scanned[2][n + 1]) end
return answer
