package redis

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/seal"
)

// ErrBadURL: not the URL of a Redis.
var ErrBadURL = errors.New("not a redis URL; want redis://user:password@host:port/number")

// Operations and their outcomes, as they are counted.
const (
	OpLoad   = "load"   // a window was wanted
	OpCommit = "commit" // an entry was brought up to date
	OpForget = "forget" // entries were removed

	Hit     = "hit"     // load: the window came from Redis
	Miss    = "miss"    // load: there was no entry, or none as long as was wanted
	Stale   = "stale"   // load: the entry was of another version
	Damaged = "damaged" // load: the entry could not be read, or was another session's
	Done    = "done"    // commit, forget: Redis has it
	Failed  = "failed"  // Redis answered with an error, or not in time
	Open    = "open"    // Redis was not asked, as it failed before
)

// outcomes are those that each operation can have.
var outcomes = map[string][]string{
	OpLoad:   {Hit, Miss, Stale, Damaged, Failed, Open},
	OpCommit: {Done, Failed, Open},
	OpForget: {Done, Failed, Open},
}

// failures is how many in a row make Redis unhealthy.
const failures = 3

// schema is part of every key: another form of entries begins with none.
const schema = "slotway window 2"

// writeScript writes an entry if Redis still holds what the caller saw.
//
// KEYS: entry. ARGV: the checksum that was seen, "" for none; the new value; the TTL in milliseconds.
var writeScript = goredis.NewScript(`
if redis.call('GETRANGE', KEYS[1], 0, ` + strconv.Itoa(sumBytes-1) + `) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
`)

// cache talks to Redis. Its methods return no errors: they count them.
type cache struct {
	opts    Options
	prefix  string // of every key
	client  *goredis.Client
	circuit circuitbreaker.CircuitBreaker[any]
	box     seal.Box // of every entry

	counts  map[memory.CacheOperation]*atomic.Uint64 // N is 0 in the keys; nothing is added later
	outages atomic.Uint64                            // times that Redis became unhealthy

	// owed: a removal did not get through. Nothing is read before every entry has been removed.
	owed   atomic.Bool
	paying sync.Mutex
	closed sync.Once
}

func newCache(url string, opts Options) (*cache, error) {
	o, err := goredis.ParseURL(url)
	if err != nil {
		return nil, ErrBadURL
	}
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = opts.Timeout, opts.Timeout, opts.Timeout, opts.Timeout
	o.ContextTimeoutEnabled = true
	o.MaxRetries, o.DialerRetries = -1, 1 // what fails is read from the store at once
	o.DisableIdentity = true
	// The library writes to standard error by itself; what it says is counted here instead.
	logging.Disable()
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	sum := sha256.Sum256([]byte(schema + opts.Namespace))
	c := &cache{
		opts: opts, prefix: "slotway:" + hex.EncodeToString(sum[:4]) + ":", client: goredis.NewClient(o),
		counts: map[memory.CacheOperation]*atomic.Uint64{},
	}
	for operation, outcomes := range outcomes {
		for _, outcome := range outcomes {
			c.counts[memory.CacheOperation{Operation: operation, Outcome: outcome}] = new(atomic.Uint64)
		}
	}
	c.circuit = circuitbreaker.NewBuilder[any]().
		WithFailureThreshold(failures).WithSuccessThreshold(1).WithDelay(opts.Pause).
		OnStateChanged(func(e circuitbreaker.StateChangedEvent) {
			// Each further failed try opens the circuit, too, but belongs to the same outage.
			if e.OldState == circuitbreaker.ClosedState && e.NewState == circuitbreaker.OpenState {
				c.outages.Add(1)
			}
		}).Build()
	return c, nil
}

// placeOf is the key of a session's entry: a digest of everything that names the session.
func (c *cache) placeOf(key memory.Key) string {
	h := sha256.New()
	for _, part := range [...]string{key.UserID, key.AgentID, key.SessionID} {
		h.Write([]byte(strconv.Quote(part)))
	}
	return c.prefix + hex.EncodeToString(h.Sum(nil)[:16])
}

func (c *cache) count(operation, outcome string) {
	c.counts[memory.CacheOperation{Operation: operation, Outcome: outcome}].Add(1)
	if c.opts.observe != nil {
		c.opts.observe(operation, outcome)
	}
}

// health says how the cache does, outcomes that never were included.
func (c *cache) health() memory.CacheHealth {
	h := memory.CacheHealth{Unhealthy: !c.circuit.IsClosed(), UnhealthyTotal: c.outages.Load()}
	for operation, n := range c.counts {
		operation.N = n.Load()
		h.Operations = append(h.Operations, operation)
	}
	return h
}

