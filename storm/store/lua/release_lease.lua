-- Releases a lease, if it is still the caller's (compare-and-delete).
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)
if not is_held() then return 0 end
redis.call('HDEL', METADATA, 'holder')
return redis.call('DEL', LEASE)
