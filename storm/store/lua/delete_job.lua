-- Deletes every key of a job that nobody works on.
--
-- KEYS  1 the job's lease  2… every other key of the job
-- ARGV  1 the token of a lease whose holder is gone, or ''
-- Returns nothing if deleted, else the holder's token and the milliseconds it has left.
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then
  return {held, redis.call('PTTL', KEYS[1])}
end
redis.call('UNLINK', unpack(KEYS))
return {}
