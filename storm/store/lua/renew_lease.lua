-- Renews a held lease, and the time to live of the job's keys.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 milliseconds that the lease lives
-- Returns 1, or 0 if the lease is no longer the caller's.
if not is_held() then return 0 end
redis.call('SET', LEASE, ARGV[1], 'PX', ARGV[4])
refresh()
return 1
