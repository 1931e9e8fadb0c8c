package encrypted_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/encrypted"
	"github.com/slotway/slotway/memory/inmem"
)

// forged is a store whose rows somebody has changed who has no key.
type forged struct {
	memory.Backend
	snapshot func(*memory.Snapshot)
	turn     func(*memory.Turn)
	step     func(*memory.Step)
	view     func(*memory.View)
}

func (f *forged) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	snap, err := f.Backend.Load(ctx, key, opts)
	if err == nil && f.snapshot != nil {
		f.snapshot(snap)
	}
	return snap, err
}

func (f *forged) Turns(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Turn, error) {
	list, err := f.Backend.Turns(ctx, key, page)
	for i := range list {
		if f.turn != nil {
			f.turn(&list[i])
		}
	}
	return list, err
}

func (f *forged) Steps(ctx context.Context, key memory.Key) ([]memory.Step, error) {
	list, err := f.Backend.Steps(ctx, key)
	for i := range list {
		if f.step != nil {
			f.step(&list[i])
		}
	}
	return list, err
}

func (f *forged) Views(ctx context.Context, q memory.ViewQuery) ([]memory.View, error) {
	list, err := f.Backend.Views(ctx, q)
	for i := range list {
		if f.view != nil {
			f.view(&list[i])
		}
	}
	return list, err
}

