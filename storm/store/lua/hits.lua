-- Recording the hits of a search. All records that share identifiers are stored together, each once, under one of them;
-- the others are its aliases. Saved sources that a record shows to be one work are merged. Follows sources.lua. The words
-- record, version, work and hit are defined in ../hits.py.
--
-- The value under an identifier is an alias, `@` and the identifier that holds the records (its target), or one line a
-- record: its header (JSON: record, size, identifiers, and `yields`: whether it is provisional), a tab, and the Hit (JSON,
-- its text compressed). Which of them describe one work is determined when they are read, from all of them, so the order
-- of arrival does not matter.

-- A provisional version, from the job that this one updates or of which a part may be missing, is replaced by any other.
-- Of two alike the longer text stays, and of equal lengths the greater JSON, in any order of arrival.
local function better(one, other)
  if one.yields ~= other.yields then return not one.yields end
  if one.size ~= other.size then return one.size > other.size end
  return one.hit > other.hit
end

local function put(records, new)
  local old = records[new.record]
  if old then
    local kept = better(new, old) and new or old
    local identifiers = {}
    for _, version in ipairs({old, new}) do
      for _, identifier in ipairs(version.identifiers) do add(identifiers, identifier) end
    end
    kept.identifiers = identifiers
    new = kept
  end
  records[new.record] = new
end

local function write(records, target)
  local lines, identifiers = {}, {}
  for _, record in pairs(records) do
    for _, identifier in ipairs(record.identifiers) do identifiers[identifier] = true end
    lines[#lines + 1] = cjson.encode({
      record = record.record, size = record.size, identifiers = record.identifiers, yields = record.yields,
    }) .. '\t' .. record.hit
  end
  for identifier in pairs(identifiers) do
    redis.call('HSET', HITS, identifier, identifier == target and table.concat(lines, '\n') or '@' .. target)
  end
end

local function is_known(records, new)
  local old = records[new.record]
  if not old or old.hit ~= new.hit or (old.yields and not new.yields) then return false end
  for _, identifier in ipairs(new.identifiers) do
    if not contains(old.identifiers, identifier) then return false end
  end
  return true
end

local function record_hit(new)
  local records, known, target = {}, {}, nil
  for _, identifier in ipairs(new.identifiers) do
    local found, lines = resolve_alias(identifier)
    if found and not known[found] then
      known[found] = true
      target = target or found
      each_record(found, lines, function(record, hit)
        record.hit = hit
        records[record.record] = record
      end)
    end
  end
  if is_known(records, new) then return end
  put(records, new)
  write(records, target or new.identifiers[1])
end

local function update_source(identifiers, at)
  local found = find_sources(identifiers)
  if #found == 0 then return end
  local source = merge_sources(found, at)
  if bind_identifiers(source, identifiers) or #found > 1 then write_source(source) end
end

-- The hits in ARGV from that index on, each as JSON (record, size, identifiers, yields) and the Hit.
local function record_hits(first, at)
  for n = first, #ARGV, 2 do
    local new = cjson.decode(ARGV[n])
    new.hit = ARGV[n + 1]
    record_hit(new)
    local identifiers = expand_identifiers(new.identifiers)
    update_source(identifiers, at)
  end
end
