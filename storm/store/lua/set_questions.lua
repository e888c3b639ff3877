-- Writes the keys of a job's questions, when there is a plan. Others can take their place as long as no source is filed.
--
-- KEYS  the job's, with those of these questions (guard.lua)
-- ARGV  1–3 (guard.lua)  4 the questions' keys, separated by spaces
-- Returns 1, or 0 and nothing written if sources are filed under other questions, then the collection's progress
-- (guard.lua).
local error = check_write()
if error then return error end
local changes = redis.call('HGET', METADATA, 'questions') ~= ARGV[4]
if changes and redis.call('HLEN', SOURCES) > 0 then return {0} end
if changes then redis.call('HSET', METADATA, 'questions', ARGV[4]) end
renew_ttl_if_due()
return describe_progress({1})
