package planner

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

const runsYAML = `
version: 1
agent: {id: test}
types:
  order_id: {patterns: ["\\bO-\\d+\\b"], bare: "\\d+", example: O-1}
params:
  order_id: {type: order_id, prompt: "Which order?"}
  email: {type: email, prompt: "Which email?"}
intents:
  - id: call_off
    title: cancel an order
    examples: [cancel my order, stop the order, call it off]
    params: {required: [order_id]}
    plan:
      - {run: verify, id: check, save: {who: customer.name, ok: done}, on_error: {not_found: {respond: unsure, end: false}}}
      - {call: drop, with: {order_id: $order_id}, when: ok}
      - {respond: dropped, when: ok}
  - id: verify
    internal: true
    params: {required: [email]}
    plan:
      - {call: find, with: {email: $email}, save: customer, on_error: {"*": {respond: unsure}}}
tools:
  find: {kind: static, effect: read, result: {name: Ann}}
  drop: {kind: static, effect: write, result: true}
responses: {dropped: "Done for {who}.", unsure: "Not sure."}
policy: {confirm_writes: false}
`

func runsAgent(t *testing.T, yaml string) *config.Agent {
	t.Helper()
	def, err := config.Parse("runs.yaml", []byte(yaml), "")
	if err != nil {
		t.Fatal(err)
	}
	return def
}

// within returns a state in which the sub-task asks for the email, as it is stored.
func within(t *testing.T, def *config.Agent) *State {
	t.Helper()
	st, err := Begin(def, New(), TurnInput{Number: 1, Message: "m"})
	if err != nil {
		t.Fatal(err)
	}
	st.Interpret(tells(message.Value{}))
	st.begin(def.Intent("call_off"))
	st.Agenda, st.Open = nil, nil
	st.setCell(def.Intent("call_off").Param("order_id"), &paramCell{Value: "O-1"})
	for {
		step := st.Next(Outcome{})
		if _, asks := step.(AskUser); asks {
			break
		}
		if _, ended := step.(End); ended {
			t.Fatal("the task ended without a question")
		}
	}
	st.Rest()
	plan, err := st.Save()
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := Load(plan, st.Params())
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func TestASubTaskIsStoredWithItsCaller(t *testing.T) {
	def := runsAgent(t, runsYAML)
	st := within(t, def)
	v := st.View()
	if v.Active == nil || v.Active.Intent != "verify" || v.Active.Caller == nil || v.Active.Caller.Intent != "call_off" || v.Active.Caller.Step != "check" {
		t.Fatalf("view %+v", v.Active)
	}
	if want := v.Active.Caller.ID + "/check/1"; v.Active.ID != want {
		t.Errorf("id %q, want %q", v.Active.ID, want)
	}
	seen := map[string]bool{}
	st.EachValue(func(name string, value any) { seen[name] = true })
	if !seen["order_id"] {
		t.Error("the values of the caller cannot be hidden")
	}
}

// The values of a caller are in no step of the sub-task: they are its own.
func TestASubTaskKnowsOnlyWhatItIsGiven(t *testing.T) {
	def := runsAgent(t, runsYAML)
	st := within(t, def)
	if known := st.env(def.Intent("verify"), nil); known["order_id"] != nil {
		t.Errorf("the sub-task knows %v", known)
	}
}

func TestADefinitionWithoutTheRunStep(t *testing.T) {
	for _, c := range []struct{ old, changed string }{
		{"run: verify, id: check", "run: verify, id: other"},
		{"run: verify, id: check, save: {who: customer.name, ok: done}", "call: find, id: check, with: {email: none}, save: who"},
	} {
		def := runsAgent(t, runsYAML)
		st := within(t, def)
		next := runsAgent(t, strings.Replace(strings.Replace(runsYAML, c.old, c.changed, 1), "when: ok", "when: order_id != nil", 2))
		turn, err := Begin(next, st, TurnInput{Number: 2})
		if err != nil {
			t.Fatal(err)
		}
		said := slices.ContainsFunc(turn.Agenda, func(s Step) bool {
			r, ok := s.(Respond)
			return ok && r.Response == "definition_changed"
		})
		if turn.Active != nil || turn.Open != nil || !said {
			t.Errorf("%s: active %+v, agenda %v", c.changed, turn.Active, turn.Agenda)
		}
	}
}

// A state that an earlier release stored has no callers, and is read as it was.
func TestAnOldStateHasNoCaller(t *testing.T) {
	old := json.RawMessage(`{"v":1,"active":{"id":"1.call_off.1","intent":"call_off","version":"x","params":{"order_id":{"turn":1,"at":"2026-01-05T09:00:00Z"}}},"open":{"kind":"ask","param":"order_id","since":"2026-01-05T09:00:00Z"}}`)
	st, err := Load(old, map[string]any{"order_id": "O-1"})
	if err != nil || st.Active == nil || st.Active.Caller != nil || st.Active.root() != st.Active {
		t.Errorf("state %+v, %v", st.Active, err)
	}
}

// A confirmation that was restored or copied is void in the callers too.
func TestAskAgainReachesTheCallers(t *testing.T) {
	def := runsAgent(t, runsYAML)
	st := within(t, def)
	st.Active.Caller.Confirmed = map[string]string{"x": "hash"}
	if !st.revokeConfirmations(false) || st.Active.Caller.Confirmed != nil {
		t.Errorf("the yes of the caller stands: %v", st.Active.Caller.Confirmed)
	}
}

// An expected error lets the caller go on, and what it would have saved is empty.
func TestAnExpectedErrorOfASubTask(t *testing.T) {
	def := runsAgent(t, runsYAML)
	st, err := Begin(def, within(t, def), TurnInput{Number: 2, Message: "n"})
	if err != nil {
		t.Fatal(err)
	}
	st.Interpret(tells(message.Value{Param: "email", Value: "a@b.example", End: 1, Source: "pattern"}))
	var said []string
	out := Outcome{}
	for {
		step := st.Next(out)
		out = Outcome{}
		switch s := step.(type) {
		case ToolCall:
			if out.Code = "not_found"; s.Tool != "find" {
				t.Errorf("calls %s", s.Tool)
			}
		case Respond:
			said = append(said, s.Response)
		}
		if _, ended := step.(End); ended && st.Active == nil {
			break
		}
	}
	if strings.Join(said, " ") != "unsure unsure" || st.Ended == nil || st.Ended.Intent != "call_off" {
		t.Errorf("said %v, ended %+v", said, st.Ended)
	}
}

// A value that was said for a sub-task to come is dropped when the new definition does not ask for it.
func TestEarlyValuesFollowTheDefinition(t *testing.T) {
	reads := func(string, string) bool { return true }
	for yaml, kept := range map[string]bool{
		runsYAML: true,
		strings.NewReplacer("required: [email]", "required: [order_id]", "{email: $email}", "{email: $order_id}").Replace(runsYAML): false,
	} {
		def := runsAgent(t, yaml)
		f := &frame{Intent: "call_off", Early: map[string]*paramCell{"email": {Value: "ann@x.example", Source: "builtin"}}}
		fitting{def: def, reads: reads}.early(f)
		if _, still := f.Early["email"]; still != kept {
			t.Errorf("the value is kept: %v, want %v", still, kept)
		}
	}
}
