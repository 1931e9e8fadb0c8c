package planner

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/phrase"
)

// author draws a small agent: up to three tasks with params of every sort, plans of
// look-ups, choices, branches, confirmed writes, and an answer.
type author struct {
	t     *rapid.T
	b     strings.Builder
	saves int
	flags int
	tasks [][]string // params of the tasks written so far, which later ones may run
}

// pool are the params that drawn tasks share.
var pool = []struct{ name, body string }{
	{"p_id", "type: id, scope: session, validation: {tool: check, invalid: \"No {p_id}.\"}"},
	{"p_mail", "type: email, scope: session"},
	{"p_pick", "type: pick"},
	{"p_count", "type: integer, validation: {min: 1, max: 3, invalid: \"One to three.\"}"},
	{"p_flag", "type: boolean"},
	{"p_many", "type: pick, list: true"},
	{"p_note", "type: text, validation: {min_length: 2}"},
}

const agentHead = `version: 1
agent: {id: drawn}
types:
  id: {patterns: ["\\bX-\\d\\b"], bare: "\\d", example: X-1}
  pick: {values: [one, two, three]}
tools:
  check: {kind: static, effect: read, result: true}
  look: {kind: static, effect: read, result: {}}
  list: {kind: static, effect: read, result: []}
  act: {kind: static, effect: write, result: true}
  act_again: {kind: static, effect: write, idempotent: true, result: true}
responses:
  said: Said.
  other: [Other., Another.]
  kept: Kept.
  refused: Refused.
`

// drawAgent draws an agent and loads it as a file is loaded.
func drawAgent(t *rapid.T) *config.Agent {
	a := &author{t: t}
	a.b.WriteString(agentHead)
	fmt.Fprintf(&a.b, "session: {waiting_ttl: 10m}\npolicy: {max_steps: %d, max_retries: %d, max_depth: %d, digression: %s, correction: %s}\n",
		a.number("max_steps", 4, 20), a.number("retries", 0, 2), a.number("depth", 1, 3),
		a.one("digression", "resume", "ask", "block"), a.one("correction", "announce", "silent", "confirm"))
	a.b.WriteString("params:\n")
	for _, p := range pool {
		fmt.Fprintf(&a.b, "  %s: {%s, prompt: \"%s?\"}\n", p.name, p.body, p.name)
	}
	a.b.WriteString("intents:\n")
	for i := range a.number("tasks", 1, 3) {
		a.task(i)
	}
	a.b.WriteString("  - {id: answer, answer_only: true, examples: [aa, bb, cc], plan: [{respond: said}]}\n")
	def, err := config.Parse("drawn.yaml", []byte(a.b.String()), "")
	if err != nil {
		t.Fatalf("the drawn agent does not load: %v\n%s", err, a.b.String())
	}
	return def
}

func (a *author) number(label string, least, most int) int {
	return rapid.IntRange(least, most).Draw(a.t, label)
}

func (a *author) one(label string, from ...string) string {
	return rapid.SampledFrom(from).Draw(a.t, label)
}

func (a *author) chance(label string) bool { return rapid.Bool().Draw(a.t, label) }

// task writes an intent. Its params are dealt from the pool; what is left is not its own.
func (a *author) task(i int) {
	names := make([]string, len(pool))
	for k, p := range pool {
		names[k] = p.name
	}
	names = rapid.Permutation(names).Draw(a.t, "params")
	deal := func(label string, most int) []string {
		n := min(a.number(label, 0, most), len(names))
		hand := names[:n]
		names = names[n:]
		return hand
	}
	required, optional := deal("required", 2), deal("optional", 3)
	fmt.Fprintf(&a.b, "  - id: task%d\n    examples: [do %d, make %d, get %d]\n    params:\n", i, i, i, i)
	known := slices.Concat(required, optional)
	fmt.Fprintf(&a.b, "      required: [%s]\n", strings.Join(required, ", "))
	if a.chance("alternatives") && len(names) >= 3 {
		fmt.Fprintf(&a.b, "      one_of: [[%s], [%s, %s]]\n", names[0], names[1], names[2])
		known = append(known, names[:3]...)
	}
	a.b.WriteString("      optional:\n")
	for _, p := range optional {
		fmt.Fprintf(&a.b, "        - {name: %s, ask: %v, skippable: %v}\n", p, a.chance("ask"), a.chance("skippable"))
	}
	if len(optional) == 0 {
		a.b.WriteString("        []\n")
	}
	a.b.WriteString("    plan:\n")
	a.saves = 0
	a.steps("      ", known, optional, 0)
	a.b.WriteString("      - respond: said\n")
	a.tasks = append(a.tasks, known)
}

