package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// secrets collects, by redacted param, every value that a session is known to have held.
type secrets struct {
	redactor *telemetry.Redactor
	values   map[string]any // lists
	seen     map[string]bool

	begun            time.Time // when the session that was read had been created; zero: none was
	version          int64     // of it
	turned, messaged int64     // the last turn and message that were read
}

func newSecrets(r *telemetry.Redactor) *secrets {
	return &secrets{redactor: r, values: map[string]any{}, seen: map[string]bool{}}
}

// gather reads a session's state, turns, journal and calls, page by page.
func gather(ctx context.Context, store memory.Store, key memory.Key, r *telemetry.Redactor) (*secrets, error) {
	s := newSecrets(r)
	return s, s.catchUp(ctx, store, key)
}

// catchUp reads what a session has come to hold since it was last read. One that was deleted
// and begun anew is read from its beginning; what is known of it stays known.
func (s *secrets) catchUp(ctx context.Context, store memory.Store, key memory.Key) error {
	if !s.redactor.HidesParams() {
		return nil
	}
	snap, err := store.Load(ctx, key, memory.LoadOptions{Fresh: true})
	if err != nil {
		return fmt.Errorf("look for redacted values: %w", err)
	}
	if snap.State.Version == 0 || s.version == snap.State.Version && s.begun.Equal(snap.CreatedAt) {
		return nil
	}
	first := !s.begun.Equal(snap.CreatedAt) || snap.State.Version < s.version
	if first {
		s.turned, s.messaged = 0, 0
	}
	s.state(&snap.State)
	for i := range snap.Unsettled {
		s.call(snap.Unsettled[i].Tool, snap.Unsettled[i].Args)
	}
	reads := []func(context.Context, memory.Store, memory.Key) error{s.turns, s.messages}
	if first { // a later call is in the turns' messages, or is unsettled
		reads = append(reads, s.steps)
	}
	for _, read := range reads {
		if err := read(ctx, store, key); err != nil && !errors.Is(err, memory.ErrNotFound) { // erased meanwhile
			return fmt.Errorf("look for redacted values: %w", err)
		}
	}
	s.begun, s.version = snap.CreatedAt, snap.State.Version
	return nil
}

func (s *secrets) turns(ctx context.Context, store memory.Store, key memory.Key) error {
	for {
		page, err := store.Turns(ctx, key, memory.Page{After: s.turned, Inactive: true})
		if err != nil || len(page) == 0 {
			return err
		}
		for i := range page {
			s.turn(&page[i])
		}
		s.turned = page[len(page)-1].Number
	}
}

func (s *secrets) messages(ctx context.Context, store memory.Store, key memory.Key) error {
	for {
		page, err := store.Messages(ctx, key, memory.Page{After: s.messaged, Inactive: true})
		if err != nil || len(page) == 0 {
			return err
		}
		for i := range page {
			s.message(&page[i])
		}
		s.messaged = page[len(page)-1].Seq
	}
}

func (s *secrets) steps(ctx context.Context, store memory.Store, key memory.Key) error {
	list, err := store.Steps(ctx, key)
	for i := range list {
		s.call(list[i].Tool, list[i].Args)
	}
	return err
}

// archive collects from a whole session that was read already.
func (s *secrets) archive(a *memory.Archive) {
	s.state(&a.State)
	for i := range a.Turns {
		s.turn(&a.Turns[i])
	}
	for i := range a.Messages {
		s.message(&a.Messages[i])
	}
	for i := range a.Steps {
		s.call(a.Steps[i].Tool, a.Steps[i].Args)
	}
}

func (s *secrets) state(st *memory.State) {
	s.params(st.Params)
	// A plan of a newer version is not shown either.
	if plan, err := planner.Load(st.PlanExecution, nil); err == nil {
		plan.EachValue(s.add)
	}
}

// turn also takes what the reply told of its params.
func (s *secrets) turn(t *memory.Turn) {
	if t.Past != nil {
		s.state(&t.Past.State)
	}
	var reply struct{ Params map[string]any }
	if json.Unmarshal(t.Response, &reply) == nil {
		s.params(reply.Params)
	}
}

func (s *secrets) message(m *memory.Message) {
	for i := range m.ToolCalls {
		s.call(m.ToolCalls[i].Tool, m.ToolCalls[i].Args)
	}
}

func (s *secrets) call(tool string, raw json.RawMessage) {
	var args map[string]any
	if json.Unmarshal(raw, &args) != nil {
		return
	}
	for name, v := range args {
		s.add(s.redactor.ArgParam(tool, name), v)
	}
}

func (s *secrets) params(params map[string]any) {
	for name, v := range params {
		s.add(name, v)
	}
}

// add keeps a value once.
func (s *secrets) add(param string, v any) {
	if v == nil || !s.redactor.Hides(param) {
		return
	}
	id := param + "\x00" + string(encode(v))
	if s.seen[id] {
		return
	}
	s.seen[id] = true
	list, _ := s.values[param].([]any)
	s.values[param] = append(list, v)
}
