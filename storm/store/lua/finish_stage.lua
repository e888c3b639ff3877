-- Writes a stage's artefact: with it the stage is done.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 the stage  5 its artefact
local refused = refusal()
if refused then return refused end
redis.call('HSET', STAGES, ARGV[4], ARGV[5])
refresh_if_due()
return 1