// steps writes up to three steps; names is what their texts and conditions may refer to.
func (a *author) steps(indent string, names, optional []string, depth int) {
	for range a.number("steps", 1, 3) {
		switch kind := a.one("step", "write", "look", "write", "choose", "when", "ask", "set", "respond", "stop", "write", "run", "run", "run"); {
		case kind == "choose" && len(optional) > 0:
			a.saves++
			fmt.Fprintf(&a.b, "%s- {call: list, save: s%d}\n", indent, a.saves)
			fmt.Fprintf(&a.b, "%s- {choose: %s, from: $s%d, label: \"{id}\"}\n", indent, optional[0], a.saves)
			names = append(slices.Clip(names), fmt.Sprintf("s%d", a.saves))
		case kind == "ask" && len(optional) > 0:
			fmt.Fprintf(&a.b, "%s- ask: %s\n", indent, a.one("asks", optional...))
		case kind == "when" && depth < 2:
			fmt.Fprintf(&a.b, "%s- when: %s\n%s  then:\n", indent, a.condition(names), indent)
			a.steps(indent+"    ", names, optional, depth+1)
			if a.chance("else") {
				fmt.Fprintf(&a.b, "%s  else:\n", indent)
				a.steps(indent+"    ", names, optional, depth+1)
			}
		case kind == "write":
			a.write(indent, names)
		case kind == "run" && len(a.tasks) > 0:
			names = append(slices.Clip(names), a.run(indent, names, optional)...)
		case kind == "set":
			a.flags++
			fmt.Fprintf(&a.b, "%s- set: {f%d: true}\n", indent, a.flags)
		case kind == "respond":
			fmt.Fprintf(&a.b, "%s- respond: other\n", indent)
		case kind == "stop":
			fmt.Fprintf(&a.b, "%s- {when: %s, respond: refused, end: true}\n", indent, a.condition(names))
		default:
			a.saves++
			fmt.Fprintf(&a.b, "%s- {call: look, with: {%s}, save: s%d, on_error: {not_found: {respond: refused%s}}}\n",
				indent, a.args(names), a.saves, a.forget(optional))
			names = append(slices.Clip(names), fmt.Sprintf("s%d", a.saves))
		}
	}
}

// write writes a confirmation and one or two calls under it.
func (a *author) write(indent string, names []string) {
	denied := ""
	if a.chance("denied") {
		denied = ", denied: kept"
	}
	fmt.Fprintf(&a.b, "%s- {confirm: \"Sure?\"%s}\n", indent, denied)
	for range a.number("writes", 1, 2) {
		guard := ""
		if a.chance("guard") {
			guard = ", when: " + a.condition(names)
		}
		fmt.Fprintf(&a.b, "%s- {call: %s, with: {%s}%s}\n", indent, a.one("tool", "act", "act_again"), a.args(names), guard)
	}
}

// run writes a step that runs one of the tasks written before, and returns the names that it saves.
func (a *author) run(indent string, names, optional []string) []string {
	i := a.number("sub-task", 0, len(a.tasks)-1)
	var with strings.Builder
	for _, name := range a.tasks[i] {
		if slices.Contains(names, name) && name != "p_id" && name != "p_mail" && a.chance("hands on") {
			with.WriteString(fmt.Sprintf("%s: $%s, ", name, name))
		}
	}
	a.saves++
	saved := []string{fmt.Sprintf("done%d", a.saves)}
	save := saved[0] + ": done"
	if len(a.tasks[i]) > 0 && a.chance("takes over") {
		saved = append(saved, fmt.Sprintf("s%d", a.saves))
		save += fmt.Sprintf(", s%d: %s", a.saves, a.one("taken", a.tasks[i]...))
	}
	failure := a.one("failure", "", ", on_error: {declined: {respond: kept, end: false}}", ", on_error: {\"*\": {respond: refused"+a.forget(optional)+"}}",
		", on_error: {\"*\": {end: false}}")
	end := a.one("end", "", "", "", ", end: true")
	fmt.Fprintf(&a.b, "%s- {run: task%d, with: {%s}, save: {%s}%s%s}\n", indent, i, strings.TrimSuffix(with.String(), ", "), save, failure, end)
	return saved
}

func (a *author) condition(names []string) string {
	if len(names) == 0 {
		return "'1 == 1'"
	}
	form := a.one("condition", "%s == nil", "%s != nil", `%s == "one"`, "%s == 2", "%s == true")
	return "'" + fmt.Sprintf(form, a.one("name", names...)) + "'"
}

func (a *author) args(names []string) string {
	if len(names) == 0 {
		return ""
	}
	name := a.one("argument", names...)
	return fmt.Sprintf("%s: $%s", name, name)
}

func (a *author) forget(optional []string) string {
	if len(optional) == 0 || !a.chance("forget") {
		return ""
	}
	return ", forget: [" + a.one("forgets", optional...) + "]"
}

// probable are values of the pool's params, good ones and bad ones.
var probable = map[string][]any{
	"p_id": {"X-1", "X-2"}, "p_mail": {"a@b.example", "c@d.example"}, "p_pick": {"one", "two"}, "p_many": {"one", "two", "three"},
	"p_count": {1.0, 2.0, 9.0}, "p_flag": {true, false}, "p_note": {"some words", "x"},
}

