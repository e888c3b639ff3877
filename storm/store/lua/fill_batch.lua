-- Writes rows of a batch that is being created; with the schema version, it is whole.
--
-- KEYS, ARGV 1–2  batch.lua  3 the digest of its jobs  4 the schema version, or empty while rows are missing
--       then for each row: 5 the job's id  6 its place in the order  7 its options as JSON
-- Returns 1, or 0 (and nothing is written) if another process has replaced the batch by one of other jobs.
if redis.call('HGET', METADATA, 'digest') ~= ARGV[3] then return 0 end
for n = 5, #ARGV, 3 do
  redis.call('ZADD', ORDER, ARGV[n + 1], ARGV[n])
  redis.call('HSET', ROWS, ARGV[n], ARGV[n + 2])
end
if ARGV[4] ~= '' then redis.call('HSETNX', METADATA, 'schema', ARGV[4]) end
renew_ttl()
return 1
