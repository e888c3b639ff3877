-- Where a collection stands. Only reads.
--
-- KEYS  the job's (guard.lua)
-- Returns all sources, JSON of the number of sources by database, then the sources of each question key.
local answer = {redis.call('HLEN', SOURCES), redis.call('HGET', METADATA, 'databases') or '{}'}
for n = FIRST_QUESTION, #KEYS do
  answer[#answer + 1] = redis.call('ZCARD', KEYS[n])
end
return answer
