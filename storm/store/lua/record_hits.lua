-- Records hits (hits.lua): web pages fetched in full, the leading chunks of a large search, and records that are carried
-- over from another job.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 the time  then for each hit: 5 JSON: record, size, identifiers, yields  6 the Hit
-- Returns the collection's progress (guard.lua).
local error = check_write()
if error then return error end
record_hits(5, ARGV[4])
renew_ttl_if_due()
return describe_progress({})
