-- Appends an event for whoever watches.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 the time  5 kind  6 message  7 data as a JSON object
-- Returns the event's id.
local refused = refusal()
if refused then return refused end
local id = append_event(ARGV[4], ARGV[5], ARGV[6], ARGV[7])
refresh_if_due()
return id
