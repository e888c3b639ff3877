-- Records how a job of a batch ended. If it is recorded twice, the last record counts.
--
-- KEYS, ARGV 1–2  batch.lua  3 the job's id  4 how it ended, as JSON
-- Returns 1, or 0 (and nothing is written) if there is no such batch, or it has no such job: it was deleted meanwhile.
if redis.call('EXISTS', METADATA) == 0 or redis.call('HEXISTS', ROWS, ARGV[3]) == 0 then return 0 end
redis.call('SREM', RUNNING, ARGV[3])
redis.call('HSET', ENDED, ARGV[3], ARGV[4])
note(ARGV[3])
renew_ttl()
return 1
