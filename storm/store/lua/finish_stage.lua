-- Writes the artefact of a stage, or of a part of one, which marks it as done.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 its name  5 its artefact  6 digests of its inputs (JSON), or empty
--       7 its fingerprint for the metadata, by which a lost or changed artefact is detected
local error = check_write()
if error then return error end
redis.call('HSET', STAGES, ARGV[4], ARGV[5])
if ARGV[6] ~= '' then redis.call('HSET', STAGES, 'inputs:' .. ARGV[4], ARGV[6]) end
redis.call('HSET', METADATA, 'made:' .. ARGV[4], ARGV[7])
renew_ttl_if_due()
return 1
