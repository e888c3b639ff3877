-- Registers a citation of a seen hit once; if its source is not saved yet, it waits for it under the hit's identifier.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 JSON: identifiers of the hit, citation (a whole one, its source_id empty)
-- Returns the registered citation as JSON, and 1 if it was there before.
local error = check_write()
if error then return error end
local asked = cjson.decode(ARGV[4])
local wanted = asked.citation
local identifiers = expand_identifiers(asked.identifiers)
local source = find_sources(identifiers)[1]

local function waiting_at(identifier)
  return cjson.decode(redis.call('HGET', METADATA, 'waiting:' .. identifier) or '[]')
end

local ids = {}
for _, id in ipairs(source and source.citation_ids or {}) do ids[#ids + 1] = id end
for _, identifier in ipairs(identifiers) do
  for _, id in ipairs(waiting_at(identifier)) do ids[#ids + 1] = id end
end

local id = same_citation(ids, wanted)
local existed = id and 1 or 0
if not id then
  id = wanted.citation_id
  if source then
    write_citation(wanted, source)
    write_source(source)
  else
    redis.call('HSET', CITATIONS, id, cjson.encode(wanted))
    local waiting = waiting_at(wanted.identifier)
    add(waiting, id)
    redis.call('HSET', METADATA, 'waiting:' .. wanted.identifier, cjson.encode(waiting))
  end
  renew_ttl_if_due()
end
return {redis.call('HGET', CITATIONS, id), existed}
