-- Changes a job: writes fields of its metadata, and appends an event that reports it.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 the time  5 kind of the event  6 its message  then pairs of field and value
-- Returns the events that were appended (guard.lua).
local error = check_write()
if error then return error end
redis.call('HSET', METADATA, unpack(ARGV, 7))
append_event(ARGV[4], ARGV[5], ARGV[6], '{}')
renew_ttl_if_due()
return appended
