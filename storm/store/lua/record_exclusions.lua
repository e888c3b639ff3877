-- Records why found records were not kept; a later reason of the same record replaces the first.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  then pairs of canonical identifier and reason
-- Returns 1.
local error = check_write()
if error then return error end
for n = 4, #ARGV, 2 do
  redis.call('HSET', EXCLUSIONS, ARGV[n], ARGV[n + 1])
end
renew_ttl_if_due()
return 1
