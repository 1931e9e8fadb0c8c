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
	V         int              `json:"v"`
	Active    *Frame           `json:"active,omitempty"`
	Suspended []*Frame         `json:"suspended,omitempty"`
	Session   map[string]*Cell `json:"session,omitempty"`
	Open      *Question        `json:"open,omitempty"`
	Unclear   int              `json:"unclear,omitempty"`
	Last      string           `json:"last,omitempty"`
	Said      map[string]int   `json:"said,omitempty"`
	Ended     *Ended           `json:"ended,omitempty"`
	Declined  *Declined        `json:"declined,omitempty"`
	Offered   *Offered         `json:"offered,omitempty"`
	Recent    map[string]any   `json:"recent,omitempty"`
	Halves    map[string]any   `json:"halves,omitempty"`
	Version   string           `json:"version,omitempty"` // of a state without an active frame, which has its own
	Turn      int64            `json:"turn,omitempty"`    // that left the state like this
}

// Save returns the state as JSON. The values of the session's and the active frame's
// params are not in it: they are the session's params, and are stored once, there.
func (st *State) Save() (json.RawMessage, error) {
	s := stored{
		V: formVersion, Suspended: st.Suspended, Session: bare(st.Session), Open: st.Open, Unclear: st.Unclear, Last: st.Last, Said: st.Said, Turn: st.Turn,
		Ended: st.Ended, Declined: st.Declined, Offered: st.Offered, Recent: st.Recent, Halves: st.Halves,
	}
	spoken := st.Declined != nil || st.Ended != nil || st.Offered != nil || len(st.Recent)+len(st.Halves) > 0
	if st.Active == nil && (spoken || len(st.Session)+len(st.Suspended) > 0) {
		s.Version = st.Version
	}
	if st.Active != nil {
		f := *st.Active
		f.Params = bare(f.Params)
		s.Active = &f
	}
	data, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("save plan: %w", errors.New("a value is not JSON"))
	}
	return data, nil
}

func bare(cells map[string]*Cell) map[string]*Cell {
	if len(cells) == 0 {
		return nil
	}
	out := make(map[string]*Cell, len(cells))
	for name, c := range cells {
		b := *c
		b.Value = nil
		out[name] = &b
	}
	return out
}

// Load rebuilds a state from what Save returned and the session's params. Params that
// the plan has not heard of are taken as session params; those that are gone from the
// session are gone from the plan.
func Load(plan json.RawMessage, params map[string]any) (*State, error) {
	st := New()
	if len(plan) > 0 {
		var s stored
		if err := json.Unmarshal(plan, &s); err != nil {
			return nil, fmt.Errorf("%w: not readable", ErrForm)
		}
		if s.V != formVersion {
			return nil, fmt.Errorf("%w: version %d, this program reads %d", ErrForm, s.V, formVersion)
		}
		st.Active, st.Suspended, st.Open, st.Unclear, st.Last = s.Active, s.Suspended, s.Open, s.Unclear, s.Last
		if st.left = s.Turn; s.Turn == 0 {
			st.left = unnoted
		}
		if st.Version = s.Version; s.Active != nil {
			st.Version = s.Active.Version
		}
		st.Ended, st.Declined, st.Offered, st.Recent, st.Halves = s.Ended, s.Declined, s.Offered, s.Recent, s.Halves
		if s.Session != nil {
			st.Session = s.Session
		}
		if s.Said != nil {
			st.Said = s.Said
		}
	}
	rest := make(map[string]any, len(params))
	maps.Copy(rest, params)
	if st.Active != nil {
		take(st.Active.Params, rest)
	}
	take(st.Session, rest)
	for name, v := range rest {
		st.Session[name] = &Cell{Value: v}
	}
	return st, nil
}

// unnoted is the turn of a state that a release which did not note it has saved.
const unnoted = -1

// Stands is the number of the turn that left the state as it was loaded: 0 where nothing was
// said yet, or all of it was cleared or taken back. A turn that was taken back is not it. turns
// is how many turns the session has had, for a state of a release that did not note its own.
func (st *State) Stands(turns int64) int64 {
	if st.left == unnoted {
		return turns
	}
	return st.left
}

// take moves values into their cells and drops the cells without one.
func take(cells map[string]*Cell, values map[string]any) {
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