// drawReply draws the message of someone who wants to get somewhere: an answer to q, or
// a task when nothing is open. Alone it never strays; drawMessage does.
func drawReply(t *rapid.T, def *config.Agent, q *openQuestion) Understanding {
	switch {
	case q == nil:
		return asks(def.Intents[rapid.IntRange(0, len(def.Intents)-1).Draw(t, "task")].ID)
	case len(q.Options) > 0:
		o := rapid.SampledFrom(q.Options).Draw(t, "chosen")
		return tells(message.Value{Param: q.Param, Value: o.Value, Text: o.Label, End: 1, Source: "option"})
	case q.Kind == askParam:
		return tells(message.Value{Param: q.Param, Value: rapid.SampledFrom(probable[q.Param]).Draw(t, "value"), End: 1, Source: "pattern"})
	case q.Kind == askConfirm && rapid.IntRange(0, 3).Draw(t, "changes") == 0:
		v := drawValue(t)
		return Understanding{Text: "no, x", Lead: rapid.SampledFrom([]string{"deny", "correct", "affirm"}).Draw(t, "lead"), Values: []message.Value{v}}
	case q.Kind == askChange:
		return tells(drawValue(t))
	}
	return does("affirm")
}

// drawMessage draws any message that a classifier could report for a drawn agent while
// q is open.
func drawMessage(t *rapid.T, def *config.Agent, q *openQuestion) Understanding {
	switch rapid.IntRange(0, 4).Draw(t, "strays") {
	case 0:
	case 1:
		return drawStructured(t, def, q)
	default:
		return drawReply(t, def, q)
	}
	var ids []string
	for _, in := range slices.Concat(def.Intents, def.Intents, def.System) { // tasks twice: they lead further
		ids = append(ids, in.ID)
	}
	ids = append(ids, "affirm", "affirm", "affirm", "")
	draw := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
	h := Understanding{
		Text:       draw("text", "x", "", "some words", "not one", "without two", "change the p pick", "not O"),
		Intent:     draw("intent", ids...),
		Confidence: rapid.SampledFrom([]float64{0.1, 0.6, 0.7, 0.95}).Draw(t, "confidence"),
		Exact:      rapid.Bool().Draw(t, "exact"),
		Lead:       draw("lead", "", "", "", "", "affirm", "deny", "correct", "cancel", "skip", "greet"),
	}
	gap := rapid.SampledFrom([]float64{0.02, 0.5}).Draw(t, "gap")
	h.Ranking = []message.Score{{Intent: h.Intent, Confidence: h.Confidence}}
	if second := draw("second", ids...); second != h.Intent {
		h.Ranking = append(h.Ranking, message.Score{Intent: second, Confidence: max(0, h.Confidence-gap)})
	}
	for range rapid.IntRange(0, 3).Draw(t, "values") {
		h.Values = append(h.Values, drawValue(t))
	}
	if q != nil && len(q.Options) > 0 && rapid.Bool().Draw(t, "option") {
		o := rapid.SampledFrom(q.Options).Draw(t, "chosen")
		h.Values = append(h.Values, message.Value{Param: q.Param, Value: o.Value, Text: o.Label, Start: 20, End: 24, Source: "option"})
	}
	return h
}

// drawStructured draws a structured input.
func drawStructured(t *rapid.T, def *config.Agent, q *openQuestion) Understanding {
	ids := []string{""}
	for _, in := range slices.Concat(def.Intents, def.Intents, def.System) {
		ids = append(ids, in.ID)
	}
	ids = append(ids, "affirm", "affirm", "deny")
	h := Understanding{Structured: true, Intent: rapid.SampledFrom(ids).Draw(t, "meant")}
	in := def.Intent(h.Intent)
	if in != nil {
		h.Confidence, h.Exact, h.Ranking = 1, true, []message.Score{{Intent: in.ID, Confidence: 1}}
	}
	if in != nil && in.System {
		return h
	}
	for range rapid.IntRange(0, 4).Draw(t, "given") {
		name := pool[rapid.IntRange(0, len(pool)-1).Draw(t, "param")].name
		if q != nil && q.Param != "" && probable[q.Param] != nil && rapid.Bool().Draw(t, "what is asked") {
			name = q.Param
		}
		if slices.Contains(h.Unread, name) || slices.ContainsFunc(h.Values, func(v message.Value) bool { return v.Param == name }) || in != nil && in.Param(name) == nil {
			continue
		}
		if rapid.IntRange(0, 3).Draw(t, "legible") == 0 {
			h.Unread = append(h.Unread, name)
			continue
		}
		at := len(h.Values)
		h.Values = append(h.Values, message.Value{Param: name, Value: rapid.SampledFrom(probable[name]).Draw(t, "value"), Start: 2 * at, End: 2*at + 1, Source: sourceStructured, Confidence: 1})
	}
	return h
}

func drawValue(t *rapid.T) message.Value {
	v := message.Value{Param: pool[rapid.IntRange(0, len(pool)-1).Draw(t, "param")].name, Confidence: 0.9}
	v.Value = rapid.SampledFrom(probable[v.Param]).Draw(t, "value")
	v.Source = rapid.SampledFrom([]string{"pattern", "builtin", "enum", "bare", "text"}).Draw(t, "source")
	v.Start = rapid.IntRange(0, 6).Draw(t, "start")
	v.End = v.Start + rapid.IntRange(1, 4).Draw(t, "length")
	v.Text = phrase.Display(v.Value)
	return v
}
