package openai

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
)

// counted is a store that counts what it is asked, and can be made to wait.
type counted struct {
	memory.Backend
	reads atomic.Int64
	most  atomic.Int64                    // views that one query gave
	pause func(ctx context.Context) error // before views are read; nil: nothing
}

func (c *counted) Load(ctx context.Context, key memory.Key, o memory.LoadOptions) (*memory.Snapshot, error) {
	c.reads.Add(1)
	return c.Backend.Load(ctx, key, o)
}

func (c *counted) Turns(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Turn, error) {
	c.reads.Add(1)
	return c.Backend.Turns(ctx, key, page)
}

func (c *counted) Steps(ctx context.Context, key memory.Key) ([]memory.Step, error) {
	c.reads.Add(1)
	return c.Backend.Steps(ctx, key)
}

func (c *counted) Views(ctx context.Context, q memory.ViewQuery) ([]memory.View, error) {
	c.reads.Add(1)
	if c.pause != nil {
		if err := c.pause(ctx); err != nil {
			return nil, err
		}
	}
	views, err := c.Backend.Views(ctx, q)
	if n := int64(len(views)); n > c.most.Load() {
		c.most.Store(n)
	}
	return views, err
}

// long is a history of so many messages that all say the same.
func long(n int, roles ...string) string {
	list := make([]map[string]string, n)
	for i := range list {
		list[i] = map[string]string{"role": roles[i%len(roles)], "content": "a"}
	}
	list[n-1]["role"] = user
	data, err := json.Marshal(map[string]any{"messages": list})
	if err != nil {
		panic(err)
	}
	return string(data)
}

// What a history costs does not grow with its length, nor with how many conversations went
// alike: not what the store is asked, not what is read at once, not the memory taken.
func TestALongHistoryCostsLittle(t *testing.T) {
	for name, body := range map[string]string{
		"nothing was answered": long(1800, user),
		"one answer":           long(1800, assistant),
		"taking turns":         long(1800, user, assistant),
		"many began alike":     history("price I-1", "One I-1 costs ten.", "blah"),
		"and were not answered": `{"messages":[` + strings.Repeat(`{"role":"user","content":"price I-1"},`, 8) +
			`{"role":"user","content":"blah"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			if len(body) > 64<<10 {
				t.Fatalf("the body has %d bytes", len(body))
			}
			store := &counted{Backend: inmem.New(nil)}
			w := newFixtureOver(t, store, router.Options{})
			for range 40 {
				w.complete("price I-1")
				w.pass(again)
			}
			store.reads.Store(0)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			read[told](t, w.send("POST", "/v1/chat/completions", body), http.StatusOK)
			runtime.ReadMemStats(&after)
			if n := store.reads.Load(); n > 64 {
				t.Errorf("the store was read %d times", n)
			}
			if n := store.most.Load(); n > maxAlike {
				t.Errorf("%d views were read at once", n)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
				t.Errorf("%d bytes were allocated for a body of %d", n, len(body))
			}
		})
	}
}

// A turn that nobody waits for is not begun: who hangs up while its session is looked for
// ends the look-up.
func TestHangingUpEndsTheLookUp(t *testing.T) {
	store := &counted{Backend: inmem.New(nil)}
	w := newFixtureOver(t, store, router.Options{})
	w.complete("buy I-7")
	ctx, hangUp := context.WithCancel(t.Context())
	var seen error
	store.pause = func(ctx context.Context) error {
		hangUp()
		seen = ctx.Err()
		return seen
	}
	r := httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(history("buy I-7", "Order I-7?", "yes"))).WithContext(ctx)
	r.Header.Set("Authorization", "ann")
	r.Header.Set("Content-Type", "application/json")
	w.api.ServeHTTP(httptest.NewRecorder(), r)
	if !errors.Is(seen, context.Canceled) || len(w.purchases()) > 0 {
		t.Errorf("the look-up saw %v, and %v was bought", seen, w.purchases())
	}
	store.pause = nil
	if got := w.complete("buy I-7", "Order I-7?", "yes"); got.text() != "You have bought I-7." {
		t.Errorf("the same again: %+v", got)
	}
}

// A look-up takes one of the places for turns under way.
func TestALookUpCountsAsUnderWay(t *testing.T) {
	store := &counted{Backend: inmem.New(nil)}
	w := newFixtureOver(t, store, router.Options{})
	w.complete("buy I-7")
	w.api = httpapi.New(fails{}, &httpapi.Options{Access: byHeader{}, Agent: w.adapter.opts.Agent, Adapters: []httpapi.Adapter{w.adapter}, MaxInFlight: 1})
	var second *http.Response
	store.pause = func(context.Context) error {
		store.pause = nil
		second = w.send("POST", "/v1/chat/completions", history("buy I-7", "Order I-7?", "yes"))
		return memory.ErrUnavailable
	}
	w.send("POST", "/v1/chat/completions", history("buy I-7", "Order I-7?", "no"))
	if got := read[map[string]*apiError](t, second, http.StatusServiceUnavailable)["error"]; *got.Code != "overloaded" {
		t.Errorf("the second, while the first is looked for: %+v", got)
	}
}

// fails is a router that runs nothing.
type fails struct{}

func (fails) Handle(context.Context, router.Interaction) (router.Reply, error) {
	return router.Reply{}, errors.New("no turn was to be run")
}
