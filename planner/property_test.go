package planner

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/classifier/message"
)

// drawHeard makes any message that a classifier could report for the test agent.
func drawHeard(t *rapid.T) Understanding {
	intents := []string{"status", "call_off", "price", "", "affirm", "deny", "cancel", "reset", "help", "repeat", "skip", "human", "correct", "resume", "greet", "thanks"}
	h := Understanding{
		Text:       rapid.SampledFrom([]string{"x", "", "some words"}).Draw(t, "text"),
		Intent:     rapid.SampledFrom(intents).Draw(t, "intent"),
		Confidence: rapid.Float64Range(0, 1).Draw(t, "confidence"),
		Exact:      rapid.Bool().Draw(t, "exact"),
		Lead:       rapid.SampledFrom([]string{"", "", "", "affirm", "deny", "correct", "cancel", "skip", "greet"}).Draw(t, "lead"),
	}
	h.Ranking = []message.Score{{Intent: h.Intent, Confidence: h.Confidence}, {Intent: rapid.SampledFrom(intents).Draw(t, "second"), Confidence: h.Confidence / 2}}
	for range rapid.IntRange(0, 2).Draw(t, "values") {
		v := message.Value{Param: rapid.SampledFrom([]string{"order_id", "email", "note"}).Draw(t, "param")}
		v.Value = rapid.SampledFrom([]string{"O-1", "O-2", "O-3"}).Draw(t, "value")
		v.Source = rapid.SampledFrom([]string{"pattern", "bare", "text", "option", "builtin"}).Draw(t, "source")
		v.Start = rapid.IntRange(0, 5).Draw(t, "start")
		v.End = v.Start + rapid.IntRange(1, 4).Draw(t, "length")
		h.Values = append(h.Values, v)
	}
	return h
}

// walker runs random conversations and watches what must never happen.
type walker struct {
	*bench
	rt       *rapid.T
	accepted int // yeses so far
	writes   int
}

func (w *walker) call(c ToolCall) Outcome {
	code := rapid.SampledFrom([]string{"", "", "", "", "not_found", "timeout", "unavailable"}).Draw(w.rt, "outcome of "+c.Tool)
	if c.Tool == "drop" {
		w.writes++
		if w.st.Active.Confirmed[c.ID] == "" {
			w.rt.Fatalf("write %s without a confirmation", c.Tool)
		}
		if w.writes > w.accepted+w.retries() {
			w.rt.Fatalf("%d writes for %d confirmations", w.writes, w.accepted)
		}
	}
	out := Outcome{Code: code, Uncertain: code == "timeout" && c.Tool == "drop"}
	if code == "" {
		out.Value = map[string]any{"state": rapid.SampledFrom([]string{"open", "gone"}).Draw(w.rt, "state")}
		if c.Tool == "find" {
			out.Value = []any{map[string]any{"id": "O-1", "state": "open"}, map[string]any{"id": "O-2", "state": "gone"}}
		}
	}
	return out
}

// retries are tries that certainly had no effect: a confirmed call may be made again.
func (w *walker) retries() int {
	n := 0
	for _, tries := range w.st.Active.Tries {
		n += tries
	}
	return n
}

func TestRandomConversationsKeepTheRules(t *testing.T) {
	def := testAgent(t)
	rapid.Check(t, func(rt *rapid.T) {
		b := newBench(t)
		b.def = def
		w := &walker{bench: b, rt: rt}
		b.tool = w.call
		for range rapid.IntRange(1, 12).Draw(rt, "turns") {
			h := drawHeard(rt)
			if q := b.st.Open; q != nil && q.Kind == askConfirm && (h.Intent == "affirm" || h.Lead == "affirm") {
				w.accepted++
			}
			before := b.st.Params()
			b.say(h)
			w.check(h, before)
		}
		w.end()
	})
}