// more commits another turn.
func more(t *testing.T, store memory.Backend) {
	t.Helper()
	s, err := memory.NewConversations(store, 10).ForSession(t.Context(), ada)
	if err != nil {
		t.Fatal(err)
	}
	s.Append(memory.Message{Role: memory.User, Text: "more", Timestamp: time.Now()})
	s.Merge(map[string]any{"q": "later"})
	s.RecordTurn(memory.Turn{RequestID: "r2"})
	if err := s.Commit(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
}

// Whoever can write the file, and has no key, makes no row that is taken: not with plain values,
// not with values of another row or of another moment, not by changing what of
// a row is readable.
func TestForgedRows(t *testing.T) {
	inner := inmem.New(nil)
	f := &forged{Backend: inner}
	store := encrypted.New(f, keys(t, newKey))
	fill(t, store)
	before, err := inner.Load(t.Context(), ada, memory.LoadOptions{Recent: 5})
	if err != nil {
		t.Fatal(err)
	}
	more(t, store)
	turns, err := inner.Turns(t.Context(), ada, memory.Page{})
	if err != nil || len(turns) != 2 {
		t.Fatal(len(turns), err)
	}
	load := func() error {
		_, err := store.Load(t.Context(), ada, memory.LoadOptions{Recent: 5, RequestID: "r2"})
		return err
	}
	read := func() error { _, err := store.Turns(t.Context(), ada, memory.Page{}); return err }
	journal := func() error { _, err := store.Steps(t.Context(), ada); return err }
	for name, c := range map[string]struct {
		forge func(*forged)
		do    func() error
		want  error
	}{
		"a plain state":       {snapshot(func(s *memory.Snapshot) { s.State.Params = map[string]any{"p": "x"} }), load, encrypted.ErrUnencrypted},
		"an empty state":      {snapshot(func(s *memory.Snapshot) { s.State.Params = map[string]any{} }), load, encrypted.ErrUnencrypted},
		"a plain plan":        {snapshot(func(s *memory.Snapshot) { s.State.Params, s.State.PlanExecution = nil, []byte(`{"v":1}`) }), load, encrypted.ErrUnencrypted},
		"an older state":      {snapshot(func(s *memory.Snapshot) { s.State.Params = before.State.Params }), load, encrypted.ErrTampered},
		"as of its version":   {snapshot(func(s *memory.Snapshot) { s.State = before.State }), load, encrypted.ErrTampered},
		"what is waited for":  {snapshot(func(s *memory.Snapshot) { s.State.WaitingForParam = "x" }), load, encrypted.ErrTampered},
		"the last intent":     {snapshot(func(s *memory.Snapshot) { s.State.LastIntentID = "x" }), load, encrypted.ErrTampered},
		"fewer messages":      {snapshot(func(s *memory.Snapshot) { s.NextSeq-- }), load, encrypted.ErrTampered},
		"fewer turns":         {snapshot(func(s *memory.Snapshot) { s.Turns-- }), load, encrypted.ErrTampered},
		"used a moment ago":   {snapshot(func(s *memory.Snapshot) { s.UpdatedAt = s.UpdatedAt.Add(time.Hour) }), load, encrypted.ErrTampered},
		"a plain message":     {snapshot(func(s *memory.Snapshot) { s.Recent[0].Text = "yes" }), load, encrypted.ErrUnencrypted},
		"no message":          {snapshot(func(s *memory.Snapshot) { s.Recent[0].Text = "" }), load, encrypted.ErrUnencrypted},
		"another role":        {snapshot(func(s *memory.Snapshot) { s.Recent[0].Role = memory.Agent }), load, encrypted.ErrTampered},
		"another time":        {snapshot(func(s *memory.Snapshot) { s.Recent[0].Timestamp = time.Now() }), load, encrypted.ErrTampered},
		"messages swapped":    {snapshot(func(s *memory.Snapshot) { s.Recent[0].Text, s.Recent[1].Text = s.Recent[1].Text, s.Recent[0].Text }), load, encrypted.ErrTampered},
		"another request":     {snapshot(func(s *memory.Snapshot) { s.Replay.RequestID = "other" }), load, encrypted.ErrTampered},
		"replies swapped":     {snapshot(func(s *memory.Snapshot) { s.Replay.Response = turns[0].Response }), load, encrypted.ErrTampered},
		"a plain reply":       {func(f *forged) { f.turn = func(u *memory.Turn) { u.Response = []byte(`{}`) } }, read, encrypted.ErrUnencrypted},
		"pasts swapped":       {func(f *forged) { f.turn = func(u *memory.Turn) { u.Snapshot.State = turns[0].Snapshot.State } }, read, encrypted.ErrTampered},
		"another number":      {func(f *forged) { f.turn = func(u *memory.Turn) { u.Number += 7 } }, read, encrypted.ErrTampered},
		"a call that failed":  {func(f *forged) { f.step = func(s *memory.Step) { s.Status = memory.StepFailed } }, journal, encrypted.ErrTampered},
		"another tool":        {func(f *forged) { f.step = func(s *memory.Step) { s.Tool = "refund" } }, journal, encrypted.ErrTampered},
		"plain arguments":     {func(f *forged) { f.step = func(s *memory.Step) { s.Args = []byte(`{}`) } }, journal, encrypted.ErrUnencrypted},
		"another call's name": {func(f *forged) { f.step = func(s *memory.Step) { s.IdempotencyKey = "k2" } }, journal, encrypted.ErrTampered},
	} {
		t.Run(name, func(t *testing.T) {
			if err := c.do(); err != nil {
				t.Fatalf("as it was written: %v", err)
			}
			c.forge(f)
			err := c.do()
			if *f = (forged{Backend: inner}); !errors.Is(err, c.want) || !errors.Is(err, memory.ErrCorrupt) {
				t.Errorf("error %v, want %v", err, c.want)
			}
		})
	}
}

func snapshot(change func(*memory.Snapshot)) func(*forged) {
	return func(f *forged) { f.snapshot = change }
}

// A view that does not open is as one that is not there: it can be made again, and the views of
// other sessions are read.
func TestForgedViews(t *testing.T) {
	f := &forged{Backend: inmem.New(nil)}
	store := open(t, f, newKey)
	store.Report = func(key memory.Key, err error) {
		if key != ada || !errors.Is(err, encrypted.ErrTampered) {
			t.Errorf("reported: %v of %v", err, key)
		}
	}
	fill(t, store)
	f.view = func(v *memory.View) { v.UpTo++ }
	if views, err := store.Views(t.Context(), memory.ViewQuery{Tier: "summary"}); err != nil || len(views) != 0 {
		t.Errorf("views = %v, %v", views, err)
	}
}
