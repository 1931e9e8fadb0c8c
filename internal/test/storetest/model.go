package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/memory"
)

// machine runs random commands against a store and against the simplest model of a
// session: lists. Several sessions are interleaved; each command may work on a snapshot
// that was loaded earlier, so that stale writes occur.
type machine struct {
	store memory.Backend
	keys  []memory.Key
	model map[memory.Key]*simple
	stale map[memory.Key]*memory.Snapshot
	n     int
}

type simple struct {
	version, epoch, floor int64
	messages              []memory.Message
	turns                 []memory.Turn
	open                  []string
	known                 []string // idempotency keys
	params                map[string]any
}

func model(s *suite) {
	runs := 0
	rapid.Check(s.T, func(t *rapid.T) {
		runs++
		m := &machine{store: s.Backend, model: map[memory.Key]*simple{}, stale: map[memory.Key]*memory.Snapshot{}}
		for i := range 3 {
			m.keys = append(m.keys, memory.Key{UserID: fmt.Sprint("run", runs), AgentID: "a", SessionID: fmt.Sprint(i)})
		}
		t.Repeat(map[string]func(*rapid.T){
			"load":   m.load,
			"commit": m.commit,
			"start":  m.start,
			"delete": m.delete,
			"move":   m.move,
			"":       m.check,
		})
	})
}

func (m *machine) key(t *rapid.T) memory.Key { return rapid.SampledFrom(m.keys).Draw(t, "key") }

func (m *machine) of(key memory.Key) *simple {
	if m.model[key] == nil {
		m.model[key] = &simple{floor: 1, params: map[string]any{}}
	}
	return m.model[key]
}

// load keeps a snapshot for later commands.
func (m *machine) load(t *rapid.T) {
	key := m.key(t)
	snap, err := m.store.Load(t.Context(), key, memory.LoadOptions{Recent: rapid.IntRange(0, 9).Draw(t, "recent")})
	if err != nil {
		t.Fatal(err)
	}
	m.stale[key] = snap
}

