package redis

import goredis "github.com/redis/go-redis/v9"

// fillScript writes an entry if Redis still holds what the caller saw: that trailer, or nothing.
// Without a new trailer it removes the entry.
//
// KEYS: entry. ARGV: the trailer that was seen, "" for none, "*" for any; the TTL in milliseconds;
// the new trailer; the messages.
var fillScript = goredis.NewScript(`
local have = redis.call('LINDEX', KEYS[1], -1) or ''
if ARGV[1] ~= '*' and have ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
if ARGV[3] == '' then return 1 end
for i = 4, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[i]) end
redis.call('RPUSH', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`)

// extendScript appends the messages of a commit to the entry of the version that the commit
// was computed from, and drops the oldest ones above the bounds. An entry of any other
// version is removed, and so is one of a version of the same number that was committed at
// another time: the store has gone back behind it, and on by another way.
//
// KEYS: entry. ARGV: entry id; base version; new version; number of the first message, "" for
// none; number of the next one; time of the commit; the TTL in milliseconds; the bounds on
// messages and bytes; time of the base, "" if unknown; the messages.
var extendScript = goredis.NewScript(`
local mark = redis.call('LINDEX', KEYS[1], -1)
if not mark or mark == '` + tombstone + `' then return 0 end
local place, version, next, created, bytes, updated =
	string.match(mark, '^(%x+)|(%d+)|(%d+)|(-?%d+)|(%d+)|(-?%d+)')
if place ~= ARGV[1] or version ~= ARGV[2] or (ARGV[4] ~= '' and next ~= ARGV[4]) or (ARGV[10] ~= '' and updated ~= ARGV[10]) then
	redis.call('DEL', KEYS[1])
	return 0
end
if ARGV[4] ~= '' then next = ARGV[5] end
bytes = tonumber(bytes)
redis.call('RPOP', KEYS[1])
for i = 11, #ARGV do
	bytes = bytes + #ARGV[i]
	redis.call('RPUSH', KEYS[1], ARGV[i])
end
local length = redis.call('LLEN', KEYS[1])
while length > 0 and (length > tonumber(ARGV[8]) or bytes > tonumber(ARGV[9])) do
	bytes = bytes - #redis.call('LPOP', KEYS[1])
	length = length - 1
end
redis.call('RPUSH', KEYS[1], table.concat({place, ARGV[3], next, created, string.format('%d', bytes), ARGV[6]}, '|'))
redis.call('PEXPIRE', KEYS[1], ARGV[7])
return 1
`)
