-- Takes a job's lease if nobody holds it, or if exactly the given holder does (compare-and-set). A job that had not
-- finished is running again.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1 the new lease's token  2–3 (guard.lua)  4 the lease's TTL in milliseconds  5 the token to take over, or ''
--       6 the state in which the caller saw the job
-- Returns nothing if taken, else the holder's token and the milliseconds it has left: '' and 0 if nobody holds it, and
-- it was cancelled after the caller saw it.
local error = check_schema()
if error then return error end
local held = redis.call('GET', LEASE)
if held and held ~= ARGV[1] and held ~= ARGV[5] then
  return {held, redis.call('PTTL', LEASE)}
end
local state = redis.call('HGET', METADATA, 'state')
if state == 'cancelled' and ARGV[6] ~= 'cancelled' then return {'', 0} end
redis.call('SET', LEASE, ARGV[1], 'PX', ARGV[4])
redis.call('HSET', METADATA, 'holder', ARGV[1])
if state ~= 'finished' then
  redis.call('HSET', METADATA, 'state', 'running')
end
record_keys()
renew_ttl()
return {}
