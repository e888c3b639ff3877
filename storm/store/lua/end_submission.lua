-- Removes the job's submission unless it was resubmitted (compare-and-delete).
--
-- KEYS  1 the submissions
-- ARGV  1 the job  2 the stored text of the submission that the worker took
-- Returns 1 if it was removed, else 0.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
return redis.call('HDEL', KEYS[1], ARGV[1])
