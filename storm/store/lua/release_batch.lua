-- Releases the lease of a batch, if it is still the caller's.
--
-- KEYS, ARGV 1–2  batch.lua
if redis.call('GET', LEASE) ~= ARGV[1] then return 0 end
return redis.call('DEL', LEASE)
