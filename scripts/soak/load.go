package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// load sends the requests and counts their outcomes.
type load struct {
	p    *process
	o    options
	http *http.Client
	work sync.WaitGroup

	mu       sync.Mutex // guards what follows
	turns    int
	took     []time.Duration // latencies of the turns of this minute
	counts   map[string]int
	failures int
	told     []string // the first failures
}

func newLoad(p *process, o options) *load {
	return &load{
		p: p, o: o, counts: map[string]int{},
		http: &http.Client{Timeout: 60 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 20 * time.Second}},
	}
}

func (l *load) turn(took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turns++
	l.took = append(l.took, took)
}

func (l *load) count(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts[what]++
}

// minute returns percentiles of the latencies since the last call, in microseconds.
func (l *load) minute() (p50, p99 float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	took := l.took
	l.took = nil
	if len(took) == 0 {
		return 0, 0
	}
	slices.Sort(took)
	at := func(q float64) float64 { return float64(took[int(q*float64(len(took)-1))].Microseconds()) }
	return at(0.5), at(0.99)
}

// client returns a client for a user.
func (l *load) client(user int) *harness.Client {
	return l.p.client(l.http, fmt.Sprintf("user-%d", user))
}

// run repeats an action until ctx ends, with a pause after each.
func (l *load) run(ctx context.Context, pause func() time.Duration, do func(context.Context) error) {
	l.work.Go(func() {
		for ctx.Err() == nil {
			if err := do(ctx); err != nil && ctx.Err() == nil {
				l.fail(err)
			}
			_ = harness.Pause(ctx, pause()) // the loop ends with ctx
		}
	})
}

func (l *load) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failures++
	if len(l.told) < 10 {
		l.told = append(l.told, err.Error())
	}
}

// begin starts the load, which ends with ctx. Wait for work after that.
func (l *load) begin(ctx context.Context) {
	rng := func(n int) *rand.Rand { return rand.New(rand.NewPCG(l.o.seed, uint64(n))) }
	about := func(r *rand.Rand, d time.Duration) func() time.Duration {
		return func() time.Duration { return time.Duration((0.5 + r.Float64()) * float64(d)) }
	}
	for i := range l.o.clients {
		r := rng(i)
		var open []*conversation
		for k := i; k < l.o.sessions; k += l.o.clients {
			c := &conversation{Client: l.client(k % l.o.users), rng: r, load: l}
			c.begin()
			open = append(open, c)
		}
		l.run(ctx, about(r, 20*time.Millisecond), func(ctx context.Context) error { return open[r.IntN(len(open))].step(ctx) })
	}
	for i := range 4 {
		r := rng(1000 + i)
		c := &conversation{Client: l.client(i), rng: r, load: l}
		l.run(ctx, about(r, 100*time.Millisecond), func(ctx context.Context) error { return c.completions(ctx, i%2 == 0) })
		l.run(ctx, about(r, 200*time.Millisecond), func(ctx context.Context) error {
			return l.watch(ctx, c.Client, time.Duration(500+1000*i)*time.Millisecond, false)
		})
	}
	l.run(ctx, about(rng(2000), time.Second), func(ctx context.Context) error { return l.watch(ctx, l.client(0), 12*time.Second, true) })
	l.run(ctx, about(rng(2001), 2*time.Second), func(ctx context.Context) error { return l.studio(ctx, l.client(1)) })
	l.run(ctx, about(rng(2002), 50*time.Millisecond), func(ctx context.Context) error { return l.abandon(ctx, l.client(2)) })
	strangers := 0
	l.run(ctx, about(rng(2003), 20*time.Millisecond), func(ctx context.Context) error {
		strangers++
		return l.stranger(ctx, strangers)
	})
	version := 0
	l.run(ctx, about(rng(2004), 3*time.Second), func(context.Context) error {
		version++
		l.count("reloads")
		return l.p.writeAgent(version)
	})
}