// check holds after every turn.
func (w *walker) check(h Understanding, before map[string]any) {
	q := w.st.Open
	if q != nil && q.Kind == askParam {
		if _, known := w.st.Params()[q.Param]; known {
			w.rt.Fatalf("asks for %s, which is known", q.Param)
		}
	}
	if q == nil && w.st.Active != nil && w.st.Active.Failed == "" {
		w.rt.Fatalf("a task is under way (%s), but nothing is asked", w.st.Active.Intent)
	}
	if len(w.st.Suspended) > w.def.Policy.MaxDepth+1 {
		w.rt.Fatalf("%d suspended tasks, at most %d are kept", len(w.st.Suspended), w.def.Policy.MaxDepth)
	}
	if _, was := before["email"]; was && !w.reset {
		// Two that contradict each other void the one before: which is meant is asked.
		// What was said for another task stands aside until the one that goes on has ended.
		aside := w.st.Active != nil && w.st.Active.Parked["email"] != nil
		if _, is := w.st.Params()["email"]; !is && !aside && (q == nil || q.Param != "email") {
			w.rt.Fatalf("a session param was lost on %q", h.Intent)
		}
	}
}

// end checks that no state is a dead end: cancelling gets out of every one.
func (w *walker) end() {
	for range 12 {
		if w.st.Active == nil && w.st.Open == nil {
			return
		}
		w.say(does("cancel"))
		if q := w.st.Open; q != nil && q.Kind == askResumeOne {
			w.say(does("deny"))
		}
	}
	w.rt.Fatalf("cancelling does not end it: active %v, open %+v", w.st.Active, w.st.Open)
}

func TestTheStoredFormHoldsTheWholeState(t *testing.T) {
	def := testAgent(t)
	rapid.Check(t, func(rt *rapid.T) {
		b := newBench(t)
		b.def = def
		w := &walker{bench: b, rt: rt, accepted: 1000}
		b.tool = w.call
		for range rapid.IntRange(1, 6).Draw(rt, "turns") {
			b.say(drawHeard(rt))
		}
		again := func(st *Turn) string {
			plan, err := st.Save()
			if err != nil {
				rt.Fatalf("save: %v", err)
			}
			loaded, err := Load(plan, st.Params())
			if err != nil {
				rt.Fatalf("load: %v", err)
			}
			data, err := json.Marshal([]any{loaded.Active, loaded.Suspended, loaded.Session, loaded.Open, loaded.Said})
			if err != nil {
				rt.Fatalf("marshal: %v", err)
			}
			return string(data)
		}
		data, err := json.Marshal([]any{b.st.Active, b.st.Suspended, b.st.Session, b.st.Open, b.st.Said})
		if err != nil {
			rt.Fatalf("marshal: %v", err)
		}
		if diff := cmp.Diff(string(data), again(b.st)); diff != "" {
			rt.Fatalf("state and what was stored of it (-want +got):\n%s", diff)
		}
	})
}

func TestNextStepIsPure(t *testing.T) {
	def := testAgent(t)
	rapid.Check(t, func(rt *rapid.T) {
		b := newBench(t)
		b.def = def
		w := &walker{bench: b, rt: rt, accepted: 1000}
		b.tool = w.call
		for range rapid.IntRange(0, 4).Draw(rt, "turns") {
			b.say(drawHeard(rt))
		}
		b.turn++
		b.begin(TurnInput{Number: b.turn, Now: b.now})
		b.st.Interpret(drawHeard(rt))
		before, _ := b.st.Save()
		first, second := b.st.next(), b.st.next()
		after, _ := b.st.Save()
		if string(before) != string(after) {
			rt.Fatalf("next changed the state:\n%s\n%s", before, after)
		}
		if first.Kind() != second.Kind() || first.StepID() != second.StepID() {
			rt.Fatalf("next gave %s %s, then %s %s", first.Kind(), first.StepID(), second.Kind(), second.StepID())
		}
	})
}
