package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// secrets collects, by redacted param, all known values of a session.
type secrets struct {
	redactor *telemetry.Redactor
	values   map[string]any // lists
	seen     map[string]bool
	bytes    int64 // of what seen holds

	damaged bool // there is a damaged message or call
}

func newSecrets(r *telemetry.Redactor) *secrets {
	return &secrets{redactor: r, values: map[string]any{}, seen: map[string]bool{}}
}

// clone returns a copy that can be extended.
func (s *secrets) clone() *secrets {
	c := &secrets{
		redactor: s.redactor, values: make(map[string]any, len(s.values)), seen: maps.Clone(s.seen), bytes: s.bytes,
		damaged: s.damaged,
	}
	for param, list := range s.values {
		c.values[param] = slices.Clone(list.([]any))
	}
	return c
}

// turns reads the turns after one, of all, and returns the number of the last. memory.ErrCorrupt: one of them
// cannot be read, and what it had to hide is not known.
func (s *secrets) turns(ctx context.Context, store memory.Reader, key memory.Key, after, all int64) (last int64, err error) {
	last = after
	err = memory.EachTurn(ctx, store, key, memory.Page{After: after, Inactive: true}, func(t *memory.Turn) error {
		if t.Number != last+1 {
			return lostTurn(last + 1)
		}
		s.turn(t)
		last = t.Number
		return nil
	})
	if err == nil && last < all {
		err = lostTurn(last + 1)
	}
	return last, err
}

func lostTurn(number int64) error {
	return fmt.Errorf("%w: turn %d cannot be read", memory.ErrCorrupt, number)
}

// messages reads the messages after one, and returns the number of the last.
func (s *secrets) messages(ctx context.Context, store memory.Reader, key memory.Key, after int64) (last int64, err error) {
	last = after
	err = memory.EachMessage(ctx, store, key, memory.Page{After: after, Inactive: true}, func(m *memory.Message) error {
		s.damaged = s.damaged || m.Damaged()
		s.message(m)
		last = m.Seq
		return nil
	})
	return last, err
}

func (s *secrets) steps(ctx context.Context, store memory.Reader, key memory.Key) error {
	list, err := store.Steps(ctx, key)
	for i := range list {
		s.call(list[i].Tool, list[i].Args)
	}
	if errors.Is(err, memory.ErrCorrupt) { // what it was called with, the turn's state knows, too
		s.damaged, err = true, nil
	}
	return err
}

func (s *secrets) state(st *memory.State) {
	s.params(st.Params)
	// A plan of a newer version is not shown either.
	if plan, err := planner.Load(st.PlanExecution, nil); err == nil {
		plan.EachValue(s.add)
	}
}

// turn adds the values in a turn's reply: its params, the options for a param, and unheard parts
// that could be a value.
func (s *secrets) turn(t *memory.Turn) {
	if t.Snapshot != nil {
		s.state(&t.Snapshot.State)
	}
	var reply struct {
		Params  map[string]any
		Options []planner.Suggestion
		Unheard []struct{ Text, Param string }
	}
	if json.Unmarshal(t.Response, &reply) != nil {
		return
	}
	s.params(reply.Params)
	for _, o := range reply.Options {
		s.add(o.Param, o.Text)
	}
	for _, u := range reply.Unheard {
		s.add(u.Param, u.Text)
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
		planner.EachField(v, s.add)
	}
}

func (s *secrets) params(params map[string]any) {
	for name, v := range params {
		s.add(name, v)
		planner.EachField(v, s.add)
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
	s.bytes += int64(len(id))
	list, _ := s.values[param].([]any)
	s.values[param] = append(list, v)
}
