-- Writes a new job's metadata.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua; there is no lease yet)  4 the time  then pairs of field and value
-- Returns 1, or 0 if there is a job of that name.
if redis.call('EXISTS', METADATA) == 1 then return 0 end
redis.call('HSET', METADATA, 'schema', ARGV[3], unpack(ARGV, 5))
append_event(ARGV[4], 'created', 'job created', '{}')
note_keys()
refresh()
return 1
