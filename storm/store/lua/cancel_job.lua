-- Cancels a job: its lease is released, so that no further write of its holder is accepted.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua; no lease is needed)  4 the time
-- Returns the state that the job had; a finished or cancelled one is left as it is.
local error = check_schema()
if error then return error end
local state = redis.call('HGET', METADATA, 'state')
if state ~= 'finished' and state ~= 'cancelled' then
  redis.call('DEL', LEASE)
  redis.call('HDEL', METADATA, 'holder')
  redis.call('HSET', METADATA, 'state', 'cancelled')
  append_event(ARGV[4], 'cancelled', 'cancelled by request', '{}')
  renew_ttl()
end
return state
