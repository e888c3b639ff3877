-- Gives a lease back, if it is still the caller's (compare-and-delete).
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)
if redis.call('GET', LEASE) ~= ARGV[1] then return 0 end
return redis.call('DEL', LEASE)
