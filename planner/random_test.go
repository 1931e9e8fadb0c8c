package planner

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/config"
)

// stage drives a drawn agent the way the router does: at most max_steps steps a turn,
// then the plan is given up. It watches every write.
type stage struct {
	rt      *rapid.T
	def     *config.Agent
	st      *Turn
	kept    bool // the state stays in memory: only what belongs to the turn is dropped
	turn    int64
	now     time.Time
	tool    func(n int, c ToolCall) Outcome
	calls   []string
	out     Outcome // of the last call
	said    []string
	asked   map[string]map[string]bool           // by frame: hashes of the calls that the last question was about
	allowed map[string]map[string]bool           // by frame: those of them that were said yes to
	hash    string                               // of the confirmation shown last
	made    map[string]map[string]map[string]any // by frame: arguments of the writes that were made, by step
	keys    map[string]bool                      // what the router makes the idempotency keys of those writes of
	writers map[string]string                    // by run step of a caller: its sub-task that has written
}

func newStage(rt *rapid.T, def *config.Agent) *stage {
	return &stage{
		rt: rt, def: def, st: &Turn{State: New()}, now: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC),
		asked: map[string]map[string]bool{}, allowed: map[string]map[string]bool{},
		made: map[string]map[string]map[string]any{}, keys: map[string]bool{}, writers: map[string]string{},
	}
}

// say runs one turn.
func (s *stage) say(h Understanding, after time.Duration) {
	s.turn++
	last := s.now
	s.now = s.now.Add(after)
	s.calls, s.said = nil, nil
	s.hear(h)
	var err error
	if s.st, err = Begin(s.def, s.st.State, TurnInput{Number: s.turn, Now: s.now, Since: last}); err != nil {
		s.rt.Fatalf("begin: %v", err)
	}
	s.st.Interpret(h)
	s.run()
	s.rest()
}

// hear notes a yes to what the last reply asked, before anything else reads it.
func (s *stage) hear(h Understanding) {
	q := s.st.Open
	if q == nil || q.Kind != askConfirm || h.Intent != "affirm" && h.Lead != "affirm" {
		return
	}
	if q.Hash != s.hash {
		s.rt.Fatalf("the open confirmation has hash %s, but %s was shown", q.Hash, s.hash)
	}
	// The question may stay open ("yes, what was that?"), and then be said yes to again.
	s.allowed[s.st.Active.ID] = maps.Clone(s.asked[s.st.Active.ID])
}

func (s *stage) run() {
	performed := 0
	for steps := 1; ; steps++ {
		step := s.st.Next(s.out)
		rests := false
		switch v := step.(type) {
		case AskUser, Choose, Offer, Confirm:
			rests = true
		case End:
			if !v.Ends {
				return
			}
		}
		if steps > s.def.Policy.MaxSteps && !rests {
			step = s.st.Abandon()
		} else if performed++; performed > s.def.Policy.MaxSteps+1 {
			s.rt.Fatalf("%d steps in one turn, at most %d are allowed and one that rests", performed, s.def.Policy.MaxSteps)
		}
		if steps > 3*s.def.Policy.MaxSteps {
			s.rt.Fatalf("no rest after the plan was given up: %s %s", step.Kind(), step.StepID())
		}
		s.rt.Logf("turn %d, step %d: %s %s", s.turn, steps, step.Kind(), step.StepID())
		s.perform(step)
	}
}

func (s *stage) perform(step Step) {
	switch v := step.(type) {
	case ToolCall:
		s.call(v)
		return
	case AskUser:
		s.said = append(s.said, v.Prompt)
	case Choose:
		s.said = append(s.said, v.Prompt)
	case Offer:
		s.said = append(s.said, v.Prompt)
	case Confirm:
		s.said = append(s.said, v.Prompt)
		s.show(v)
	case Respond:
		s.said = append(s.said, v.Text)
		if v.Repeat {
			s.said = append(s.said, "(repeated)")
		}
	case Handoff:
		s.said = append(s.said, v.Text)
	case Fault:
		s.rt.Fatalf("a plan that loads cannot be carried out: %s at %s", v.Code, v.ID)
	}
}

