package seal_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/seal"
	"github.com/slotway/slotway/memory/sqlite"
	"github.com/slotway/slotway/memory/transfer"
)

// heap watches how much the heap has, looked at with every so many bytes.
type heap struct {
	base, most uint64
	since      int
}

func newHeap() *heap {
	runtime.GC()
	h := &heap{}
	h.base = h.now()
	return h
}

func (*heap) now() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func (h *heap) Write(p []byte) (int, error) {
	if h.since += len(p); h.since > 256<<10 {
		h.since = 0
		h.most = max(h.most, h.now())
	}
	return len(p), nil
}

func (h *heap) report(b *testing.B) {
	b.ReportMetric(float64(h.most-min(h.base, h.most))/(1<<20), "peak-MB")
}

// conversation writes an export of a session with so many messages, two a turn.
func conversation(w io.Writer, messages int) error {
	out, at := transfer.NewWriter(w), memory.Moment(time.Now())
	turns := int64(messages / 2)
	counters := memory.Counters{Version: turns, NextSeq: int64(messages) + 1, Floor: 1, Turns: turns}
	state := memory.State{Params: map[string]any{"order_id": "O-12345"}, PlanExecution: []byte(`{"v":1}`)}
	err := out.Header(&transfer.Header{Key: ada, Counters: counters, CreatedAt: at, UpdatedAt: at})
	if err == nil {
		err = out.State(&state)
	}
	for i := int64(1); err == nil && i <= int64(messages); i++ {
		err = out.Message(&memory.Message{
			Seq: i, Turn: (i + 1) / 2, Timestamp: at, Tokens: 9,
			Role: []memory.Role{memory.Agent, memory.User}[i%2], Text: fmt.Sprintf("message %d: where is my order, and when will it be here?", i),
		})
	}
	for n := int64(1); err == nil && n <= turns; n++ {
		past := memory.TurnSnapshot{Counters: memory.Counters{Version: n, NextSeq: 2*n + 1, Floor: 1, Turns: n}, State: state.Clone()}
		past.State.Version = n
		err = out.Turn(&memory.Turn{
			RequestID: fmt.Sprintf("r-%d", n), Number: n, Intent: "track", Outcome: "responded", At: at, Snapshot: &past,
			Response: []byte(`{"reply":"It is on its way and will be there on Friday."}`),
		})
	}
	if err != nil {
		return err
	}
	return out.End()
}

// BenchmarkLongSession takes a session of 100,000 messages in, gives it out, and copies it to
// another store; both are encrypted, in SQLite. peak-MB is the most that the heap had above what
// it had before, garbage included.
func BenchmarkLongSession(b *testing.B) {
	const messages = 100_000
	open := func(b *testing.B, name string) memory.Backend {
		inner, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), name), nil)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = inner.Close() })
		k, err := seal.ParseKeys(strings.Repeat("5c", 32))
		if err != nil {
			b.Fatal(err)
		}
		return seal.New(inner, k)
	}
	fill := func(b *testing.B, store memory.Backend, watch io.Writer) {
		if err := transfer.Pipe(nil, func(_ io.Reader, w io.Writer) error {
			return conversation(io.MultiWriter(w, watch), messages)
		}, func(r io.Reader) error {
			n, err := store.Import(b.Context(), r)
			if err == nil && n != 1 {
				err = fmt.Errorf("%d sessions were imported", n)
			}
			return err
		}); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("import", func(b *testing.B) {
		var h *heap
		for i := range b.N {
			store := open(b, fmt.Sprint(i, ".db"))
			h = newHeap()
			done := make(chan struct{})
			stop := make(chan struct{})
			go func() { // most of the work comes after the last byte was read
				defer close(done)
				for {
					select {
					case <-stop:
						return
					case <-time.After(time.Millisecond):
						h.most = max(h.most, h.now())
					}
				}
			}()
			fill(b, store, io.Discard)
			close(stop)
			<-done
		}
		h.report(b)
	})
	b.Run("export", func(b *testing.B) {
		store := open(b, "memory.db")
		fill(b, store, io.Discard)
		h := newHeap()
		for b.Loop() {
			if err := store.Export(b.Context(), ada, h); err != nil {
				b.Fatal(err)
			}
		}
		h.report(b)
	})
	b.Run("copy", func(b *testing.B) {
		store := open(b, "memory.db")
		fill(b, store, io.Discard)
		h := newHeap()
		for i := range b.N {
			target := open(b, fmt.Sprint("copy-", i, ".db"))
			if r, err := transfer.Copy(b.Context(), watched{store, h}, target, nil); err != nil || r.Messages != messages {
				b.Fatal(r, err)
			}
		}
		h.report(b)
	})
}

// watched is a store whose exports are watched.
type watched struct {
	memory.Backend
	by io.Writer
}

func (w watched) Export(ctx context.Context, key memory.Key, out io.Writer) error {
	return w.Backend.Export(ctx, key, io.MultiWriter(out, w.by))
}
