-- Notes how a job of a batch ended. It may be noted twice: the last counts.
--
-- KEYS, ARGV 1–2  batch.lua  3 the job's id  4 how it ended, as JSON
redis.call('SREM', RUNNING, ARGV[3])
redis.call('HSET', ENDED, ARGV[3], ARGV[4])
note(ARGV[3])
refresh()
return 1