// show takes down what a confirmation is about. An earlier yes in this frame is void.
func (s *stage) show(c Confirm) {
	in := s.def.Intent(s.st.Active.Intent)
	pl := &planning{def: s.def, st: s.st, in: in, frame: s.st.Active, env: s.st.env(in)}
	about := map[string]bool{}
	for _, call := range pl.due(findStep(in.Plan, c.ID)) {
		about[callHash(call, resolve(call.With, pl.env))] = true
	}
	s.asked[s.st.Active.ID], s.hash = about, c.Hash
	s.allowed[s.st.Active.ID] = nil
}

// call runs a tool. A write must have been said yes to with these very arguments, in
// answer to the last question about it; the yes is used up unless the call certainly had
// no effect.
func (s *stage) call(c ToolCall) {
	frame := s.st.Active
	out := s.tool(len(s.calls), c)
	s.calls = append(s.calls, c.Tool)
	if c.Effect == config.EffectWrite {
		hash := callHash(findStep(s.def.Intent(frame.Intent).Plan, c.ID), c.Args)
		if !s.allowed[frame.ID][hash] {
			s.rt.Fatalf("write %s was not said yes to with these arguments", c.ID)
		}
		if out.Code == "" || out.Uncertain {
			delete(s.allowed[frame.ID], hash)
		}
		key := fmt.Sprint(frame.ID, c.ID, c.Try, hash)
		if s.keys[key] {
			s.rt.Fatalf("write %s of %s has the key of another one", c.ID, frame.ID)
		}
		if s.keys[key] = true; out.Code == "" {
			s.checkWriter(frame)
			if s.made[frame.ID] == nil {
				s.made[frame.ID] = map[string]map[string]any{}
			}
			s.made[frame.ID][c.ID] = c.Args
		}
	}
	s.out = out
}

// checkWriter holds that a run step whose sub-task has written something is not carried out again.
func (s *stage) checkWriter(f *frame) {
	for ; f.Caller != nil; f = f.Caller {
		step := f.Caller.ID + " " + f.RunBy
		if other := s.writers[step]; other != "" && other != f.ID {
			s.rt.Fatalf("%s writes although %s has", f.ID, other)
		}
		s.writers[step] = f.ID
	}
}

// rest ends the turn: the state goes through its stored form, or stays as it is but for
// what belongs to the turn.
func (s *stage) rest() {
	if s.kept {
		s.st = &Turn{State: s.st.State}
		return
	}
	plan, err := s.st.Save()
	if err != nil {
		s.rt.Fatalf("save: %v", err)
	}
	loaded, err := Load(plan, s.st.Params())
	if err != nil {
		s.rt.Fatalf("load: %v", err)
	}
	s.st = &Turn{State: loaded}
}

// outcomes draws what tools answer, once for each call of a turn, so that two stages can
// be given the same.
func outcomes(rt *rapid.T) func(n int, c ToolCall) Outcome {
	drawn := map[int]Outcome{}
	return func(n int, c ToolCall) Outcome {
		if out, ok := drawn[n]; ok {
			return out
		}
		code := rapid.SampledFrom([]string{"", "", "", "", "", "not_found", "timeout", "unavailable"}).Draw(rt, "outcome")
		out := Outcome{Code: code, Uncertain: code == "timeout" && c.Effect == config.EffectWrite}
		if code == "" {
			out.Value = map[string]any{"state": "open"}
			if c.Tool == "list" {
				rows := []any{map[string]any{"id": "one"}, map[string]any{"id": "two"}}
				out.Value = rows[:rapid.IntRange(0, 2).Draw(rt, "rows")]
			}
		}
		drawn[n] = out
		return out
	}
}

