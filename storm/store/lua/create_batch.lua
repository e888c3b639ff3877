-- Begins to create a batch, or finds it. One that was not written whole, as its process was killed, is replaced.
--
-- KEYS, ARGV 1–2  batch.lua  3 a digest of its jobs  then pairs of field and value, which do not replace those there
-- Returns 1, or 0 (and nothing is written) if the batch of that name is whole and has other jobs.
if redis.call('HGET', METADATA, 'digest') ~= ARGV[3] then
  if redis.call('HEXISTS', METADATA, 'schema') == 1 then return 0 end
  redis.call('DEL', unpack(KEYS, 2))
  redis.call('HSET', METADATA, 'digest', ARGV[3])
end
for n = 4, #ARGV, 2 do redis.call('HSETNX', METADATA, ARGV[n], ARGV[n + 1]) end
renew_ttl()
return 1
