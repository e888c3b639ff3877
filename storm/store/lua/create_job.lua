-- Writes a new job's metadata.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua; there is no lease yet)  4 the time  5 a token of this creation
--       then pairs of field and value
-- Returns 1, also if this creation is sent again, or 0 if there is another job of that name.
if redis.call('EXISTS', METADATA) == 1 then
  return redis.call('HGET', METADATA, 'token') == ARGV[5] and 1 or 0
end
redis.call('HSET', METADATA, 'schema', ARGV[3], 'token', ARGV[5], unpack(ARGV, 6))
append_event(ARGV[4], 'created', 'job created', '{}')
record_keys()
renew_ttl()
return 1
