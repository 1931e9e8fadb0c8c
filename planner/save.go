package planner

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
)

// formVersion is the version of the stored form. A later one is refused, so that an old
// binary never overwrites what it cannot read.
const formVersion = 1

// ErrForm is returned by Load for a plan that this version cannot read.
var ErrForm = errors.New("stored plan has an unknown form")

type stored struct {
	V int `json:"v"`
	State
}

// Save returns the state as JSON. The values of the session's and the active frame's params are not
// in it: the session stores them.
func (t *Turn) Save() (json.RawMessage, error) {
	s := stored{V: formVersion, State: *t.State}
	s.Session, s.Left, s.Version = bare(s.Session), t.Number, ""
	spoken := s.Declined != nil || s.Ended != nil || s.Offered != nil || len(s.Recent)+len(s.Halves) > 0 || s.Open != nil && s.Open.Brought != nil
	if s.Active == nil && (spoken || len(s.Session)+len(s.Suspended) > 0) {
		s.Version = t.Version // an active frame has its own
	}
	if s.Active != nil {
		f := *s.Active
		f.Params = bare(f.Params)
		s.Active = &f
	}
	data, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("save plan: %w", errors.New("a value is not JSON"))
	}
	return data, nil
}

func bare(cells map[string]*paramCell) map[string]*paramCell {
	if len(cells) == 0 {
		return nil
	}
	out := make(map[string]*paramCell, len(cells))
	for name, c := range cells {
		b := *c
		b.Value = nil
		out[name] = &b
	}
	return out
}

// Load rebuilds a state from the result of Save and the session's params. Params that the plan does
// not know become session params; params that the session no longer has are dropped.
func Load(plan json.RawMessage, params map[string]any) (*State, error) {
	if len(plan) == 0 {
		st := New()
		st.fill(params)
		return st, nil
	}
	var s stored
	if err := json.Unmarshal(plan, &s); err != nil {
		return nil, fmt.Errorf("%w: not readable", ErrForm)
	}
	if s.V != formVersion {
		return nil, fmt.Errorf("%w: version %d, this program reads %d", ErrForm, s.V, formVersion)
	}
	st := &s.State
	if st.Left == 0 {
		st.Left = unnoted
	}
	if st.Active != nil {
		st.Version = st.Active.Version
	}
	if st.Session == nil {
		st.Session = map[string]*paramCell{}
	}
	st.fill(params)
	return st, nil
}

// fill gives the params of a state their values.
func (st *State) fill(params map[string]any) {
	if len(params)+len(st.Session) == 0 && (st.Active == nil || len(st.Active.Params) == 0) {
		return
	}
	rest := make(map[string]any, len(params))
	maps.Copy(rest, params)
	if st.Active != nil {
		take(st.Active.Params, rest)
	}
	take(st.Session, rest)
	for name, v := range rest {
		st.Session[name] = &paramCell{Value: v}
	}
}

// unnoted is the turn of a state that was saved by a release which did not store it.
const unnoted = -1

// Stands returns the number of the turn that left the state: 0 if there was none, or all were
// cleared or undone. turns is the number of the session's turns, for a state that was saved without
// it.
func (st *State) Stands(turns int64) int64 {
	if st.Left == unnoted {
		return turns
	}
	return st.Left
}

// Answers reports whether a message can answer what the user has last seen: the turn that left the state,
// or one before it if nothing was said since. turns is as for Stands.
func (st *State) Answers(turn, turns int64) bool {
	newest := st.Stands(turns)
	return turn == newest || st.Quiet > 0 && turn >= st.Quiet-1 && turn < newest
}

// Told notes whether the turn has said something to the user.
func (t *Turn) Told(anything bool) {
	switch {
	case anything:
		t.Quiet = 0
	case t.Quiet == 0:
		t.Quiet = t.Number
	}
}

// take moves values into their cells and drops the cells without a value.
func take(cells map[string]*paramCell, values map[string]any) {
	for name, c := range cells {
		v, ok := values[name]
		if !ok {
			delete(cells, name)
			continue
		}
		c.Value = v
		delete(values, name)
	}
}
