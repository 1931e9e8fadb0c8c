package rasa

import (
	"regexp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/source"
)

// testCase is an end-to-end test of CALM.
type testCase struct {
	name  string
	at    *source.Node
	steps []*source.Node
}

func (r *reader) readCases(n *source.Node) {
	for _, item := range n.Items() {
		r.cases = append(r.cases, &testCase{word(item.Get("test_case")), item, item.Get("steps").Items()})
		for _, key := range []string{"fixtures", "metadata"} {
			if item.Has(key) {
				r.left(item.Get(key), "%s of the test %q: write turns.given", key, word(item.Get("test_case")))
			}
		}
	}
}

// convertCases turns test cases into conversations.
func (r *reader) convertCases() {
	for _, c := range r.cases {
		out := &convert.Conversation{Name: oneLine(c.name)}
		for _, s := range c.steps {
			if s.Has("user") {
				out.Turns = append(out.Turns, convert.Turn{User: oneLine(word(s.Get("user")))})
			}
			if len(out.Turns) > 0 {
				r.expect(&out.Turns[len(out.Turns)-1], s, c)
			}
		}
		if len(out.Turns) > 0 {
			r.bot.Tests = append(r.bot.Tests, out)
		}
	}
}

// expect adds what a step of a test case expects to a turn.
func (r *reader) expect(turn *convert.Turn, s *source.Node, c *testCase) {
	switch {
	case s.Has("utter"):
		r.uttered(turn, word(s.Get("utter")))
	case s.Has("bot"):
		turn.Matches = append(turn.Matches, regexp.QuoteMeta(oneLine(word(s.Get("bot")))))
	case s.Has("slot_was_set"):
		r.wasSet(turn, readSlotsAre(s.Get("slot_was_set")))
	}
	for _, a := range s.Get("assertions").Items() {
		switch {
		case a.Has("flow_started"):
			for _, f := range r.flows {
				if f.id == word(a.Get("flow_started")) {
					turn.Intent = f.intent
				}
			}
		case a.Has("action_executed"):
			if name := word(a.Get("action_executed")); strings.HasPrefix(name, "utter_") {
				r.uttered(turn, name)
			} else if id := convert.Snake(strings.TrimPrefix(name, "action_")); r.hasTool(id) {
				turn.Calls = append(turn.Calls, id)
			}
		case a.Has("bot_uttered"):
			r.uttered(turn, word(a.Get("bot_uttered").Get("utter_name")))
			if text := word(a.Get("bot_uttered").Get("text_matches")); text != "" {
				turn.Matches = append(turn.Matches, text)
			}
		case a.Has("slot_was_set"):
			r.wasSetTo(turn, a.Get("slot_was_set"))
		default:
			r.left(a, "an assertion of the test %q: %s", c.name, strings.Join(a.Keys(), ", "))
		}
	}
}

// uttered expects a response: the question for a param, a last yes, or its text.
func (r *reader) uttered(turn *convert.Turn, name string) {
	if slot, ok := strings.CutPrefix(name, "utter_ask_"); ok {
		if slices.Contains(r.made.lastYes, slot) {
			turn.Confirm = true
			return
		}
		if p := r.made.params[slot]; p != nil {
			turn.Asked = p.Name
			return
		}
	}
	if resp := r.domain.response(name); resp != nil {
		if text := r.textOf(resp); text != "" {
			turn.Matches = append(turn.Matches, text)
		}
	}
}

func (r *reader) wasSet(turn *convert.Turn, list []slotIs) {
	for _, s := range list {
		if p := r.made.params[s.slot]; p != nil && s.value != nil {
			turn.Params = append(turn.Params, convert.Arg{Name: p.Name, Value: r.fixedValue(s.slot, s.value)})
		}
	}
}

// wasSetTo reads the form of assertions: a list of maps with name and value.
func (r *reader) wasSetTo(turn *convert.Turn, list *source.Node) {
	for _, item := range list.Items() {
		r.wasSet(turn, []slotIs{{slot: word(item.Get("name")), value: item.Get("value").Value()}})
	}
}

func (r *reader) hasTool(id string) bool {
	return slices.ContainsFunc(r.bot.Tools, func(t *convert.Tool) bool { return t.Name == id })
}