// do calls Redis, unless it is bypassed: Done, Failed or Open.
func (c *cache) do(ctx context.Context, ask func(ctx context.Context) error) string {
	if !c.circuit.TryAcquirePermit() {
		return Open
	}
	if c.circuit.IsHalfOpen() {
		ctx = context.WithoutCancel(ctx) // all wait for what it finds out
	}
	bounded, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	err := ask(bounded)
	cancel()
	switch {
	case err == nil || errors.Is(err, goredis.Nil): // which is its word for nothing
		c.circuit.RecordSuccess()
		return Done
	case !callerGaveUp(ctx):
		c.circuit.RecordFailure() // else the caller gave up, which says nothing of Redis
	}
	return Failed
}

// callerGaveUp reports whether the caller's context has ended. A connection may notice its
// deadline a moment before the context does.
func callerGaveUp(ctx context.Context) bool {
	end, bounded := ctx.Deadline()
	return ctx.Err() != nil || bounded && !time.Now().Before(end)
}

// read reads an entry: Hit, Miss, Damaged, Failed or Open.
func (c *cache) read(ctx context.Context, place string) (entry, string) {
	if c.owed.Load() && !c.pay(ctx) {
		return entry{}, Failed
	}
	var value string
	outcome := c.do(ctx, func(ctx context.Context) (err error) {
		value, err = c.client.Get(ctx, place).Result()
		return err
	})
	if outcome != Done {
		return entry{}, outcome
	}
	return decode(place, value, c.box)
}

// replace writes an entry where the value with the checksum was seen. One that is too large is none.
func (c *cache) replace(ctx context.Context, place, seen string, e *entry) {
	if seen == tombstone {
		return
	}
	value, err := e.encode(place, c.box)
	tooLarge := err != nil || len(value) > c.opts.MaxBytes
	switch {
	case tooLarge && seen == "":
	case tooLarge:
		c.forget(ctx, place)
	default:
		c.count(OpCommit, c.do(ctx, func(ctx context.Context) error {
			return writeScript.Run(ctx, c.client, []string{place}, seen, value, c.opts.TTL.Milliseconds()).Err()
		}))
	}
}

// begin writes the entry of a session that a commit created, whatever is there.
func (c *cache) begin(ctx context.Context, place string, d *memory.Delta) {
	e, ok := (&entry{NextSeq: 1, Created: memory.Moment(d.At)}).after(d, c.opts.Window)
	if !ok || len(e.Messages) < len(d.Messages) {
		return
	}
	if value, err := e.encode(place, c.box); err == nil && len(value) <= c.opts.MaxBytes {
		c.count(OpCommit, c.do(ctx, func(ctx context.Context) error {
			return c.client.Set(ctx, place, value, c.opts.TTL).Err()
		}))
	}
}

// extend brings an entry up to the version that a commit made, or removes it.
func (c *cache) extend(ctx context.Context, place string, d *memory.Delta) {
	e, outcome := c.read(ctx, place)
	if outcome == Failed || outcome == Open {
		c.count(OpCommit, outcome)
		return
	}
	next, ok := e.after(d, c.opts.Window)
	switch {
	case outcome == Hit && ok:
		c.replace(ctx, place, e.sum, next)
	case outcome != Miss:
		c.forget(ctx, place)
	}
}

// forget removes an entry, at once or when Redis answers again.
func (c *cache) forget(ctx context.Context, place string) {
	outcome := c.do(ctx, func(ctx context.Context) error {
		return c.client.Set(ctx, place, tombstone, c.opts.tombstoneTTL).Err()
	})
	c.count(OpForget, outcome)
	if outcome != Done {
		c.owed.Store(true)
	}
}

// forgetAll removes every entry of the namespace, at once or when Redis answers again.
func (c *cache) forgetAll(ctx context.Context) (done bool) {
	var cursor uint64
	for {
		outcome := c.do(ctx, func(ctx context.Context) error {
			keys, next, err := c.client.Scan(ctx, cursor, c.prefix+"*", 1000).Result()
			cursor = next
			if err != nil || len(keys) == 0 {
				return err
			}
			return c.client.Unlink(ctx, slices.Compact(keys)...).Err()
		})
		if outcome != Done {
			c.count(OpForget, outcome)
			c.owed.Store(true)
			return false
		}
		if cursor == 0 {
			c.count(OpForget, Done)
			return true
		}
	}
}

// pay makes up for removals that did not get through: which entries they were of is not kept, so all
// go. It reports whether entries may be read.
func (c *cache) pay(ctx context.Context) bool {
	if !c.paying.TryLock() {
		return false
	}
	defer c.paying.Unlock()
	c.owed.Store(false) // one that fails meanwhile is owed again
	return c.forgetAll(ctx)
}

// close makes up for removals and closes the client.
func (c *cache) close() {
	c.closed.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if c.owed.Load() {
			c.pay(ctx)
		}
		// The store is closed; that a connection of the cache could not be closed well is no
		// error of it.
		_ = c.client.Close()
	})
}