func (m *machine) snapshot(t *rapid.T, key memory.Key) *memory.Snapshot {
	if snap := m.stale[key]; snap != nil && rapid.Bool().Draw(t, "stale") {
		return snap
	}
	snap, err := m.store.Load(t.Context(), key, memory.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

func (m *machine) delta(t *rapid.T, snap *memory.Snapshot) *memory.Delta {
	m.n++
	d := &memory.Delta{Key: snap.Key, Base: snap.State.Version, At: t0, Clear: rapid.IntRange(0, 5).Draw(t, "clear") == 0}
	for i := range rapid.Int64Range(0, 3).Draw(t, "messages") {
		d.Messages = append(d.Messages, memory.Message{
			Seq: snap.NextSeq + i, Turn: snap.Turns + 1, Role: memory.User, Text: rapid.String().Draw(t, "text"), Timestamp: t0,
		})
	}
	d.Floor = rapid.Int64Range(0, snap.NextSeq).Draw(t, "floor")
	d.State.Params = map[string]any{"n": float64(m.n)}
	if rapid.Bool().Draw(t, "turn") {
		d.Turn = &memory.Turn{Number: snap.Turns + 1, RequestID: fmt.Sprint("r", m.n), At: t0}
	}
	for _, k := range snap.OpenSteps {
		if rapid.Bool().Draw(t, "finish") {
			d.Steps = append(d.Steps, memory.Step{IdempotencyKey: k.IdempotencyKey, Status: memory.StepDone})
		}
	}
	return d
}

func (m *machine) commit(t *rapid.T) {
	key := m.key(t)
	d := m.delta(t, m.snapshot(t, key))
	s := m.of(key)
	err := m.store.Commit(t.Context(), d)
	if d.Base != s.version {
		if !errors.Is(err, memory.ErrConflict) {
			t.Fatalf("commit on base %d at version %d: %v", d.Base, s.version, err)
		}
		return
	}
	// A session that was deleted and begun again can be at the same version with other
	// counters: such a delta does not fit.
	if misfit := (len(d.Messages) > 0 && d.Messages[0].Seq != int64(len(s.messages))+1) ||
		(d.Turn != nil && d.Turn.Number != int64(len(s.turns))+1) || d.Floor > int64(len(s.messages)+len(d.Messages))+1; misfit {
		if !errors.Is(err, memory.ErrBadDelta) {
			t.Fatalf("a delta that does not fit: %v", err)
		}
		return
	}
	if err != nil {
		t.Fatalf("commit on base %d: %v", d.Base, err)
	}
	s.apply(d)
}

func (s *simple) apply(d *memory.Delta) {
	s.version++
	if d.Clear {
		s.epoch++
		s.floor = int64(len(s.messages)) + 1
	}
	s.floor = max(s.floor, d.Floor)
	s.messages = append(s.messages, d.Messages...)
	s.params = d.State.Params
	if d.Turn != nil {
		s.turns = append(s.turns, *d.Turn)
	}
	for _, step := range d.Steps {
		s.open = slices.DeleteFunc(s.open, func(k string) bool { return k == step.IdempotencyKey })
		if !slices.Contains(s.known, step.IdempotencyKey) {
			s.known = append(s.known, step.IdempotencyKey)
		}
	}
}

func (m *machine) start(t *rapid.T) {
	key := m.key(t)
	snap, s := m.snapshot(t, key), m.of(key)
	name := rapid.SampledFrom([]string{"k1", "k2", "k3", "k4"}).Draw(t, "idempotency key")
	err := m.store.Start(t.Context(), key, snap.State.Version, step(name))
	switch {
	case snap.State.Version != s.version:
		if !errors.Is(err, memory.ErrConflict) {
			t.Fatalf("start on base %d at version %d: %v", snap.State.Version, s.version, err)
		}
	case slices.Contains(s.known, name):
		if !errors.Is(err, memory.ErrStarted) {
			t.Fatalf("start again: %v", err)
		}
	case err != nil:
		t.Fatalf("start: %v", err)
	default:
		s.open, s.known = append(s.open, name), append(s.known, name)
	}
}

func (m *machine) delete(t *rapid.T) {
	key := m.key(t)
	s := m.of(key)
	err := m.store.Delete(t.Context(), key)
	if exists := s.version > 0 || len(s.known) > 0; exists != (err == nil) {
		t.Fatalf("delete of a session at version %d: %v", s.version, err)
	}
	delete(m.model, key)
}

// move exports a session, deletes it and brings it back.
func (m *machine) move(t *rapid.T) {
	key := m.key(t)
	var b bytes.Buffer
	if err := m.store.Export(t.Context(), key, &b); err != nil {
		if m.of(key).version > 0 {
			t.Fatal(err)
		}
		return
	}
	if err := m.store.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if n, err := m.store.Import(t.Context(), &b); n != 1 || err != nil {
		t.Fatalf("import = %d, %v", n, err)
	}
}

// check compares all sessions with the model after every command.
func (m *machine) check(t *rapid.T) {
	for _, key := range m.keys {
		s := m.of(key)
		recent := rapid.IntRange(0, 9).Draw(t, "recent")
		request := ""
		if len(s.turns) > 0 {
			request = rapid.SampledFrom(s.turns).Draw(t, "request").RequestID
		}
		snap, err := m.store.Load(t.Context(), key, memory.LoadOptions{
			Recent: recent, RequestID: request, Fresh: rapid.Bool().Draw(t, "fresh"),
		})
		if err != nil {
			t.Fatal(err)
		}
		active := s.messages[s.floor-1:]
		var open []string
		for _, step := range snap.OpenSteps {
			open = append(open, step.IdempotencyKey)
		}
		got := []any{
			snap.State.Version, snap.Epoch, snap.Turns, snap.History(), snap.NextSeq, snap.State.Params,
			slices.Concat(snap.Recent), slices.Concat(open), snap.Replay != nil,
		}
		want := []any{
			s.version, s.epoch, int64(len(s.turns)), int64(len(active)), int64(len(s.messages)) + 1, s.params,
			slices.Concat(active[max(0, len(active)-recent):]), slices.Concat(s.open), request != "",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("session %s (-model +store):\n%s", key.SessionID, diff)
		}
	}
}
