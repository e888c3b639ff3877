-- Renews a held lease, and the TTL of the job's keys if it is due (guard.lua).
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 the lease's TTL in milliseconds
-- Returns 1, or 0 if the lease is no longer the caller's.
if not is_held() then return 0 end
redis.call('SET', LEASE, ARGV[1], 'PX', ARGV[4])
if is_ttl_due() then renew_ttl() end
return 1
