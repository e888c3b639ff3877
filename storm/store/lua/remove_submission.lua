-- Removes the job's submission and the attempts at it, unless it was submitted again (compare-and-delete).
-- Idempotent: a submission that is gone counts as removed.
--
-- KEYS  1 the submissions  2 the job's attempts
-- ARGV  1 the job  2 the stored text of the submission that the worker took
-- Returns 1, or 0 (and nothing is removed) if there is another submission of the job.
local stored = redis.call('HGET', KEYS[1], ARGV[1])
if stored and stored ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2])
return 1
