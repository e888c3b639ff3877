-- Notes that a job is with no worker any more, unless it was handed over again meanwhile.
--
-- KEYS  1 the submissions
-- ARGV  1 the job  2 its submission as it was when the worker took it
-- Returns 1 if it is noted.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
return redis.call('HDEL', KEYS[1], ARGV[1])
