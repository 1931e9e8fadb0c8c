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
