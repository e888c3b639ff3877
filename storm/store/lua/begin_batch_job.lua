-- Records that a job of a batch is handed over.
--
-- KEYS, ARGV 1–2  batch.lua  3 the job's id
-- Returns 1, or 0 (and nothing is written) if the caller does not hold the batch, or the batch was cancelled.
if redis.call('GET', LEASE) ~= ARGV[1] or redis.call('HGET', METADATA, 'state') == 'cancelled' then return 0 end
redis.call('SADD', RUNNING, ARGV[3])
redis.call('HDEL', ENDED, ARGV[3])
note(ARGV[3])
renew_ttl()
return 1
