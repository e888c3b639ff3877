-- The status of some jobs. Only reads.
--
-- KEYS  for each job the first eleven of guard.lua
-- Returns for each: of its metadata schema, drug, state, created, finished, exit_code, version, update_of, mode, user_id
-- and org_id; its lease; 1 if it has any key but the lease.
local answer = {}
for n = 1, #KEYS, 11 do
  local job = redis.call('HMGET', KEYS[n + 1], 'schema', 'drug', 'state', 'created', 'finished', 'exit_code', 'version',
    'update_of', 'mode', 'user_id', 'org_id')
  job[12] = redis.call('GET', KEYS[n])
  job[13] = math.min(1, redis.call('EXISTS', unpack(KEYS, n + 1, n + 10)))
  answer[#answer + 1] = job
end
return answer
