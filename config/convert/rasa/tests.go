package rasa

import (
	"regexp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/rasanlu"
	"github.com/slotway/slotway/config/source"
)

// readCases reads end-to-end tests of CALM.
func (r *reader) readCases(n *source.Node) {
	for _, item := range n.Items() {
		r.cases = append(r.cases, item)
		for _, key := range []string{"fixtures", "metadata"} {
			if item.Has(key) {
				r.left(item.Get(key), "%s of the test %q: write turns.given", key, word(item.Get("test_case")))
			}
		}
	}
}

// convertTests turns test stories, test cases, and the stories that no plan has into conversations.
func (r *reader) convertTests() {
	for _, s := range r.tests {
		r.conversation(s, nil)
	}
	for _, c := range r.cases {
		r.caseOf(c)
	}
	for _, s := range r.stories {
		if !s.rule && s.lost != "" {
			r.conversation(s, []convert.Open{{At: s.lostAt, Text: "no plan has this yet: " + convert.OneLine(s.lost)}})
		}
	}
}

// conversation turns a story into a conversation that expects what the story says.
func (r *reader) conversation(s *story, open []convert.Open) {
	c := &convert.Conversation{Name: convert.OneLine(s.name), Open: open}
	form := ""
	for i := range s.steps {
		st := &s.steps[i]
		if st.kind == userStep {
			turn, ok := r.message(st, form != "")
			if !ok {
				c.Open = append(c.Open, r.bot.Report.Decide(st.at, "%q ends before a message: nothing is known that a user would say for %s", s.name, strings.Join(st.intents, " or ")))
				break
			}
			c.Turns = append(c.Turns, turn)
			continue
		}
		if len(c.Turns) == 0 {
			continue
		}
		turn := &c.Turns[len(c.Turns)-1]
		switch {
		case st.kind == loopStep:
			form = st.name
		case st.kind == actionStep && r.domain.form(st.name) == nil:
			r.did(turn, st.name)
		case st.kind == slotStep:
			r.asksFor(turn, st.slots)
		}
	}
	if len(c.Turns) > 0 {
		r.bot.Tests = append(r.bot.Tests, c)
	}
}

// message returns the turn of what a user says. Where the story has only an intent, it is an example.
func (r *reader) message(st *step, inForm bool) (turn convert.Turn, ok bool) {
	intent := ""
	if len(st.intents) > 0 {
		intent = st.intents[0]
	}
	if id := r.intents[intent]; id != "" && id != nluFallback && !strings.HasSuffix(id, "/") && !inForm && r.yesNo[intent] == "" {
		turn.Intent = id
	}
	text, _, err := rasanlu.Parse(convert.OneLine(st.text))
	if err == nil && text != "" && !strings.HasPrefix(text, "/") {
		turn.User = text
		return turn, true
	}
	in := r.nlu.intent(intent)
	if in == nil {
		if children := r.nlu.children(intent); len(children) > 0 {
			in = children[0]
		}
	}
	if in == nil {
		return turn, false
	}
	best := -1
	for _, e := range in.examples { // the example with the entities of the step, and no others
		fits := 0
		for _, m := range e.marks {
			if slices.ContainsFunc(st.entities, func(is slotIs) bool { return is.slot == m.Entity }) {
				fits++
			} else {
				fits--
			}
		}
		if text := convert.OneLine(e.text); !strings.HasPrefix(text, "/") && (turn.User == "" || fits > best) {
			turn.User, best = text, fits
		}
	}
	return turn, turn.User != ""
}

// did expects an action: the text of a response, the question for a param, or a call.
func (r *reader) did(turn *convert.Turn, name string) {
	if param := r.asks[name]; param != "" {
		turn.Asked = param
		return
	}
	if resp := r.domain.response(name); resp != nil {
		if text := textOf(resp); text != "" {
			turn.Matches = append(turn.Matches, text)
		}
		return
	}
	id := convert.Snake(strings.TrimPrefix(name, "action_"))
	if r.bot.Tool(id) != nil {
		turn.Calls = append(turn.Calls, id)
	}
	var list []string
	for _, in := range r.nlu.children(strings.TrimPrefix(name, "utter_")) {
		if resp := r.domain.response("utter_" + in.name); resp != nil {
			list = append(list, textOf(resp))
		}
	}
	if len(list) > 0 {
		turn.Matches = append(turn.Matches, strings.Join(list, "|"))
	}
}

// asksFor expects the question that a form asks next.
func (r *reader) asksFor(turn *convert.Turn, list []slotIs) {
	for _, is := range list {
		asked, _ := is.value.(string)
		if p := r.params[asked]; is.slot == "requested_slot" && p != nil {
			turn.Asked = p.Name
		}
	}
}

// textOf returns a pattern for the texts of a response; "" if it has none.
func textOf(resp *response) string {
	var list []string
	for _, v := range resp.variants {
		if v.channel == "" {
			list = append(list, v.text)
		}
	}
	return convert.AnyOf(list)
}

// caseOf turns a test case of CALM into a conversation.
func (r *reader) caseOf(test *source.Node) {
	out := &convert.Conversation{Name: convert.OneLine(word(test.Get("test_case")))}
	for _, s := range test.Get("steps").Items() {
		if s.Has("user") {
			out.Turns = append(out.Turns, convert.Turn{User: convert.OneLine(word(s.Get("user")))})
		}
		if len(out.Turns) > 0 {
			r.expect(&out.Turns[len(out.Turns)-1], s, out.Name)
		}
	}
	if len(out.Turns) > 0 {
		r.bot.Tests = append(r.bot.Tests, out)
	}
}

// expect adds what a step of a test case expects to a turn.
func (r *reader) expect(turn *convert.Turn, s *source.Node, test string) {
	switch {
	case s.Has("utter"):
		r.uttered(turn, word(s.Get("utter")))
	case s.Has("bot"):
		turn.Matches = append(turn.Matches, regexp.QuoteMeta(convert.OneLine(word(s.Get("bot")))))
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
			r.uttered(turn, word(a.Get("action_executed")))
		case a.Has("bot_uttered"):
			r.uttered(turn, word(a.Get("bot_uttered").Get("utter_name")))
			if text := word(a.Get("bot_uttered").Get("text_matches")); text != "" {
				turn.Matches = append(turn.Matches, text)
			}
		case a.Has("slot_was_set"):
			for _, item := range a.Get("slot_was_set").Items() {
				r.wasSet(turn, []slotIs{{slot: word(item.Get("name")), value: item.Get("value").Value()}})
			}
		default:
			r.left(a, "an assertion of the test %q: %s", test, strings.Join(a.Keys(), ", "))
		}
	}
}

// uttered expects a response or an action. The question for a slot is expected as such.
func (r *reader) uttered(turn *convert.Turn, name string) {
	if slot, ok := strings.CutPrefix(name, "utter_ask_"); ok {
		if p := r.params[slot]; p != nil {
			turn.Asked = p.Name
			return
		}
	}
	r.did(turn, name)
}

func (r *reader) wasSet(turn *convert.Turn, list []slotIs) {
	for _, is := range list {
		p := r.params[is.slot]
		if p == nil || is.value == nil {
			continue
		}
		if value, ok := r.bot.Value(p, is.value); ok {
			turn.Params = append(turn.Params, convert.Arg{Name: p.Name, Value: value})
		}
	}
}
