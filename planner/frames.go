package planner

import (
	"maps"
	"slices"

	"github.com/slotway/slotway/config"
)

// interrupt suspends the active frame and starts another with some of the values.
func (r *interpreter) interrupt(in *config.Intent, values set) {
	st := r.st
	st.Open, st.Unclear = nil, 0
	alone := st.Active == nil
	if !alone {
		st.suspend()
		if depth := r.def.Policy.MaxDepth; len(st.Suspended) > depth {
			st.Suspended = append([]*frame(nil), st.Suspended[len(st.Suspended)-depth:]...)
			r.say("resumable_dropped", nil)
		}
	}
	st.begin(in)
	st.Active.Standalone = alone
	r.in, r.asked, r.begun = in, nil, true
	r.take(in, values)
	r.takeElements(in, values)
}

// suspend suspends the active frame with its session params, so that the next task does not change
// them.
func (st *Turn) suspend() {
	f := st.Active
	for part := f; part != nil; part = part.Caller {
		in := st.def.Intent(part.Intent)
		if in == nil {
			continue
		}
		for p := range in.EachParam {
			if c := st.Session[p.Name]; c != nil && p.Scope == config.ScopeSession {
				if f.Kept == nil {
					f.Kept = map[string]*paramCell{}
				}
				kept := *c
				f.Kept[p.Name] = &kept
			} else if p.Scope == config.ScopeSession {
				f.Lacked = append(f.Lacked, p.Name)
			}
		}
	}
	st.Suspended = append(st.Suspended, f)
	st.Active = nil
}

// restore gives a resumed frame its session params back, and parks those of the other task until
// this one ends.
func (st *Turn) restore() {
	f := st.Active
	for _, name := range f.Lacked {
		if c := st.Session[name]; c != nil {
			if f.Parked == nil {
				f.Parked = map[string]*paramCell{}
			}
			f.Parked[name] = c
			delete(st.Session, name)
		}
	}
	maps.Copy(st.Session, f.Kept)
	f.Kept, f.Lacked = nil, nil
}

// unpark restores the session params that were parked for a frame which ends now.
func (st *Turn) unpark(f *frame) {
	if f == nil {
		return
	}
	for name, c := range f.Parked {
		if st.Session[name] == nil {
			st.Session[name] = c
		}
	}
	f.Parked = nil
}

// queue puts an intent behind the task under way. Its values wait in its frame, whatever their
// scope, so that they do not change the task under way.
func (r *interpreter) queue(in *config.Intent, values set) {
	st := r.st
	f := &frame{
		ID: st.frameID(in.ID), Intent: in.ID, Version: r.def.Hash,
		Answer: in.AnswerOnly, Queued: true,
	}
	f.Params = r.cellsFor(in, values)
	r.used |= values
	r.enqueue(f)
}

// enqueue puts a frame behind the frames that this message queued before, so that they begin in the
// order said.
func (r *interpreter) enqueue(f *frame) {
	st := r.st
	at := len(st.Suspended)
	for at > 0 && st.Suspended[at-1].Queued && slices.Contains(st.queued, st.Suspended[at-1]) {
		at--
	}
	st.queued = append(st.queued, f)
	st.Suspended = slices.Insert(st.Suspended, at, f)
}

// begin makes a new frame the active one. It keeps the session params that the task uses and takes
// those of param_mapping's context.
func (st *Turn) begin(in *config.Intent) {
	st.Active = &frame{ID: st.frameID(in.ID), Intent: in.ID, Version: st.def.Hash, Answer: in.AnswerOnly}
	st.known(in)
}

// known fills a new frame with what the session knows.
func (st *Turn) known(in *config.Intent) {
	for p := range in.EachParam {
		if c := st.cell(p); c != nil {
			st.prefilled(in, p, c)
			continue
		}
		for _, s := range p.ParamMapping {
			if c := st.Session[s.Key]; s.From == "context" && c != nil {
				st.setCell(p, &paramCell{Value: c.Value, Turn: st.Number, At: st.Now, Source: "context"})
				break
			}
		}
	}
}

// prefilled checks values that were known before against the task's own rules (rule 8).
func (st *Turn) prefilled(in *config.Intent, p *config.Param, c *paramCell) {
	if ok, wrong := accepts(p, c.Value, st.env(in)); !ok {
		st.setCell(p, nil)
		st.refused(p, wrong)
	}
}

// pick goes on with the chosen intent or suspended frame.
func (r *interpreter) pick(value any, values set) {
	id, _ := value.(string)
	r.st.Open, r.st.Unclear = nil, 0
	for i, f := range r.st.Suspended {
		if f.ID == id {
			r.st.Suspended = append(r.st.Suspended[:i:i], r.st.Suspended[i+1:]...)
			r.st.Suspended = append(r.st.Suspended, f)
			r.st.resume()
			return
		}
	}
	if in := r.def.Intent(id); in != nil {
		r.interrupt(in, values)
	}
}

// drop ends the active task with a response and offers a suspended one.
func (r *interpreter) drop(response string, extra map[string]any) {
	r.say(response, extra)
	r.dropActive()
	if len(r.st.Suspended) > 0 {
		r.st.offerResume()
	}
}

func (r *interpreter) dropActive() {
	r.st.unpark(r.st.Active)
	r.st.Active, r.st.Open, r.in, r.asked = nil, nil, nil, nil
	r.spoke = true
}
