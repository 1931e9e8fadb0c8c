package redis

import (
	"context"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
)

// Redis loses everything, breaks connections, is away and falls silent, again and again, and
// the same tests as for every store pass.
func TestStoreWithAnUnhealthyRedis(t *testing.T) {
	client := direct(t)
	for name, ill := range map[string]struct{ begin, end func(g *gate, prefix string) }{
		"flushed": {begin: func(_ *gate, prefix string) {
			keys, err := client.Keys(context.Background(), prefix+"*").Result()
			if err == nil && len(keys) > 0 {
				err = client.Del(context.Background(), keys...).Err()
			}
			if err != nil {
				t.Error(err)
			}
		}},
		"broken": {begin: func(g *gate, _ string) { g.breakAll() }},
		"down": {
			begin: func(g *gate, _ string) { g.setShut(true) },
			end:   func(g *gate, _ string) { g.setShut(false) },
		},
		"silent": {
			begin: func(g *gate, _ string) { g.hold() },
			end:   func(g *gate, _ string) { g.breakAll(); g.release() },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGate(t)
			var seen counts
			storetest.Run(t, func(t *testing.T) memory.Backend {
				s := open(t, inmem.New(nil), g.url(), Options{observe: seen.observe, Timeout: 5 * time.Millisecond, Pause: time.Millisecond})
				t.Cleanup(func() { g.setShut(false); g.release() })
				return &afflicted{Backend: s, strike: func(call int) {
					switch {
					case call%30 == 5:
						ill.begin(g, s.cache.prefix)
					case call%30 == 9 && ill.end != nil:
						ill.end(g, s.cache.prefix)
					}
				}}
			})
			if seen.of(OpLoad, Hit) == 0 || seen.of(OpLoad, Damaged) > 0 {
				t.Errorf("outcomes: %v", seen.n)
			}
			t.Logf("outcomes: %v", seen.n)
		})
	}
}

// afflicted makes Redis ill now and then.
type afflicted struct {
	memory.Backend

	strike func(call int)
	mu     sync.Mutex
	calls  int
}

func (a *afflicted) count() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls++
	a.strike(a.calls)
}

func (a *afflicted) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	a.count()
	return a.Backend.Load(ctx, key, opts)
}

func (a *afflicted) Commit(ctx context.Context, d *memory.Delta) error {
	a.count()
	return a.Backend.Commit(ctx, d)
}

func (a *afflicted) Delete(ctx context.Context, key memory.Key) error {
	a.count()
	return a.Backend.Delete(ctx, key)
}

func (a *afflicted) Prune(ctx context.Context, before time.Time) (int, error) {
	a.count()
	return a.Backend.Prune(ctx, before)
}

func (a *afflicted) Import(ctx context.Context, r io.Reader) (int, error) {
	a.count()
	return a.Backend.Import(ctx, r)
}
