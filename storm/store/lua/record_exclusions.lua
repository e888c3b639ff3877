-- Records why found records were not kept; a later reason of the same record replaces the first.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  then pairs of canonical identifier and reason
-- Returns 1.
local refused = refusal()
if refused then return refused end
for n = 4, #ARGV, 2 do
  redis.call('HSET', EXCLUSIONS, ARGV[n], ARGV[n + 1])
end
refresh_if_due()
return 1
