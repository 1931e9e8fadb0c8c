package planner

import (
	"maps"
	"time"

	"github.com/slotway/slotway/config"
)

// endedTask is the task that was finished last. Follow-ups refer to it: "and O-2?", "did it work?",
// "undo that".
type endedTask struct {
	Intent  string                `json:"intent"`
	Turn    int64                 `json:"turn"` // of its end
	At      time.Time             `json:"at"`
	Outcome string                `json:"outcome"`
	Params  map[string]*paramCell `json:"params,omitempty"`
}

// The outcomes of a task. They are stored: append, never rename.
const (
	outcomeDone    = "done"    // carried out, with a write
	outcomeTold    = "told"    // carried out without a write
	outcomeFailed  = "failed"  // a call failed for certain
	outcomeUnknown = "unknown" // the outcome of a write is unknown
)

// lately returns the task that was finished a few turns ago, or nil.
func (r *interpreter) lately() (*endedTask, *config.Intent) {
	e := r.st.Ended
	if e == nil || r.st.Number-e.Turn > followFor || r.def.Intent(e.Intent) == nil {
		return nil, nil
	}
	return e, r.def.Intent(e.Intent)
}

// Finished returns the task that was finished in the turn before, "" if none was.
func (st *Turn) Finished() string {
	if e := st.Ended; e != nil && e.Turn == st.Number-1 {
		return e.Intent
	}
	return ""
}

// repeatable reports whether all writes of a task can be repeated without harm.
func (r *interpreter) repeatable(e *endedTask) bool {
	in := r.def.Intent(e.Intent)
	if in == nil {
		return false
	}
	ok := true
	r.def.WalkAll(in, func(s *config.Step) {
		if t := r.def.Tools[s.Tool]; s.Kind == config.StepCall && t != nil && t.Effect == config.EffectWrite {
			ok = ok && t.Idempotent
		}
	})
	return ok
}

// beginAgain begins a failed task again, with the values that it knew.
func (r *interpreter) beginAgain(e *endedTask) {
	in := r.def.Intent(e.Intent)
	if in == nil {
		r.say("nothing_to_resume", nil)
		return
	}
	r.interrupt(in, 0)
	for name, c := range e.Params {
		if p := in.Param(name); p != nil && r.st.cell(p) == nil {
			kept := *c
			r.st.setCell(p, &kept)
		}
	}
}

// ended stores how a task ended and what it knew, for follow-ups and for "the same as before".
func (st *Turn) ended(f *frame) {
	if f == nil {
		return
	}
	st.noteFinished(f, f.outcome())
	if f.Answer {
		return
	}
	in := st.def.Intent(f.Intent)
	e := &endedTask{Intent: f.Intent, Turn: st.Number, At: st.Now, Outcome: f.outcome(), Params: maps.Clone(f.Params)}
	if in != nil {
		for p := range in.EachParam {
			if c := st.Session[p.Name]; c != nil && p.Scope == config.ScopeSession {
				if e.Params == nil {
					e.Params = map[string]*paramCell{}
				}
				kept := *c
				e.Params[p.Name] = &kept
			}
		}
	}
	st.Ended = e
	st.remember(f)
}

// remember keeps the values of a frame that ends, for "the same as before".
func (st *Turn) remember(f *frame) {
	for name, c := range f.Params {
		if st.Recent == nil {
			st.Recent = map[string]any{}
		}
		if len(st.Recent) < mostRecent || st.Recent[name] != nil {
			st.Recent[name] = c.Value
		}
	}
}

// outcome returns how a frame ended.
func (f *frame) outcome() string {
	switch {
	case f.Unknown:
		return outcomeUnknown
	case f.wrote():
		return outcomeDone
	case f.Broken:
		return outcomeFailed
	}
	return outcomeTold
}

// wrote reports whether the task has made a write: the frame, a sub-task or a caller of it.
func (f *frame) wrote() bool {
	for ; f != nil; f = f.Caller {
		if f.wroteItself() {
			return true
		}
	}
	return false
}

// wroteItself reports whether the frame or a sub-task of it has made a write.
func (f *frame) wroteItself() bool {
	for _, m := range f.Done {
		if m == markWrote {
			return true
		}
	}
	return false
}

// sessionOf returns the session params that a task works with.
func (st *Turn) sessionOf(in *config.Intent) map[string]*paramCell {
	out := map[string]*paramCell{}
	for p := range in.EachParam {
		if c := st.Session[p.Name]; c != nil && p.Scope == config.ScopeSession {
			kept := *c
			out[p.Name] = &kept
		}
	}
	return out
}
