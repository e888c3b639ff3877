-- Reserves the next free slot of a service: one generic cell rate algorithm (GCRA) for all who share the store.
--
-- KEYS  1 when the next slot is free, in microseconds of the server's clock
-- ARGV  1 microseconds between two slots
-- Returns the microseconds until the slot that is reserved.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local slot = math.max(now, tonumber(redis.call('GET', KEYS[1])) or now)
local free = slot + tonumber(ARGV[1])
redis.call('SET', KEYS[1], string.format('%.0f', free), 'PX', math.ceil((free - now) / 1000) + 1000)
return slot - now
