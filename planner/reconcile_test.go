package planner

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/config"
)

// becomes gives the bench the shop's definition with some of its text replaced.
func (b *bench) becomes(pairs ...string) {
	b.t.Helper()
	text := shopYAML
	for i := 0; i+1 < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			b.t.Fatalf("the shop's definition has no %q", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	def, err := config.Parse("test.yaml", []byte(text), "")
	if err != nil {
		b.t.Fatal(err)
	}
	if def.Hash == b.def.Hash {
		b.t.Fatal("the definition is the same as before")
	}
	b.def = def
}

// confirming brings a bench to the confirmation of a write.
func confirming(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	b.say(asks("call_off", order("O-1")))
	if reply := b.say(does("skip")); reply != "Cancel O-1?" {
		t.Fatalf("reply %q, want the confirmation", reply)
	}
	return b
}

func TestAYesIsVoidOnceTheCallIsAnother(t *testing.T) {
	for name, change := range map[string][]string{
		"its arguments":  {"with: {order_id: $order_id, note: $note}", "with: {order_id: $order_id, note: $note, loud: true}"},
		"its tool":       {"- call: drop", "- call: discard", "drop: {kind", "discard: {kind"},
		"a second write": {"- respond: dropped", "- call: bill\n        with: {order_id: $order_id}\n      - respond: dropped", "  drop: {kind", "  bill: {kind: static, effect: write, result: true}\n  drop: {kind"},
	} {
		t.Run(name, func(t *testing.T) {
			b := confirming(t)
			b.becomes(change...)
			reply := b.say(does("affirm"))
			if !strings.Contains(reply, "Cancel O-1?") || len(b.calls) != 0 {
				t.Errorf("the yes to the old question: reply %q, calls %v; want the question again and no call", reply, b.calls)
			}
			if reply = b.say(does("affirm")); reply != "Dropped O-1." {
				t.Errorf("the yes to the new question: %q", reply)
			}
		})
	}
}

func TestAYesStandsWhereTheCallIsTheSame(t *testing.T) {
	b := confirming(t)
	b.becomes(`dropped: "Dropped {order_id}."`, `dropped: "It is off: {order_id}."`)
	if reply := b.say(does("affirm")); reply != "It is off: O-1." {
		t.Errorf("reply %q, want the write and its new words", reply)
	}
}

func TestAStepThatIsGoneIsSaid(t *testing.T) {
	b := confirming(t)
	b.becomes(`- confirm: "Cancel {order_id}?"`, `- confirm: "Really let go of {order_id}?"`)
	reply := b.say(does("affirm"))
	if !strings.HasPrefix(reply, "The way I handle this has changed") || len(b.calls) != 0 {
		t.Errorf("reply %q, calls %v; want it said and nothing called", reply, b.calls)
	}
	if b.st.Params()["order_id"] != "O-1" {
		t.Error("the order number is forgotten")
	}
}

// An offer to go on with a task that is gone is no offer.
func TestAnOfferOfATaskThatIsGone(t *testing.T) {
	b := newBench(t)
	b.becomes("version: 1\n", "version: 1\npolicy: {digression: ask}\n")
	b.say(asks("call_off", order("O-1")))
	if reply := b.say(asks("status")); !strings.Contains(reply, "call off") {
		t.Fatalf("reply %q, want the offer to go on", reply)
	}
	b.becomes("  - id: call_off\n", "  - id: withdraw\n")
	if reply := b.say(does("affirm")); !strings.HasPrefix(reply, "The way I handle this has changed") {
		t.Errorf("reply %q, want it said that the task has changed", reply)
	}
	if b.st.Active != nil || len(b.st.Suspended) != 0 || b.st.Open != nil {
		t.Error("something of the task is left")
	}
}

// Each kind of type judges what was said under another definition.
func TestValuesOfATypeThatChanged(t *testing.T) {
	const yaml = `
version: 1
agent: {id: kinds}
types: {%TYPES}
params: {v: {type: %TYPE, scope: session, prompt: "V?"}}
intents:
  - id: use
    examples: [use it, apply it, take that]
    params: {required: [v]}
    plan: [{respond: used}]
responses: {used: "Used."}
`
	parse := func(types, typ string) *config.Agent {
		def, err := config.Parse("kinds.yaml", []byte(strings.NewReplacer("%TYPES", types, "%TYPE", typ).Replace(yaml)), "")
		if err != nil {
			t.Fatal(err)
		}
		return def
	}
	plain := func(_, text string) bool { return strings.HasPrefix(text, "A-") }
	for _, tc := range []struct {
		name, types, typ string
		value            any
		source           string
		reads            func(param, text string) bool
		kept             bool
	}{
		{name: "still listed", types: "k: {values: [a, b]}", typ: "k", value: "a", source: "enum", kept: true},
		{name: "no longer listed", types: "k: {values: [a, b]}", typ: "k", value: "c", source: "enum"},
		{name: "put there by a tool", types: "k: {values: [a, b]}", typ: "k", value: "c", source: "tool", kept: true},
		{name: "chosen from a list", types: "k: {values: [a, b]}", typ: "k", value: "c", source: "option", kept: true},
		{name: "a text for a number", typ: "number", value: "c", source: "text"},
		{name: "a fraction for an integer", typ: "integer", value: 1.5, source: "builtin"},
		{name: "an integer", typ: "integer", value: 2.0, source: "builtin", kept: true},
		{name: "a text for a yes or no", typ: "boolean", value: "c", source: "given"},
		{name: "text stays text", typ: "text", value: "c", source: "text", kept: true},
		{name: "a list for one value", typ: "text", value: []any{"c"}, source: "text"},
		{name: "a pattern that reads it", types: `k: {patterns: ["A-\\d"]}`, typ: "k", value: "A-1", source: "pattern", reads: plain, kept: true},
		{name: "a pattern that does not", types: `k: {patterns: ["A-\\d"]}`, typ: "k", value: "B-1", source: "pattern", reads: plain},
		{name: "a pattern that nobody judges", types: `k: {patterns: ["A-\\d"]}`, typ: "k", value: "B-1", source: "pattern", kept: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			def := parse(tc.types, tc.typ)
			st := &Turn{State: New(), def: def}
			st.Version = "another"
			st.Session["v"] = &paramCell{Value: tc.value, Source: tc.source}
			st.reconcile(tc.reads)
			if kept := st.Session["v"] != nil; kept != tc.kept {
				t.Errorf("kept: %v, want %v", kept, tc.kept)
			}
			st.Session["v"] = &paramCell{Value: tc.value, Source: tc.source}
			st.reconcile(tc.reads)
			if st.Session["v"] == nil {
				t.Error("dropped although the definition is the same as the turn before")
			}
		})
	}
}

// The version that a state was fitted to is stored with it, with and without a task.
func TestTheVersionIsStored(t *testing.T) {
	b := newBench(t)
	b.say(tells(order("O-1")))
	if b.st.Version != b.def.Hash {
		t.Errorf("without a task: version %q, want %q", b.st.Version, b.def.Hash)
	}
	b.say(asks("call_off", order("O-1")))
	if b.st.Active == nil || b.st.Version != b.def.Hash {
		t.Errorf("with a task: version %q, want %q", b.st.Version, b.def.Hash)
	}
}

// A new definition keeps the answer that else: keep has let in, and no other that is not listed.
func TestAKeptAnswerOutlivesAReload(t *testing.T) {
	p := &config.Param{Name: "archive", Type: &config.Type{Values: []config.EnumValue{{Value: "staff"}}}}
	cell := &paramCell{Value: "maintenance tables", Source: sourceText}
	if (fitting{}).has(p, cell) {
		t.Error("an enumeration keeps what is not listed")
	}
	if p.Else = config.ElseKeep; !(fitting{}).has(p, cell) {
		t.Error("the kept answer is dropped")
	}
}
