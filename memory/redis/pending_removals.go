package redis

import (
	"context"
	"slices"
	"sync"
)

// A removal that Redis did not execute stays pending until Redis answers: an entry with a pending
// removal is not read, and every read retries some of the removals.

// maxPending bounds how many pending removals are kept. Beyond them an entry of a deleted session
// may stay until its TTL ends; it is not served, because the store knows no such version.
const maxPending = 10_000

// retryBatch is how many removals are retried at once.
const retryBatch = 100

type pendingRemovals struct {
	retrying sync.Mutex // held during a retry

	mu   sync.Mutex // guards what is below
	ids  map[entryID]int64
	all  int64 // number of a pending removal of every entry; 0: none
	last int64 // number of the newest removal
}

// add remembers removals that did not take place, and returns how many it could not keep.
func (d *pendingRemovals) add(places ...entryID) (lost int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ids == nil {
		d.ids = map[entryID]int64{}
	}
	for _, id := range places {
		if _, known := d.ids[id]; !known && len(d.ids) >= maxPending {
			lost++
			continue
		}
		d.last++
		d.ids[id] = d.last
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

func (d *pendingRemovals) has(id entryID) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, pending := d.ids[id]
	return pending || d.all > 0
}

// batch returns removals to retry, and the number of the newest one.
func (d *pendingRemovals) batch() (places []entryID, all bool, newest int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id := range d.ids {
		if len(places) == retryBatch {
			break
		}
		places = append(places, id)
	}
	return places, d.all > 0, d.last
}

// done deletes removals that were retried, except those that were added again after newest.
func (d *pendingRemovals) done(places []entryID, newest int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, id := range places {
		if d.ids[id] <= newest {
			delete(d.ids, id)
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

// retryRemovals reports whether an entry may be read, after it has retried removals.
func (c *cache) retryRemovals(ctx context.Context, id entryID) bool {
	if !c.pending.any() {
		return true
	}
	if c.pending.retrying.TryLock() {
		c.retrySome(ctx)
		c.pending.retrying.Unlock()
	}
	return !c.pending.has(id)
}

// retrySome retries some removals and reports whether that succeeded.
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
func (c *cache) forget(ctx context.Context, id entryID) {
	if !c.remove(ctx, id) && c.pending.add(id) > 0 {
		c.opts.Observe(OpForget, Lost)
	}
}

func (c *cache) remove(ctx context.Context, places ...entryID) bool {
	outcome := c.do(ctx, func(ctx context.Context) error {
		pipe := c.client.TxPipeline()
		for _, id := range places {
			pipe.Del(ctx, c.key(id))
			pipe.RPush(ctx, c.key(id), tombstone)
			pipe.PExpire(ctx, c.key(id), c.tombstoneTTL)
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
