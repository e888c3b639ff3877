-- Appends an event for watchers; one of the kind `stage` begins the stage that is its message. Progress only grows,
-- and stays below 1: that is a finished job's (update_job.lua).
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 the time  5 kind  6 message  7 data as a JSON object  8 how much of the job is done, from 0 to 1
-- Returns the events that were appended (guard.lua).
local MOST = 0.999
local error = check_write()
if error then return error end
local before = tonumber(redis.call('HGET', METADATA, 'progress') or '0')
local progress = math.min(tonumber(ARGV[8]), MOST)
if progress > before then redis.call('HSET', METADATA, 'progress', tostring(progress)) end
if ARGV[5] == 'stage' then redis.call('HSET', METADATA, 'stage', ARGV[6]) end
append_event(ARGV[4], ARGV[5], ARGV[6], ARGV[7])
renew_ttl_if_due()
return appended
