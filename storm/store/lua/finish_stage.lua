-- Writes the artefact of a stage, or of a part of one: with it that is done.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 its name  5 its artefact
local refused = refusal()
if refused then return refused end
redis.call('HSET', STAGES, ARGV[4], ARGV[5])
refresh_if_due()
return 1
