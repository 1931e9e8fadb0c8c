package rasa

import (
	"regexp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/rasanlu"
	"github.com/slotway/slotway/config/source"
)

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
	r.bot.Tests = slices.DeleteFunc(r.bot.Tests, func(c *convert.Conversation) bool { return len(c.Turns) == 0 })
}

// conversation turns a story into a conversation that expects what the story says.
func (r *reader) conversation(s *story, open []convert.Open) {
	c := &convert.Conversation{Name: convert.OneLine(s.name), Open: open}
	r.bot.Tests = append(r.bot.Tests, c)
	form := ""
	for i := range s.steps {
		st := &s.steps[i]
		if st.kind == userStep {
			turn, ok := r.message(st, form != "")
			if !ok {
				c.Open = append(c.Open, r.bot.Report.Decide(st.at, "%q ends before a message: nothing is known that a user would say for %s", s.name, strings.Join(st.intents, " or ")))
				return
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
		case st.kind == slotStep: // the question that a form asks next
			for _, is := range st.slots {
				asked, _ := is.value.(string)
				if p := r.params[asked]; is.slot == "requested_slot" && p != nil {
					turn.Asked = p.Name
				}
			}
		}
	}
}

// message returns the turn of what a user says. Where the story has only an intent, it is an example: the one with
// the entities of the step, and no others.
func (r *reader) message(st *step, inForm bool) (turn convert.Turn, ok bool) {
	intent := strings.Join(st.intents[:min(len(st.intents), 1)], "")
	if id := r.intents[intent]; id != "" && !strings.HasSuffix(id, "/") && !inForm && r.yesNo[intent] == "" {
		turn.Intent = id
	}
	text, _, err := rasanlu.Parse(convert.OneLine(st.text))
	if err == nil && text != "" && !strings.HasPrefix(text, "/") {
		turn.User = text
		return turn, true
	}
	best := 0
	for _, in := range append(r.nlu.children(intent), r.nlu.intent(intent)) {
		for _, e := range in.all() {
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
	}
	return turn, turn.User != ""
}

// did expects an action: the text of a response, the question for a param, or a call.
func (r *reader) did(turn *convert.Turn, name string) {
	if param := r.asks[name]; param != "" {
		turn.Asked = param
		return
	}
	said := []*response{r.domain.response(name)}
	for _, in := range r.nlu.children(strings.TrimPrefix(name, "utter_")) { // any of those below a retrieval intent
		said = append(said, r.domain.response("utter_"+in.name))
	}
	var texts []string
	for _, resp := range said {
		if resp != nil {
			for _, v := range resp.variants {
				texts = append(texts, v.text)
			}
		}
	}
	if pattern := convert.AnyOf(texts); pattern != "" {
		turn.Matches = append(turn.Matches, pattern)
	}
	if id := convert.Snake(strings.TrimPrefix(name, "action_")); len(texts) == 0 && r.bot.Tool(id) != nil {
		turn.Calls = append(turn.Calls, id)
	}
}

// caseOf turns a test case of CALM into a conversation.
func (r *reader) caseOf(test *source.Node) {
	c := &convert.Conversation{Name: convert.OneLine(word(test.Get("test_case")))}
	r.bot.Tests = append(r.bot.Tests, c)
	for _, key := range []string{"fixtures", "metadata"} {
		if test.Has(key) {
			r.left(test.Get(key), "%s of the test %q: write turns.given", key, c.Name)
		}
	}
	for _, s := range test.Get("steps").Items() {
		if s.Has("user") {
			c.Turns = append(c.Turns, convert.Turn{User: convert.OneLine(word(s.Get("user")))})
		}
		if len(c.Turns) == 0 {
			continue
		}
		turn := &c.Turns[len(c.Turns)-1]
		r.did(turn, word(s.Get("utter")))
		if text := convert.OneLine(word(s.Get("bot"))); text != "" {
			turn.Matches = append(turn.Matches, regexp.QuoteMeta(text))
		}
		for _, is := range readSlotsAre(s.Get("slot_was_set")) {
			if p := r.params[is.slot]; p != nil && is.value != nil {
				if value, ok := r.bot.Value(p, is.value); ok {
					turn.Params = append(turn.Params, convert.Arg{Name: p.Name, Value: value})
				}
			}
		}
		for _, a := range s.Get("assertions").Items() {
			flow := convert.Find(r.flows, func(f *flow) bool { return f.id == word(a.Get("flow_started")) })
			switch {
			case flow != nil:
				turn.Intent = flow.intent
			case a.Has("action_executed"), a.Get("bot_uttered").Has("utter_name"):
				r.did(turn, word(a.Get("action_executed"))+word(a.Get("bot_uttered").Get("utter_name")))
			default:
				r.left(a, "an assertion of the test %q: %s", c.Name, strings.Join(a.Keys(), ", "))
			}
		}
	}
}
