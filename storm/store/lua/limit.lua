-- Reserves the next free slot of a service: one generic cell rate algorithm (GCRA) for all who share the store.
--
-- KEYS  1 `free`, when the next slot is free, `held`, until when none may be used, and `since`, when calls began to have to
--       wait without a pause: microseconds of the server's clock
-- ARGV  1 microseconds between two slots, 2 microseconds from now for which no slot may be used, 3 the longest wait for a
--       slot, in microseconds: of a later one none is reserved and nothing is written
-- Returns the server's time, the slot, `held`, and `since`, which is the server's time if no call has to wait.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local known = redis.call('HMGET', KEYS[1], 'free', 'held', 'since')
local hold = tonumber(ARGV[2])
local held = math.max(tonumber(known[2]) or 0, hold > 0 and now + hold or 0)
local slot = math.max(now, tonumber(known[1]) or now, held)
local since = slot > now and tonumber(known[3]) or now
if slot - now <= tonumber(ARGV[3]) then
  local free = slot + ARGV[1]
  redis.call(
    'HSET', KEYS[1], 'free', string.format('%.0f', free), 'held', string.format('%.0f', held),
    'since', string.format('%.0f', since)
  )
  redis.call('PEXPIRE', KEYS[1], math.ceil((free - now) / 1000) + 1000)
end
return {now, slot, held, since}
