-- Prelude of every job script: names the job's keys, and checks the job and its lease before the first write.
-- A script is not rolled back, so every check that can fail is made here.
--
-- KEYS  every key of the job, in this order:
--   1 lease  2 metadata  3 sources  4 identifiers  5 hits  6 citations  7 journal  8 stages  9 events  10 spending
--   11 exclusions  12… questions, where there is a plan
-- ARGV  1 the token of the caller's lease  2 the keys' TTL in milliseconds  3 the schema version
local LEASE, METADATA, SOURCES, IDENTIFIERS = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local HITS, CITATIONS, JOURNAL, STAGES, EVENTS = KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local SPENDING, EXCLUSIONS, FIRST_QUESTION = KEYS[10], KEYS[11], 12
local TYPES = {'string', 'hash', 'hash', 'hash', 'hash', 'hash', 'list', 'hash', 'stream', 'hash', 'hash'}
local MAX_EVENTS = 10000
local RENEWED_MS = 60000
local present, existing = 0, {}
local appended = {}

-- A job's key without the common prefix.
local function short_name(key)
  return string.match(key, '^[^}]*}:(.+)$')
end

-- Records which keys exist. Only refile_source.lua empties one, and records it, so any other that is missing was lost.
local function record_keys()
  local names = {}
  for n = 2, #KEYS do
    if redis.call('EXISTS', KEYS[n]) == 1 then names[#names + 1] = short_name(KEYS[n]) end
  end
  redis.call('HSET', METADATA, 'keys', table.concat(names, ' '))
end

local function damage(what)
  local job = string.match(METADATA, '{([^}]*)}')
  return redis.error_reply('DAMAGED the collection of ' .. job .. ' is damaged: ' .. what)
end

local function key_lost()
  local recorded = redis.call('HGET', METADATA, 'keys')
  if not recorded or recorded == table.concat(existing, ' ') then return end
  local there, named = {}, {}
  for _, name in ipairs(existing) do there[name] = true end
  for n = 2, #KEYS do named[short_name(KEYS[n])] = true end
  for name in string.gmatch(recorded, '%S+') do
    -- Who began to wait before there was a plan does not name the questions' keys.
    if named[name] and not there[name] then return damage('of its keys ' .. name .. ' is gone') end
  end
end

local function check_schema()
  for n, key in ipairs(KEYS) do
    local found, expected = redis.call('TYPE', key).ok, TYPES[n] or 'zset'
    if found ~= 'none' then
      present = present + 1
      if n > 1 then existing[#existing + 1] = short_name(key) end
    end
    if found ~= 'none' and found ~= expected then
      return redis.error_reply('SCHEMA the key ' .. key .. ' holds a ' .. found .. ' where a ' .. expected .. ' belongs')
    end
  end
  local schema = redis.call('HGET', METADATA, 'schema')
  if not schema and #existing > 0 then
    return damage('its metadata is gone')
  elseif not schema then
    return redis.error_reply('SCHEMA the key ' .. METADATA .. ' is missing: the job has expired or was deleted')
  elseif schema ~= ARGV[3] then
    return redis.error_reply('SCHEMA the job was written with schema ' .. schema .. ', this program has ' .. ARGV[3])
  end
  return key_lost()
end

-- Whether the caller holds the job. An expired lease is still its holder's until another process takes it, or the job
-- is cancelled, so a process that could not renew it for a while goes on.
local function is_held()
  local held = redis.call('GET', LEASE)
  if held then return held == ARGV[1] end
  return redis.call('HGET', METADATA, 'holder') == ARGV[1]
end

local function check_write()
  local error = check_schema()
  if error then
    return error
  elseif not is_held() then
    return redis.error_reply('LEASELOST this process no longer holds the job; nothing was written')
  end
end

-- Appends an event, and collects it in `appended` (its id, then fields and values): the holder passes it to the sinks.
local function append_event(at, kind, message, data)
  local now = redis.call('HMGET', METADATA, 'stage', 'progress')
  local event = {
    'at', at, 'kind', kind, 'message', message, 'stage', now[1] or '', 'progress', now[2] or '0', 'data', data,
  }
  local id = redis.call('XADD', EVENTS, 'MAXLEN', '~', MAX_EVENTS, '*', unpack(event))
  appended[#appended + 1] = {id, unpack(event)}
end

-- Appended to an answer: the events that were appended, how often the collection has changed, all sources, how many
-- works were dropped, JSON of the number of sources by database, then the sources of each question key that count (sources.lua).
local function describe_progress(answer)
  answer[#answer + 1] = appended
  answer[#answer + 1] = tonumber(redis.call('HGET', METADATA, 'changes') or '0')
  answer[#answer + 1] = redis.call('HLEN', SOURCES)
  answer[#answer + 1] = tonumber(redis.call('HGET', METADATA, 'dropped') or '0')
  answer[#answer + 1] = redis.call('HGET', METADATA, 'databases') or '{}'
  for n = FIRST_QUESTION, #KEYS do
    answer[#answer + 1] = redis.call('ZCOUNT', KEYS[n], 0, '+inf')
  end
  return answer
end

local function renew_ttl()
  for n = 2, #KEYS do
    redis.call('PEXPIRE', KEYS[n], ARGV[2])
  end
end

-- Whether the TTL was last renewed more than a minute ago.
local function is_ttl_due()
  return redis.call('PTTL', METADATA) < ARGV[2] - RENEWED_MS
end

-- Saves a write fifteen calls if it created no key and the TTL was just renewed.
local function renew_ttl_if_due()
  local is_new = redis.call('EXISTS', unpack(KEYS)) ~= present
  if is_new then record_keys() end
  if is_new or is_ttl_due() then renew_ttl() end
end
