package redis

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/slotway/slotway/memory"
)

// ErrBadURL: not the URL of a Redis.
var ErrBadURL = errors.New("not a redis URL; want redis://user:password@host:port/number")

// failures is how many in a row make Redis unhealthy.
const failures = 3

// tombstoneTTL is longer than a Load takes that began before a removal.
const tombstoneTTL = 10 * time.Second

// cache talks to Redis. Its methods return no errors: they report to Options.Observe.
type cache struct {
	opts         Options
	prefix       string // of every key
	client       *goredis.Client
	circuit      circuitbreaker.CircuitBreaker[any]
	pending      pendingRemovals
	tombstoneTTL time.Duration // how long a removed entry is not filled again
	closed       sync.Once
}

func newCache(url string, opts Options, changed func(circuitbreaker.StateChangedEvent)) (*cache, error) {
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
	sum := sha256.Sum256([]byte(opts.Namespace))
	return &cache{
		opts: opts, tombstoneTTL: tombstoneTTL, prefix: "slotway:" + hex.EncodeToString(sum[:4]) + ":", client: goredis.NewClient(o),
		circuit: circuitbreaker.NewBuilder[any]().
			WithFailureThreshold(failures).WithSuccessThreshold(1).WithDelay(opts.Pause).OnStateChanged(changed).Build(),
	}, nil
}

func (c *cache) entryID(key memory.Key) entryID { return newEntryID(c.opts.Namespace, key) }

func (c *cache) key(id entryID) string { return c.prefix + string(id) }

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
	case err == nil:
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

// read reads the newest n messages of an entry: Hit, Miss, Damaged, Failed or Open.
func (c *cache) read(ctx context.Context, id entryID, n int) (entry, string) {
	if !c.retryRemovals(ctx, id) {
		return entry{}, Failed
	}
	var list []string
	outcome := c.do(ctx, func(ctx context.Context) (err error) {
		list, err = c.client.LRange(ctx, c.key(id), int64(-n-1), -1).Result()
		return err
	})
	if outcome != Done {
		return entry{}, outcome
	}
	return parse(id, list)
}

// fill replaces what was read before by what the store showed.
func (c *cache) fill(ctx context.Context, id entryID, seen entry, snap *memory.Snapshot) {
	if seen.text == tombstone {
		return
	}
	m := trailerOf(id, snap)
	list, bytes := c.packed(id, snap.Recent)
	text := ""
	if m.bytes = bytes; bytes <= c.opts.MaxBytes && m.version > 0 {
		text = m.String()
	} else if list = nil; seen.text == "" {
		return
	}
	c.write(ctx, id, seen.text, text, list)
}

// begin writes the entry of a session that a commit created.
func (c *cache) begin(ctx context.Context, id entryID, d *memory.Delta) {
	moment := memory.Moment(d.At).UnixMicro()
	m := trailer{id: id, version: 1, nextSeq: int64(len(d.Messages)) + 1, created: moment, updated: moment}
	list, bytes := c.packed(id, d.Messages)
	if m.bytes = bytes; bytes <= c.opts.MaxBytes && len(list) <= c.opts.Window {
		c.write(ctx, id, "*", m.String(), list)
	}
}

func (c *cache) packed(id entryID, messages []memory.Message) (list []any, bytes int) {
	list = make([]any, len(messages))
	for i := range messages {
		text := pack(id, &messages[i])
		list[i], bytes = text, bytes+len(text)
	}
	return list, bytes
}

func (c *cache) write(ctx context.Context, id entryID, seen, text string, list []any) {
	args := append([]any{seen, c.opts.TTL.Milliseconds(), text}, list...)
	c.opts.Observe(OpCommit, c.do(ctx, func(ctx context.Context) error {
		return fillScript.Run(ctx, c.client, []string{c.key(id)}, args...).Err()
	}))
}

// extend brings an entry up to the version that a commit made.
func (c *cache) extend(ctx context.Context, id entryID, d *memory.Delta) {
	if d.Base == 0 {
		c.begin(ctx, id, d)
		return
	}
	var first any = ""
	var next int64
	if len(d.Messages) > 0 {
		first, next = d.Messages[0].Seq, d.Messages[len(d.Messages)-1].Seq+1
	}
	var base any = ""
	if !d.BaseAt.IsZero() {
		base = memory.Moment(d.BaseAt).UnixMicro()
	}
	list, bytes := c.packed(id, d.Messages)
	if bytes > c.opts.MaxBytes {
		return // the entry is of the version before and will be replaced
	}
	args := append([]any{
		string(id), d.Base, d.Base + 1, first, next, memory.Moment(d.At).UnixMicro(),
		c.opts.TTL.Milliseconds(), c.opts.Window, c.opts.MaxBytes, base,
	}, list...)
	c.opts.Observe(OpCommit, c.do(ctx, func(ctx context.Context) error {
		return extendScript.Run(ctx, c.client, []string{c.key(id)}, args...).Err()
	}))
}

// close retries removals and closes the client.
func (c *cache) close() {
	c.closed.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		for c.pending.any() && c.retrySome(ctx) {
		}
		// The store is closed; that a connection of the cache could not be closed well is no
		// error of it.
		_ = c.client.Close()
	})
}
