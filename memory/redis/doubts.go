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
const maxDoubts = 10_000

// settleBatch is how many doubts are settled at one go.
const settleBatch = 100

type doubts struct {
	settling sync.Mutex // held by whoever settles

	mu     sync.Mutex // guards what is below
	places map[place]int64
	all    int64 // in doubt about every entry, if it is not 0
	last   int64 // number of the newest doubt
}

// add remembers removals that did not take place, and returns how many it could not keep.
func (d *doubts) add(places ...place) (lost int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.places == nil {
		d.places = map[place]int64{}
	}
	for _, at := range places {
		if _, known := d.places[at]; !known && len(d.places) >= maxDoubts {
			lost++
			continue
		}
		d.last++
		d.places[at] = d.last
	}
	return lost
}

func (d *doubts) addAll() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last++
	d.all = d.last
}

func (d *doubts) any() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.all > 0 || len(d.places) > 0
}

func (d *doubts) about(at place) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, doubted := d.places[at]
	return doubted || d.all > 0
}

// some returns doubts to settle, up to the newest one there is.
func (d *doubts) some() (places []place, all bool, newest int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for at := range d.places {
		if len(places) == settleBatch {
			break
		}
		places = append(places, at)
	}
	return places, d.all > 0, d.last
}

// settled strikes out doubts, but for those that came up again after the newest one that
// was known when they were settled.
func (d *doubts) settled(places []place, newest int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, at := range places {
		if d.places[at] <= newest {
			delete(d.places, at)
		}
	}
}

func (d *doubts) settledAll(newest int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.all <= newest {
		d.all = 0
	}
}

// settle reports whether an entry may be read, after it made up for removals.
func (c *cache) settle(ctx context.Context, at place) bool {
	if !c.doubts.any() {
		return true
	}
	if c.doubts.settling.TryLock() {
		c.settleSome(ctx)
		c.doubts.settling.Unlock()
	}
	return !c.doubts.about(at)
}

// settleSome makes up for some removals and reports whether that went well.
func (c *cache) settleSome(ctx context.Context) bool {
	places, all, newest := c.doubts.some()
	if all {
		if !c.removeAll(ctx) {
			return false
		}
		c.doubts.settledAll(newest)
	}
	if len(places) > 0 {
		if !c.remove(ctx, places...) {
			return false
		}
		c.doubts.settled(places, newest)
	}
	return true
}

// forget removes an entry, at once or when Redis answers again.
func (c *cache) forget(ctx context.Context, at place) {
	if !c.remove(ctx, at) && c.doubts.add(at) > 0 {
		c.opts.Observe(OpForget, Lost)
	}
}

func (c *cache) remove(ctx context.Context, places ...place) bool {
	outcome := c.do(ctx, func(ctx context.Context) error {
		pipe := c.client.TxPipeline()
		for _, at := range places {
			pipe.Del(ctx, c.key(at))
			pipe.RPush(ctx, c.key(at), goneMark)
			pipe.PExpire(ctx, c.key(at), c.goneFor)
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
		c.doubts.addAll()
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
