-- Appends a completed search to the journal, once, and an event for whoever watches.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 a digest of database, question and query  5 the search as JSON
--       6 the time  7 what is told of it  8 the event's data as a JSON object
-- Returns 1, or 0 if it was already there.
local refused = refusal()
if refused then return refused end
local new = redis.call('HSETNX', METADATA, 'searched:' .. ARGV[4], '1')
if new == 1 then redis.call('RPUSH', JOURNAL, ARGV[5]) end
append_event(ARGV[6], 'search', ARGV[7], ARGV[8])
refresh_if_due()
return new
