package config

import "testing"

// taskAgent uses the keys that say how a task is spoken of.
const taskAgent = `version: 1
types:
  size: {values: [small, large]}
params:
  note: {type: text, prompt: "What is it?", shape: sentence, param_mapping: [{from: text, initial: true}]}
  size: {type: size, prompt: "How big?", else: keep}
  row: {type: text, prompt: "Which one?"}
intents:
  - id: open_ticket
    title: open a ticket
    description: opens a ticket at the desk
    undo: close_ticket
    examples: [open a ticket, please open one, i need one]
    params: {required: [note, size, row]}
    plan:
      - choose: row
        from: [{row: a, id: b, key: c}, {row: d, id: e, key: f}]
        value: key
      - confirm: "Open it?"
        help: "It costs nothing, and {size} ones are quick."
      - respond: done
  - id: close_ticket
    description: close a ticket
    examples: [close a ticket, please close one, shut it]
    params: {required: [note]}
    plan: [{respond: done}]
  - id: lost_ticket
    examples: [lost a ticket, i lost one, my ticket is gone]
    plan: [{respond: done}]
responses: {done: Done.}
`

func TestTaskKeys(t *testing.T) {
	a := mustParse(t, taskAgent)
	in := a.Intent("open_ticket")
	for id, want := range map[string]string{"open_ticket": "open a ticket", "close_ticket": "close a ticket", "lost_ticket": "lost ticket", "deny": "say no"} {
		if got := a.Intent(id).Called(); got != want {
			t.Errorf("%s is called %q, want %q", id, got, want)
		}
	}
	note, size, row := in.Param("note"), in.Param("size"), in.Param("row")
	if note.Shape != "sentence" || !note.TakesInitial() || row.Shape != "" || row.TakesInitial() || size.Else != ElseKeep || row.Else != "" {
		t.Errorf("params %+v %+v %+v", note, size, row)
	}
	if in.Undo != a.Intent("close_ticket") || in.Undo.Undo != nil {
		t.Errorf("undo %v", in.Undo)
	}
	if got := in.Plan[1].Help.Render(map[string]any{"size": "small"}); got != "It costs nothing, and small ones are quick." {
		t.Errorf("help %q", got)
	}
}

func TestChoice(t *testing.T) {
	row := map[string]any{"row": "a", "id": "b", "key": "c"}
	for _, c := range []struct {
		step    Step
		element any
		want    any
	}{
		{Step{Param: "row", Value: "key"}, row, "c"},
		{Step{Param: "row"}, row, "a"},
		{Step{Param: "other"}, row, "b"},
		{Step{Param: "row", Value: "none"}, row, "a"},
		{Step{Param: "row", Value: "key"}, "plain", "plain"},
		{Step{Param: "row"}, 7.0, 7.0},
	} {
		if got := c.step.Choice(c.element); got != c.want {
			t.Errorf("%q of %q: %v, want %v", c.step.Value, c.step.Param, got, c.want)
		}
	}
	bare := map[string]any{"name": "x"}
	if got, ok := (&Step{Param: "row"}).Choice(bare).(map[string]any); !ok || got["name"] != "x" {
		t.Errorf("a row without fields: %v", got)
	}
}

// TestValidationByOwnName judges the value whatever the author calls it: the param itself is
// not filled before.
func TestValidationByOwnName(t *testing.T) {
	a := mustParse(t, `version: 1
params:
  guests:
    type: integer
    prompt: How many?
    validation:
      expr: "guests >= 1 and guests <= seats and any([2, 4], # == guests)"
      tool: look
      with: {n: $guests, all: {of: [$guests, $seats]}}
  seats: {type: integer, prompt: "How many seats?"}
  number: {type: integer, prompt: "Which?", validation: {expr: number(number) > 3}}
intents:
  - id: book
    description: book
    examples: [one, two, three]
    params: {required: [seats, guests, number]}
    plan: [{respond: done}]
tools: {look: {kind: static, result: 1}}
responses: {done: Done.}
`)
	v := a.Intent("book").Param("guests").Validation
	for value, want := range map[float64]bool{4: true, 3: false, 9: false, 0: false} {
		if got, err := v.Expr.True(map[string]any{"value": value, "seats": 5.0}); err != nil || got != want {
			t.Errorf("%v: %v, %v", value, got, err)
		}
	}
	if names := v.Expr.Names(); len(names) != 2 || names[0] != "seats" || names[1] != "value" {
		t.Errorf("names %v", names)
	}
	if ok, err := a.Intent("book").Param("number").Validation.Expr.True(map[string]any{"value": "7"}); err != nil || !ok {
		t.Errorf("number(number): %v, %v", ok, err)
	}
	env := map[string]any{"value": 4.0, "seats": 5.0}
	if got := v.With["n"].Resolve(env); got != 4.0 {
		t.Errorf("argument %v", got)
	}
	if got := v.With["all"].Resolve(env).(map[string]any)["of"].([]any); got[0] != 4.0 || got[1] != 5.0 {
		t.Errorf("argument %v", got)
	}
}

// TestBareOf makes the form of a bare reply of the groups that have a digit.
func TestBareOf(t *testing.T) {
	for _, c := range []struct {
		patterns  string
		yes, no   string
		makesNone bool
	}{
		{`['(?i)\border (\d{4,8})\b']`, "12345", "123", false},
		{`['(?i)order (o-\d+)', 'ticket (T\d)']`, "O-7", "t3", false},
		{`['(?i)order (o-\d+)', 'ticket (T\d)']`, "T3", "order T3", false},
		{`['order ((?:A|B)\d{2}|\d)']`, "B22", "B2", false},
		{`['order (\w+)']`, "", "", true},
		{`['order (\d*x)']`, "", "", true},
		{`['\bO-\d+\b']`, "", "", true},
		{`['order (\b\d+)']`, "", "", true},
	} {
		a := mustParse(t, "types: {ref: {patterns: "+c.patterns+`}}
intents:
  - id: a
    examples: [one, two, three]
    params: {required: [{name: ref, type: ref, prompt: "?"}]}
    plan: [{respond: done}]
responses: {done: Done.}
`)
		bare := a.Types["ref"].Bare
		if c.makesNone != (bare == nil) || bare != nil && (!bare.MatchString(c.yes) || bare.MatchString(c.no)) {
			t.Errorf("%s: %v", c.patterns, bare)
		}
	}
}
