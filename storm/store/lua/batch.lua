-- Prelude of every batch script: names the batch's keys.
--
-- KEYS  lease, metadata, rows, order, running, ended, changes
-- ARGV  1 the token of the holder's lease, or empty  2 the keys' TTL in milliseconds
local LEASE, METADATA, ROWS, ORDER = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local RUNNING, ENDED, CHANGES = KEYS[5], KEYS[6], KEYS[7]

local function renew_ttl()
  for n = 2, #KEYS do
    redis.call('PEXPIRE', KEYS[n], ARGV[2])
  end
end

local function note(job)
  redis.call('XADD', CHANGES, 'MAXLEN', '~', 10000, '*', 'job', job)
end
