-- Reassigns a source to exactly these questions, atomically. With no questions, deletes it, records the reason among
-- the exclusions, and detaches its citations: they are attached again if it is saved again. Idempotent.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 the time  5 JSON: source_id (also one from before a merge), questions, why
-- Returns its id now, then the collection's progress (guard.lua).
-- Errors TOOL: there is no such source, or a question is unknown. SCHEMA and LEASELOST: guard.lua.
local at, asked = ARGV[4], cjson.decode(ARGV[5])
local error = check_write() or check_questions(asked.questions)
if error then return error end

local function find_source(id)
  local text = redis.call('HGET', SOURCES, id)
  if text then return cjson.decode(text) end
  for _, other in ipairs(redis.call('HVALS', SOURCES)) do
    local source = cjson.decode(other)
    if contains(source.aliases, id) then return source end
  end
end

local source = find_source(asked.source_id)
if not source and #asked.questions == 0 and redis.call('HEXISTS', METADATA, 'dropped:' .. asked.source_id) == 1 then
  return describe_progress({asked.source_id})
elseif not source then
  return redis.error_reply('TOOL no source ' .. asked.source_id .. ' is saved in this job')
end

local function remove_from_question(question)
  redis.call('ZREM', question_keys[question], source.source_id)
  count_change()
end

local function release_citation(id)
  local citation = cjson.decode(redis.call('HGET', CITATIONS, id))
  local field = 'waiting:' .. citation.identifier
  local waiting = cjson.decode(redis.call('HGET', METADATA, field) or '[]')
  citation.source_id = ''
  add(waiting, id)
  redis.call('HSET', CITATIONS, id, cjson.encode(citation))
  redis.call('HSET', METADATA, field, cjson.encode(waiting))
end

local function drop()
  local work = resolve_alias(source.identifiers[1]) or source.identifiers[1]
  for _, id in ipairs(source.citation_ids) do release_citation(id) end
  for _, identifier in ipairs(source.identifiers) do redis.call('HDEL', IDENTIFIERS, identifier) end
  redis.call('HDEL', SOURCES, source.source_id)
  count_database(source.database, -1)
  -- Counted once per work: saving and dropping one in turns is not progress.
  if redis.call('HGET', EXCLUSIONS, work) ~= 'dropped' then redis.call('HINCRBY', METADATA, 'dropped', 1) end
  redis.call('HSET', EXCLUSIONS, work, 'dropped')
  for _, id in ipairs({source.source_id, unpack(source.aliases)}) do redis.call('HSET', METADATA, 'dropped:' .. id, work) end
end

local changed = false
for _, question in ipairs(asked.questions) do changed = assign(source, question) or changed end
local kept = {}
for _, question in ipairs(source.questions) do
  if contains(asked.questions, question) then
    kept[#kept + 1] = question
  else
    remove_from_question(question)
    changed = true
  end
end

if changed then
  source.questions = kept
  if #kept > 0 then write_source(source) else drop() end
  local now = #kept > 0 and table.concat(kept, ', ') or 'no source any more'
  local why = asked.why ~= '' and ': ' .. asked.why or ''
  append_event(at, #kept > 0 and 'refiled' or 'dropped', string.format('#%d → %s%s', source.number, now, why),
    cjson.encode({source_id = source.source_id, questions = table.concat(kept, ' '), why = asked.why}))
  record_keys()
  renew_ttl()
end
return describe_progress({source.source_id})
