-- Finding the source of a record, and merging two sources. Follows guard.lua.

local function contains(list, value)
  for _, member in ipairs(list) do
    if member == value then return true end
  end
  return false
end

local function add(list, value)
  if contains(list, value) then return false end
  list[#list + 1] = value
  return true
end

local function pmid_of(identifiers)
  for _, identifier in ipairs(identifiers) do
    local pmid = string.match(identifier, '^pmid:(.+)$')
    if pmid then return pmid end
  end
end

-- The identifier under which the records of a seen hit are kept: the target of the alias, or the identifier itself
-- (hits.lua), and the records if they were read. Nothing if no such hit was seen.
local function resolve_alias(identifier)
  local value = redis.call('HGET', HITS, identifier)
  if not value then return nil end
  local target = string.match(value, '^@(.*)$')
  if target then return target end
  return identifier, value
end

-- Calls visit(header, hit) for each record kept under an identifier that is no alias; `records` if they were read.
local function each_record(target, records, visit)
  for line in string.gmatch(records or redis.call('HGET', HITS, target), '[^\n]+') do
    local header, hit = string.match(line, '^([^\t]*)\t(.*)$')
    visit(cjson.decode(header), hit)
  end
end

-- These identifiers and all others that the seen records of the same work have; only these where the records name
-- several PMIDs, so that two works are not taken for one. Then the first of them that no record has, if there is one.
local function expand_identifiers(identifiers)
  local all, pmids, seen, unknown = {}, {}, {}, nil
  local function take(identifier)
    if string.sub(identifier, 1, 5) == 'pmid:' then add(pmids, identifier) end
    add(all, identifier)
  end
  for _, identifier in ipairs(identifiers) do
    take(identifier)
    local target, records = resolve_alias(identifier)
    if not target then
      unknown = unknown or identifier
    elseif not seen[target] then
      seen[target] = true
      each_record(target, records, function(header)
        for _, other in ipairs(header.identifiers) do take(other) end
      end)
    end
  end
  return #pmids > 1 and identifiers or all, unknown
end

-- The key of each question, by its name.
local question_keys = {}
for n = FIRST_QUESTION, #KEYS do question_keys[string.match(KEYS[n], ':question:(.+)$')] = KEYS[n] end

-- An error if one of these is not a question of the job now: others may have replaced those that the caller read.
local function check_questions(asked)
  local questions = redis.call('HGET', METADATA, 'questions') or ''
  local valid, unknown = {}, {}
  for _, question in ipairs(asked) do
    local is_set = string.find(' ' .. questions .. ' ', ' ' .. question .. ' ', 1, true)
    if not (is_set and question_keys[question]) then unknown[#unknown + 1] = question end
  end
  if #unknown == 0 then return end
  for question in string.gmatch(questions, '%S+') do
    if question_keys[question] then valid[#valid + 1] = question end
  end
  local unknown_list, valid_list = table.concat(unknown, ', '), table.concat(valid, ', ')
  return redis.error_reply('TOOL unknown questions: ' .. unknown_list .. '; valid are ' .. valid_list)
end

local function write_source(source)
  redis.call('HSET', SOURCES, source.source_id, cjson.encode(source))
end

-- The saved sources that a record with these identifiers is, lowest number first. Two PMIDs are two works: of the
-- sources that share a weaker identifier, those with another PMID than the record's (or the first one's) are left out.
local function find_sources(identifiers)
  local found, seen = {}, {}
  for _, identifier in ipairs(identifiers) do
    local id = redis.call('HGET', IDENTIFIERS, identifier)
    if id and not seen[id] then
      seen[id] = true
      found[#found + 1] = cjson.decode(redis.call('HGET', SOURCES, id))
    end
  end
  table.sort(found, function(one, other) return one.number < other.number end)
  local pmid = pmid_of(identifiers)
  local same = {}
  for _, source in ipairs(found) do
    local own = pmid_of(source.identifiers)
    pmid = pmid or own
    if not own or own == pmid then same[#same + 1] = source end
  end
  return same
end

-- The result of `describe_progress` changes from now on.
local function count_change()
  redis.call('HINCRBY', METADATA, 'changes', 1)
end

local function count_database(name, change)
  local counts = cjson.decode(redis.call('HGET', METADATA, 'databases'))
  local count = (counts[name] or 0) + change
  counts[name] = count > 0 and count or nil
  redis.call('HSET', METADATA, 'databases', next(counts) and cjson.encode(counts) or '{}')
  count_change()
end

-- A source that is not evidence on the drug gets a negative score: `describe_progress` counts from 0 on.
local function assign(source, question)
  local score = source.counted == false and -source.number or source.number
  if redis.call('ZADD', question_keys[question], score, source.source_id) == 1 then count_change() end
  return add(source.questions, question)
end

local function write_citation(citation, source)
  citation.source_id = source.source_id
  redis.call('HSET', CITATIONS, citation.citation_id, cjson.encode(citation))
  add(source.citation_ids, citation.citation_id)
end

local function attach_citation(source, id)
  write_citation(cjson.decode(redis.call('HGET', CITATIONS, id)), source)
end

local function add_note(source, note)
  if note ~= '' and not string.find(source.note, note, 1, true) then
    source.note = source.note == '' and note or source.note .. '\n' .. note
  end
end

local function absorb_source(kept, other)
  for _, identifier in ipairs(other.identifiers) do
    redis.call('HSET', IDENTIFIERS, identifier, kept.source_id)
    add(kept.identifiers, identifier)
  end
  for _, question in ipairs(other.questions) do
    assign(kept, question) -- first, so that the key and its TTL are never lost
    redis.call('ZREM', question_keys[question], other.source_id)
  end
  for _, id in ipairs(other.citation_ids) do attach_citation(kept, id) end
  add(kept.aliases, other.source_id)
  for _, alias in ipairs(other.aliases) do add(kept.aliases, alias) end
  add_note(kept, other.note)
  count_database(other.database, -1)
  redis.call('HDEL', SOURCES, other.source_id)
end

-- One source of several: the lowest number stays, the others remain as its aliases.
local function merge_sources(found, at)
  local kept = found[1]
  for n = 2, #found do
    absorb_source(kept, found[n])
    append_event(at, 'joined', found[n].source_id .. ' is the same work as ' .. kept.source_id,
      cjson.encode({source_id = kept.source_id, alias = found[n].source_id}))
  end
  return kept
end

-- Identifiers that no other source has become the source's, and with them the citations that waited for it.
local function bind_identifiers(source, identifiers)
  local changed = false
  for _, identifier in ipairs(identifiers) do
    if redis.call('HSETNX', IDENTIFIERS, identifier, source.source_id) == 1 then
      add(source.identifiers, identifier)
      changed = true
    end
    local waiting = redis.call('HGET', METADATA, 'waiting:' .. identifier)
    if waiting and redis.call('HGET', IDENTIFIERS, identifier) == source.source_id then
      for _, id in ipairs(cjson.decode(waiting)) do attach_citation(source, id) end
      redis.call('HDEL', METADATA, 'waiting:' .. identifier)
      changed = true
    end
  end
  return changed
end

-- The id among these of the citation with the same words; its quote's check is made good if it has improved.
local function same_citation(ids, wanted)
  for _, id in ipairs(ids) do
    local citation = cjson.decode(redis.call('HGET', CITATIONS, id))
    if citation.claim == wanted.claim and citation.quote == wanted.quote then
      if wanted.quote_check == 'verified' and citation.quote_check ~= 'verified' then
        citation.quote_check = 'verified'
        redis.call('HSET', CITATIONS, id, cjson.encode(citation))
      end
      return id
    end
  end
end
