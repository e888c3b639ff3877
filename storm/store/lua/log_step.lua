-- Appends a step of an agent to the journal, once.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 the step's number among those of its agent, from 1  5 the step as JSON
--       6 the field that counts the steps of its agent
-- Returns 1, or 0 if a step of that number was already there.
local error = check_write()
if error then return error end
if tonumber(ARGV[4]) <= tonumber(redis.call('HGET', METADATA, ARGV[6]) or '0') then return 0 end
redis.call('HSET', METADATA, ARGV[6], ARGV[4])
redis.call('RPUSH', JOURNAL, ARGV[5])
renew_ttl_if_due()
return 1
