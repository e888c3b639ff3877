-- Files a seen hit under questions with a citation: merge, number, assign, cite and report, atomically.
-- Idempotent; the second answer says that source and citation existed.
--
-- KEYS  the job's (guard.lua)
-- ARGV  1–3 (guard.lua)  4 the time  5 JSON: identifiers (strongest first), questions, record {database, external_id,
--       title, url}, label, relation, relation_kind, counted, carried, note, and either citation_id or citation (a whole one, its source_id empty)
-- Returns source id, number, 1 if it is new, citation id, 1 if that existed, then the collection's progress (guard.lua).
-- Errors TOOL: a question is unknown, an identifier of the hit was never seen, the citation is unknown or belongs to
--        another source.
--        SCHEMA and LEASELOST: guard.lua.
local at, asked = ARGV[4], cjson.decode(ARGV[5])
local error = check_write() or check_questions(asked.questions)
if error then return error end

local identifiers, unknown = expand_identifiers(asked.identifiers)
if unknown then
  return redis.error_reply('TOOL ' .. unknown .. ' was not returned by a search of this job')
end
local found = find_sources(identifiers)

local function belongs_to_this_source(citation)
  for _, source in ipairs(found) do
    if source.source_id == citation.source_id or contains(source.identifiers, citation.identifier) then return true end
  end
  return citation.source_id == '' and contains(identifiers, citation.identifier)
end

if asked.citation_id then
  local citation = redis.call('HGET', CITATIONS, asked.citation_id)
  if not citation then
    return redis.error_reply('TOOL no citation ' .. asked.citation_id .. ' is registered in this job; leave it out')
  end
  citation = cjson.decode(citation)
  if not belongs_to_this_source(citation) then
    local other = citation.source_id ~= '' and citation.source_id or citation.identifier
    return redis.error_reply('TOOL citation ' .. asked.citation_id .. ' belongs to another source (' .. other .. ')')
  end
end

local function new_source()
  local number = redis.call('HINCRBY', METADATA, 'last_number', 1)
  count_database(asked.record.database, 1)
  return {
    source_id = string.format('src_%03d', number), number = number, identifiers = {}, questions = {},
    citation_ids = {}, aliases = {}, relation = asked.relation, relation_kind = asked.relation_kind,
    counted = asked.counted, carried = asked.carried, note = '',
  }
end

local created, changed = #found == 0, #found > 1
local source = created and new_source() or merge_sources(found, at)

local function find_or_add_citation()
  if asked.citation_id then
    attach_citation(source, asked.citation_id)
    return asked.citation_id, true
  end
  local wanted = asked.citation
  local known = same_citation(source.citation_ids, wanted)
  -- A citation of nothing but its own claim (the title) adds nothing to a source that is already cited.
  if not known and wanted.quote == wanted.claim then known = source.citation_ids[1] end
  if known then return known, true end
  write_citation(wanted, source)
  return wanted.citation_id, false
end

changed = bind_identifiers(source, identifiers) or changed
local citation_id, existed = find_or_add_citation()
for _, question in ipairs(asked.questions) do
  changed = assign(source, question) or changed
end
if not created and source.database ~= asked.record.database then
  count_database(source.database, -1)
  count_database(asked.record.database, 1)
end
for field, value in pairs(asked.record) do source[field] = value end
add_note(source, asked.note)
write_source(source)
if created or changed or not existed then
  append_event(at, 'saved', string.format('#%d %s → %s', source.number, asked.label, table.concat(asked.questions, ', ')),
    cjson.encode({source_id = source.source_id, title = asked.record.title, questions = table.concat(asked.questions, ' ')}))
end
renew_ttl_if_due()

return describe_progress({source.source_id, source.number, created and 1 or 0, citation_id, existed and 1 or 0})
