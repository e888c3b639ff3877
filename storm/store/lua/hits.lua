-- Recording the hits of a search. All records that share identifiers are stored together, each once, under one of them;
-- the others lead there. Saved sources that a record shows to be one work are merged. Follows sources.lua.
--
-- The value under an identifier is `@` and the identifier that holds the records, or one line a record: what is needed
-- to compare it (JSON: record, size, identifiers, and `yields`: whether any other version replaces it), a tab, and the Hit (JSON,
-- its text compressed). Which of them describe one work is determined when they are read, from all of them, so the order
-- of arrival does not matter.

-- A version from the job that this one updates, or of which a part may be missing, is replaced by any other. Of two alike
-- the longer text stays, and of equal lengths the greater JSON, in any order of arrival.
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

local function write(records, place)
  local lines, identifiers = {}, {}
  for _, record in pairs(records) do
    for _, identifier in ipairs(record.identifiers) do identifiers[identifier] = true end
    lines[#lines + 1] = cjson.encode({
      record = record.record, size = record.size, identifiers = record.identifiers, yields = record.yields,
    }) .. '\t' .. record.hit
  end
  for identifier in pairs(identifiers) do
    redis.call('HSET', HITS, identifier, identifier == place and table.concat(lines, '\n') or '@' .. place)
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
  local records, places, place = {}, {}, nil
  for _, identifier in ipairs(new.identifiers) do
    local known = place_of(identifier)
    if known and not places[known] then
      places[known] = true
      place = place or known
      each_record(known, function(record, hit)
        record.hit = hit
        records[record.record] = record
      end)
    end
  end
  if is_known(records, new) then return end
  put(records, new)
  write(records, place or new.identifiers[1])
end

local function update_source(identifiers, at)
  local found = sources_of(identifiers)
  if #found == 0 then return end
  local source = join(found, at)
  if claim(source, identifiers) or #found > 1 then write_source(source) end
end

-- The hits in ARGV from that place on, each as JSON (record, size, identifiers, yields) and the Hit.
local function record_hits(first, at)
  for n = first, #ARGV, 2 do
    local new = cjson.decode(ARGV[n])
    new.hit = ARGV[n + 1]
    record_hit(new)
    update_source(widen(new.identifiers), at)
  end
end
