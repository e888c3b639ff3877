-- Records the hits of a search (hits.lua), and appends the search to the journal, once, and an event for watchers, each
-- time: traces and metrics count how often a search was run.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 the time  5 a digest of database, query and whether it failed  6 the search as JSON
--       7 the event's message  8 the event's data as a JSON object
--       then for each hit: 9 JSON: record, size, identifiers  10 the Hit
-- Returns 1, or 0 if it was already there, then the collection's progress (guard.lua).
local error = check_write()
if error then return error end
record_hits(9, ARGV[4])
local new = redis.call('HSETNX', METADATA, 'searched:' .. ARGV[5], '1')
if new == 1 then redis.call('RPUSH', JOURNAL, ARGV[6]) end
append_event(ARGV[4], 'search', ARGV[7], ARGV[8])
renew_ttl_if_due()
return describe_progress({new})
