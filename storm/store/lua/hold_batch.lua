-- Takes or renews the lease of a batch.
--
-- KEYS, ARGV 1–2  batch.lua  3 the lease's TTL in milliseconds  4 the token of a process that has certainly ended, or empty
-- Returns the token of the lease: the caller's, if it holds the batch now.
local token = redis.call('GET', LEASE)
if not token or token == ARGV[1] or token == ARGV[4] then
  redis.call('SET', LEASE, ARGV[1], 'PX', ARGV[3])
  renew_ttl()
  return ARGV[1]
end
return token
