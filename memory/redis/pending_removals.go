package redis

import (
	"context"
	"slices"
	"sync"
)

// A removal that Redis did not take is a doubt about its entry. It is kept until Redis
// answers: an entry in doubt is not read, and every answer of Redis settles some.

// maxDoubts bounds how many places are kept. Beyond them an entry of a deleted session may
// stay until its TTL ends; it is not served, for it is of no version that the store knows.
const maxPending = 10_000

// settleBatch is how many doubts are settled at one go.
const retryBatch = 100

type pendingRemovals struct {
	retrying sync.Mutex // held by whoever settles

	mu   sync.Mutex // guards what is below
	ids  map[entryID]int64
	all  int64 // in doubt about every entry, if it is not 0
	last int64 // number of the newest doubt
}

// add remembers removals that did not take place, and returns how many it could not keep.
func (d *pendingRemovals) add(places ...entryID) (lost int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ids == nil {
		d.ids = map[entryID]int64{}
	}
	for _, at := range places {
		if _, known := d.ids[at]; !known && len(d.ids) >= maxPending {
			lost++
			continue
		}
		d.last++
		d.ids[at] = d.last
	}
	return lost
}

func (d *pendingRemovals) addAll() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last++
	d.all = d.last
}

func (d *pendingRemovals) any() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.all > 0 || len(d.ids) > 0
}

func (d *pendingRemovals) has(at entryID) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, doubted := d.ids[at]
	return doubted || d.all > 0
}

// some returns doubts to settle, up to the newest one there is.
func (d *pendingRemovals) batch() (places []entryID, all bool, newest int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for at := range d.ids {
		if len(places) == retryBatch {
			break
		}
		places = append(places, at)
	}
	return places, d.all > 0, d.last
}

// settled strikes out doubts, but for those that came up again after the newest one that
// was known when they were settled.
func (d *pendingRemovals) done(places []entryID, newest int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, at := range places {
		if d.ids[at] <= newest {
			delete(d.ids, at)
		}
	}
}

func (d *pendingRemovals) doneAll(newest int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.all <= newest {
		d.all = 0
	}
}

// settle reports whether an entry may be read, after it made up for removals.
func (c *cache) retryRemovals(ctx context.Context, at entryID) bool {
	if !c.pending.any() {
		return true
	}
	if c.pending.retrying.TryLock() {
		c.retrySome(ctx)
		c.pending.retrying.Unlock()
	}
	return !c.pending.has(at)
}

// settleSome makes up for some removals and reports whether that went well.
func (c *cache) retrySome(ctx context.Context) bool {
	places, all, newest := c.pending.batch()
	if all {
		if !c.removeAll(ctx) {
			return false
		}
		c.pending.doneAll(newest)
	}
	if len(places) > 0 {
		if !c.remove(ctx, places...) {
			return false
		}
		c.pending.done(places, newest)
	}
	return true
}

// forget removes an entry, at once or when Redis answers again.
func (c *cache) forget(ctx context.Context, at entryID) {
	if !c.remove(ctx, at) && c.pending.add(at) > 0 {
		c.opts.Observe(OpForget, Lost)
	}
}

func (c *cache) remove(ctx context.Context, places ...entryID) bool {
	outcome := c.do(ctx, func(ctx context.Context) error {
		pipe := c.client.TxPipeline()
		for _, at := range places {
			pipe.Del(ctx, c.key(at))
			pipe.RPush(ctx, c.key(at), tombstone)
			pipe.PExpire(ctx, c.key(at), c.tombstoneTTL)
		}
		_, err := pipe.Exec(ctx)
		return err
	})
	c.opts.Observe(OpForget, outcome)
	return outcome == Done
}

// forgetAll removes every entry of the namespace.
func (c *cache) forgetAll(ctx context.Context) {
	if !c.removeAll(ctx) {
		c.pending.addAll()
	}
}

func (c *cache) removeAll(ctx context.Context) bool {
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
			c.opts.Observe(OpForget, outcome)
			return false
		}
		if cursor == 0 {
			c.opts.Observe(OpForget, Done)
			return true
		}
	}
}
