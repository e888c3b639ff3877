-- Some sources, and how the other keys of the job agree with them. Only reads.
--
-- KEYS  1 sources  2 identifiers  3 hits  4… the questions
-- ARGV  1 the cursor of HSCAN, 0 to begin  2 about how many sources
-- Returns the next cursor, 0 after the last; ids and values in turn; how many have no record among the hits; how many of
-- their identifiers lead to them; then for each question how many are filed under it and are in its set. A value that is
-- not a source agrees with no key.
local QUESTION_INDEX = {}
for n = 4, #KEYS do QUESTION_INDEX[string.match(KEYS[n], ':question:(.+)$')] = n end

local scanned = redis.call('HSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[2])
local answer = {scanned[1], scanned[2], 0, 0}
for n = 4, #KEYS do answer[n + 1] = 0 end

-- What the keys are asked in few commands: identifiers with their owners, and the ids filed under each question.
local CHUNK = 1000
local identifiers, owners, filed = {}, {}, {}
for n = 4, #KEYS do filed[n] = {} end

local function check(id, text)
  local source = cjson.decode(text)
  for _, identifier in ipairs(source.identifiers) do
    assert(type(identifier) == 'string')
    identifiers[#identifiers + 1] = identifier
    owners[#owners + 1] = id
  end
  for _, question in ipairs(source.questions) do
    local index = QUESTION_INDEX[question]
    if index then filed[index][#filed[index] + 1] = id end
  end
  if redis.call('HEXISTS', KEYS[3], strongest(source.identifiers)) == 0 then answer[3] = answer[3] + 1 end
end

for n = 1, #scanned[2], 2 do pcall(check, scanned[2][n], scanned[2][n + 1]) end
for first = 1, #identifiers, CHUNK do
  local last = math.min(first + CHUNK - 1, #identifiers)
  for n, owner in ipairs(redis.call('HMGET', KEYS[2], unpack(identifiers, first, last))) do
    if owner == owners[first + n - 1] then answer[4] = answer[4] + 1 end
  end
end
for index, ids in pairs(filed) do
  for first = 1, #ids, CHUNK do
    local last = math.min(first + CHUNK - 1, #ids)
    for _, score in ipairs(redis.call('ZMSCORE', KEYS[index], unpack(ids, first, last))) do
      if score then answer[index + 1] = answer[index + 1] + 1 end
    end
  end
end
return answer
