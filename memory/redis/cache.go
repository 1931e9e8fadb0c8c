package redis

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// ErrBadURL: not the URL of a Redis.
var ErrBadURL = errors.New("not a redis URL; want redis://user:password@host:port/number")

const (
	prefix   = "slotway:1:" // of every key; another form of values begins with another
	life     = time.Hour    // of a value that nobody writes again
	maxBytes = 256 << 10    // of a value; larger ones are not kept
	failures = 3            // in a row make Redis unhealthy
)

// Operations and their outcomes, as they are counted.
const (
	opLoad   = "load"
	opCommit = "commit"
	opForget = "forget"

	hit    = "hit"    // load: the window came from Redis
	miss   = "miss"   // load: Redis has none
	stale  = "stale"  // load: it has one that cannot be used
	done   = "done"   // commit, forget
	failed = "failed" // Redis answered with an error, or not in time
	open   = "open"   // Redis was not asked, as it failed before
)

// Options of a cache; the zero value is right.
type Options struct {
	Timeout time.Duration // of one call, connecting included; default 50 ms
	Pause   time.Duration // how long Redis is left alone after failures; default 5 s
}

// Cache talks to Redis. Its methods return no errors: they count them.
type Cache struct {
	timeout time.Duration
	client  *goredis.Client
	circuit circuitbreaker.CircuitBreaker[any]
	counts  map[memory.CacheOperation]*atomic.Uint64 // N is 0 in the keys; nothing is added later
	outages atomic.Uint64                            // times that Redis became unhealthy
}

var _ sqlstore.Shared = (*Cache)(nil)

// New returns a cache in the Redis at a URL (redis://user:password@host:port/number, or rediss:// with TLS),
// which need not be there yet. What the URL's query says of the pool (pool_size, ...) holds. ErrBadURL: the URL
// cannot be read; the error does not repeat it, for it may hold a password.
func New(url string, opts Options) (*Cache, error) {
	o, err := goredis.ParseURL(url)
	if err != nil {
		return nil, ErrBadURL
	}
	if opts.Timeout == 0 {
		opts.Timeout = 50 * time.Millisecond
	}
	if opts.Pause == 0 {
		opts.Pause = 5 * time.Second
	}
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = opts.Timeout, opts.Timeout, opts.Timeout, opts.Timeout
	o.ContextTimeoutEnabled = true
	o.MaxRetries, o.DialerRetries = -1, 1 // what fails is read from the store at once
	o.DisableIdentity = true
	// The library writes to standard error by itself; what it says is counted here instead.
	logging.Disable()
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	c := &Cache{timeout: opts.Timeout, client: goredis.NewClient(o), counts: map[memory.CacheOperation]*atomic.Uint64{}}
	for operation, outcomes := range map[string][]string{
		opLoad: {hit, miss, stale, failed, open}, opCommit: {done, failed, open}, opForget: {done, failed, open},
	} {
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

// Get implements sqlstore.Shared.
func (c *Cache) Get(ctx context.Context, name string) (value []byte) {
	outcome := c.do(ctx, func(ctx context.Context) (err error) {
		value, err = c.client.Get(ctx, prefix+name).Bytes()
		return err
	})
	switch {
	case outcome != done:
		c.count(opLoad, outcome)
		return nil
	case len(value) == 0:
		c.count(opLoad, miss)
	}
	return value
}

// Used implements sqlstore.Shared.
func (c *Cache) Used(is bool) {
	if is {
		c.count(opLoad, hit)
	} else {
		c.count(opLoad, stale)
	}
}

// Set implements sqlstore.Shared.
func (c *Cache) Set(ctx context.Context, name string, value []byte) {
	if len(value) > maxBytes {
		c.Delete(ctx, name)
		return
	}
	c.count(opCommit, c.do(ctx, func(ctx context.Context) error { return c.client.Set(ctx, prefix+name, value, life).Err() }))
}

// Delete implements sqlstore.Shared.
func (c *Cache) Delete(ctx context.Context, name string) {
	c.count(opForget, c.do(ctx, func(ctx context.Context) error { return c.client.Del(ctx, prefix+name).Err() }))
}

func (c *Cache) count(operation, outcome string) {
	c.counts[memory.CacheOperation{Operation: operation, Outcome: outcome}].Add(1)
}

// Health says how the cache does, outcomes that never were included.
func (c *Cache) Health() memory.CacheHealth {
	h := memory.CacheHealth{Unhealthy: !c.circuit.IsClosed(), UnhealthyTotal: c.outages.Load()}
	for operation, n := range c.counts {
		operation.N = n.Load()
		h.Operations = append(h.Operations, operation)
	}
	return h
}

// do calls Redis, unless it is left alone: done, failed or open.
func (c *Cache) do(ctx context.Context, ask func(ctx context.Context) error) string {
	if !c.circuit.TryAcquirePermit() {
		return open
	}
	if c.circuit.IsHalfOpen() {
		ctx = context.WithoutCancel(ctx) // all wait for what it finds out
	}
	bounded, cancel := context.WithTimeout(ctx, c.timeout)
	err := ask(bounded)
	cancel()
	switch {
	case err == nil || errors.Is(err, goredis.Nil): // which is its word for nothing
		c.circuit.RecordSuccess()
		return done
	case !callerGaveUp(ctx):
		c.circuit.RecordFailure() // else the caller gave up, which says nothing of Redis
	}
	return failed
}

// callerGaveUp reports whether the caller's context has ended. A connection may notice its
// deadline a moment before the context does.
func callerGaveUp(ctx context.Context) bool {
	end, bounded := ctx.Deadline()
	return ctx.Err() != nil || bounded && !time.Now().Before(end)
}

// Close closes the connections.
func (c *Cache) Close() error { return c.client.Close() }
