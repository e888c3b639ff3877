-- Writes the artefact of a stage, or of a part of one: with it that is done.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 its name  5 its artefact  6 digests of its inputs (JSON), or empty
--       7 what is noted of it in the metadata: by it one that is lost or changed is found
local refused = refusal()
if refused then return refused end
redis.call('HSET', STAGES, ARGV[4], ARGV[5])
if ARGV[6] ~= '' then redis.call('HSET', STAGES, 'inputs:' .. ARGV[4], ARGV[6]) end
redis.call('HSET', METADATA, 'made:' .. ARGV[4], ARGV[7])
refresh_if_due()
return 1
