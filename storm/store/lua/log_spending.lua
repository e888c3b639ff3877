-- Stores what a role has spent on a question so far, the time used of the job's budget, and the paid reply, once. The
-- first two only grow: a write that comes twice, or after a later one, changes nothing.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 role and question  5 calls so far  6 all that was spent so far, as JSON  7 milliseconds so far
--       8 the reply as JSON; empty if there is none
--
-- A write that is sent again comes soon after the first, so that the reply is looked for among the last entries only.
local LOOKED_AT = 1000
local error = check_write()
if error then return error end
local known = redis.call('HGET', SPENDING, ARGV[4])
if not known or cjson.decode(known).calls < tonumber(ARGV[5]) then
  redis.call('HSET', SPENDING, ARGV[4], ARGV[6])
end
if tonumber(redis.call('HGET', SPENDING, 'milliseconds') or '-1') < tonumber(ARGV[7]) then
  redis.call('HSET', SPENDING, 'milliseconds', ARGV[7])
end
if ARGV[8] ~= '' and not redis.call('LPOS', JOURNAL, ARGV[8], 'RANK', -1, 'MAXLEN', LOOKED_AT) then
  redis.call('RPUSH', JOURNAL, ARGV[8])
end
renew_ttl_if_due()
return 1