func TestRandomAgentsKeepTheRules(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		def := drawAgent(rt)
		for range rapid.IntRange(1, 30).Draw(rt, "conversations") {
			converse(rt, def)
		}
	})
}

// converse plays one conversation twice: with the state stored between turns, and with
// it left in memory.
func converse(rt *rapid.T, def *config.Agent) {
	stored, kept := newStage(rt, def), newStage(rt, def)
	kept.kept = true
	for range rapid.IntRange(4, 20).Draw(rt, "turns") {
		if rapid.IntRange(0, 19).Draw(rt, "changes") == 0 { // the definition, under the conversation (rule 23)
			def = drawAgent(rt)
			stored.def, kept.def = def, def
		}
		h := drawMessage(rt, def, stored.st.Open)
		after := rapid.SampledFrom([]time.Duration{time.Second, time.Second, time.Second, time.Second, time.Second, time.Second, time.Second, 11 * time.Minute, 61 * time.Minute}).Draw(rt, "after")
		tool := outcomes(rt)
		stored.tool, kept.tool = tool, tool
		stored.say(h, after)
		kept.say(h, after)
		if diff := cmp.Diff([][]string{kept.said, kept.calls}, [][]string{stored.said, stored.calls}); diff != "" {
			rt.Fatalf("replies and calls with the state in memory and stored (-memory +stored):\n%s", diff)
		}
		stored.check()
	}
	stored.end()
}

// checkMade holds that the task under way still knows what its writes were made with: what it
// says of them is true.
func (s *stage) checkMade() {
	if f := s.st.Active; f != nil {
		s.checkMadeIn(f)
	}
}

func (s *stage) checkMadeIn(f *frame) {
	in := s.def.Intent(f.Intent)
	for id, made := range s.made[f.ID] {
		step := findStep(in.Plan, id)
		if step == nil || f.Version != s.def.Hash || chosen(in.Plan, step.Reads) {
			continue
		}
		now := resolve(step.With, s.st.State.env(in, nil))
		for name, v := range made {
			if v != nil && !same(v, now[name]) { // what was not known may be asked for afterwards
				s.rt.Fatalf("write %s was made with %v, now %s is %v", id, made, name, now[name])
			}
		}
	}
}

// chosen reports whether the plan itself chooses one of the params, and so may choose anew.
func chosen(list []*config.Step, names []string) bool {
	return slices.ContainsFunc(list, func(s *config.Step) bool {
		return s.Kind == config.StepChoose && touches(names, map[string]bool{s.Param: true}) || chosen(s.Then, names) || chosen(s.Else, names)
	})
}

// check holds after every turn.
func (s *stage) check() {
	if strings.TrimSpace(strings.Join(s.said, "")) == "" {
		s.rt.Fatalf("an empty reply; active %+v, open %+v", s.st.Active, s.st.Open)
	}
	s.checkMade()
	q := s.st.Open
	if q != nil && q.Kind == askParam {
		if _, known := s.st.Params()[q.Param]; known {
			s.rt.Fatalf("asks for %s, which is known", q.Param)
		}
	}
	if q == nil && s.st.Active != nil && s.st.Active.Failed == "" {
		s.rt.Fatalf("a task is under way (%s), but nothing is asked", s.st.Active.Intent)
	}
	if q != nil && q.Kind == askConfirm && s.st.Active == nil {
		s.rt.Fatalf("a confirmation without a task")
	}
}

// end checks that no state is a dead end: cancelling gets out of every one.
func (s *stage) end() {
	s.tool = func(int, ToolCall) Outcome { return Outcome{Value: true} }
	for range 12 {
		if s.st.Active == nil && s.st.Open == nil {
			return
		}
		s.say(does("cancel"), time.Second)
		if q := s.st.Open; q != nil && q.Kind == askResumeOne {
			s.say(does("deny"), time.Second)
		}
	}
	s.rt.Fatalf("cancelling does not end it: active %+v, open %+v", s.st.Active, s.st.Open)
}
