package rasa

import (
	"regexp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/rasanlu"
)

// player follows a test story and knows where the agent should stand.
type player struct {
	r     *reader
	c     *convert.Conversation
	stack []*frame // tasks under way, the current one last
	last  []string // what the bot did before the message
}

// frame is a task under way.
type frame struct {
	t      *task
	filled map[string]bool // slots
	asks   string          // a yes/no question in place of a form: its response
}

// convertTests turns test stories and test cases into conversations.
func (r *reader) convertTests() {
	for _, s := range r.tests {
		p := &player{r: r, c: &convert.Conversation{Name: oneLine(s.name)}}
		for _, g := range s.segments() {
			if g.user == nil {
				p.last = g.names()
				continue
			}
			p.turn(g)
		}
		if len(p.c.Turns) > 0 {
			r.bot.Tests = append(r.bot.Tests, p.c)
		}
	}
	r.convertCases()
	r.bot.Report.Count("conversations", len(r.bot.Tests))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// turn converts a message with what the story says about it.
func (p *player) turn(g segment) {
	intent := ""
	if len(g.user.intents) > 0 {
		intent = g.user.intents[0]
	}
	text, marks := p.r.said(g.user, intent)
	if text == "" {
		p.r.bot.Report.Add(g.user.at, convert.Left, "a message of the test %q: nothing is known that a user would say for the intent %s", p.c.Name, intent)
		p.r.bot.Skipped++
		p.last = g.names()
		return
	}
	turn := convert.Turn{User: text}
	parts := p.r.parts(g)
	t := p.r.taskOf(intent)
	yesNo := builtinOf(intent) == "affirm" || builtinOf(intent) == "deny"
	switch {
	case p.answers(marks, g.user.entities), yesNo && p.current() != nil && p.current().asks != "":
		names := slices.Concat(parts.names, parts.afterNames)
		if p.current().asks = p.asked(names); p.current().asks == "" {
			p.stack = p.stack[:len(p.stack)-1]
		}
		p.answered(&turn, names)
	case t != nil && p.starts(t, parts):
		p.begin(&turn, t, parts, marks, g.user.entities)
	case t != nil: // an answer, or a task without a form
		turn.Intent = t.in.ID
		p.answered(&turn, parts.names)
	case yesNo && p.steered():
		p.position(&turn, parts)
	default:
		if !yesNo { // the runtime has finer words than yes and no
			turn.Intent = p.r.plainIntent(intent)
		}
		if p.current() != nil && g.within != "" {
			p.fill(&turn, marks, g.user.entities)
			p.set(g)
		}
		p.answered(&turn, parts.names)
		turn.Handoff = turn.Intent == "human" && len(p.r.systemPlan("human")) > 0
	}
	p.add(turn, parts, g)
	p.last = slices.Concat(parts.names, parts.afterNames)
}

// answers reports whether a message gives the slot that the last question asked for.
func (p *player) answers(marks []rasanlu.Mark, entities []slotIs) bool {
	f := p.current()
	if f == nil || p.r.made.asked[f.asks] == "" {
		return false
	}
	gives := func(entity, role string) bool {
		return p.r.slotFor(rasanlu.Mark{Entity: entity, Role: role}, f.t) == p.r.made.asked[f.asks]
	}
	return slices.ContainsFunc(marks, func(m rasanlu.Mark) bool { return gives(m.Entity, m.Role) }) ||
		slices.ContainsFunc(entities, func(e slotIs) bool { return gives(e.slot, "") })
}

// begin converts a message that begins a task.
func (p *player) begin(turn *convert.Turn, t *task, parts parts, marks []rasanlu.Mark, entities []slotIs) {
	turn.Intent = t.in.ID
	p.stack = append(p.stack, &frame{t: t, filled: map[string]bool{}})
	if t.form == "" && len(parts.names) > 0 {
		p.answered(turn, parts.names)
		p.current().asks = p.asked(parts.names)
	}
	p.fill(turn, marks, entities)
}

// steered reports whether the bot's last question was that of an action that was not carried over, such as
// one that asks whether to change to another form. The runtime decides that by itself.
func (p *player) steered() bool {
	if len(p.last) == 0 {
		return false
	}
	last := p.last[len(p.last)-1]
	if p.r.react.goOn[last] {
		return true
	}
	id := convert.Snake(strings.TrimPrefix(last, "action_"))
	return p.r.domain.response(last) == nil && !p.r.hasTool(id)
}

// position expects where the story stands after an answer to such a question: at a question of a form, or
// at none.
func (p *player) position(turn *convert.Turn, parts parts) {
	if parts.form == "" {
		p.stack, turn.Idle = nil, true
		return
	}
	for i, f := range p.stack {
		if f.t.form == parts.form {
			p.stack = append(append(p.stack[:i:i], p.stack[i+1:]...), f)
			return
		}
	}
}

func (p *player) current() *frame {
	if len(p.stack) == 0 {
		return nil
	}
	return p.stack[len(p.stack)-1]
}

// starts reports whether a message begins a task that will ask something.
func (p *player) starts(t *task, parts parts) bool {
	if f := p.current(); f != nil && f.t == t {
		return false
	}
	return t.form != "" || p.asked(parts.names) != ""
}

// asked returns the yes/no question that the last action is; "" for none.
func (p *player) asked(names []string) string {
	if len(names) == 0 || p.r.made.asks[names[len(names)-1]] == "" {
		return ""
	}
	return names[len(names)-1]
}

// fill notes the values of a message, and expects those whose normal form is known.
func (p *player) fill(turn *convert.Turn, marks []rasanlu.Mark, entities []slotIs) {
	f := p.current()
	for _, m := range marks {
		name := p.r.slotFor(m, f.t)
		if name == "" {
			continue
		}
		f.filled[name] = true
		param := p.r.param(name)
		if param.List {
			continue
		}
		if value := p.r.enumValue(param, m.Value); value != "" {
			turn.Params = append(turn.Params, convert.Arg{Name: param.Name, Value: value})
		}
	}
	for _, e := range entities {
		if name := p.r.slotFor(rasanlu.Mark{Entity: e.slot}, f.t); name != "" {
			f.filled[name] = true
		}
	}
	for name := range f.t.fixed {
		f.filled[name] = true
	}
}

// next returns the slot that the agent asks for next; "" if it has all.
func (f *frame) next() string {
	for _, name := range f.t.slots {
		if _, fixed := f.t.fixed[name]; !fixed && !f.filled[name] && !f.optional(name) {
			return name
		}
	}
	return ""
}

// optional reports whether a slot is no part of the form.
func (f *frame) optional(name string) bool {
	return f.t.formSlots != nil && !slices.Contains(f.t.formSlots, name)
}

// answered expects what a message leads to.
func (p *player) answered(turn *convert.Turn, names []string) {
	for _, name := range names {
		if f := p.current(); p.r.react.goOn[name] && f != nil && f.next() != "" { // the runtime goes on by itself
			turn.Asked = p.r.param(f.next()).Name
			continue
		}
		if resp := p.r.domain.response(name); resp != nil {
			if own := p.r.textOf(resp); own != "" {
				turn.Matches = append(turn.Matches, own)
			}
			continue
		}
		if strings.HasPrefix(name, "utter_") {
			if texts := p.r.textsBelow(name); texts != "" {
				turn.Matches = append(turn.Matches, texts)
			}
			continue
		}
		id := convert.Snake(strings.TrimPrefix(name, "action_"))
		if p.r.hasTool(id) && !slices.Contains(config.SystemIntents, turn.Intent) { // built-in intents call nothing
			turn.Calls = append(turn.Calls, id)
			continue
		}
		turn.Open = append(turn.Open, convert.Open{Text: "the source goes on with " + name + ", which was not carried over"})
	}
}

// add adds a turn, and the answers that close a form where the story does not have them.
func (p *player) add(turn convert.Turn, parts parts, g segment) {
	if parts.left && p.leave(&turn, parts, g) {
		return
	}
	f := p.current()
	inForm := f != nil && f.t.form != "" && (parts.form == f.t.form || g.within == f.t.form)
	if !inForm {
		p.c.Turns = append(p.c.Turns, turn)
		return
	}
	closed := parts.closed
	next := f.next()
	switch {
	case next != "" && (closed || parts.form == f.t.form):
		turn.Asked = p.r.param(next).Name
	case next == "" && f.t.confirm:
		turn.Confirm = true
	}
	if next == "" && closed && !f.t.confirm {
		turn.Params = nil // the task has ended, and its values with it
		p.answered(&turn, parts.afterNames)
	}
	p.c.Turns = append(p.c.Turns, turn)
	if !closed {
		return
	}
	p.close(f, parts)
	p.stack = p.stack[:len(p.stack)-1]
	p.second(f, parts)
}

// close answers the questions that are left, as a user could.
func (p *player) close(f *frame, parts parts) {
	for next := f.next(); next != ""; next = f.next() {
		f.filled[next] = true
		answer := convert.Turn{User: p.r.answerFor(next, f.t), Supplied: true}
		switch after := f.next(); {
		case after != "":
			answer.Asked = p.r.param(after).Name
		case f.t.confirm:
			answer.Confirm = true
		default:
			p.answered(&answer, parts.afterNames)
			answer.Open = nil
		}
		p.c.Turns = append(p.c.Turns, answer)
	}
	if f.t.confirm {
		answer := convert.Turn{User: "yes", Supplied: true}
		p.answered(&answer, parts.afterNames)
		answer.Open = nil
		p.c.Turns = append(p.c.Turns, answer)
	}
}

// textOf returns a pattern for the texts of a response; "" if no plan says it.
func (r *reader) textOf(resp *response) string {
	var list []string
	for _, v := range resp.variants {
		text := placeholder.ReplaceAllString(v.text, "\x00")
		longest := ""
		for part := range strings.SplitSeq(text, "\x00") {
			if part = strings.TrimSpace(part); len(part) > len(longest) {
				longest = part
			}
		}
		if longest = strings.Join(strings.Fields(strings.SplitN(longest, "\n", 2)[0]), " "); longest != "" && v.channel == "" {
			list = append(list, regexp.QuoteMeta(longest))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, "|")
}

// textsBelow returns a pattern for the responses of a retrieval intent, whichever is said.
func (r *reader) textsBelow(name string) string {
	var list []string
	for _, in := range r.nlu.children(strings.TrimPrefix(name, "utter_")) {
		if resp := r.domain.response("utter_" + in.name); resp != nil {
			list = append(list, r.textOf(resp))
		}
	}
	return strings.Join(list, "|")
}

// systemPlan returns the plan of a built-in intent.
func (r *reader) systemPlan(id string) []*convert.Step {
	for _, b := range r.bot.System {
		if b.ID == id {
			return b.Plan
		}
	}
	return nil
}

// plainIntent returns the id to expect of an intent that is no task; "" for none.
func (r *reader) plainIntent(name string) string {
	id := r.made.intents[name]
	if strings.HasSuffix(id, "/") || id == nluFallback {
		return ""
	}
	return id
}

// taskOf returns the task of an intent; nil if it is none.
func (r *reader) taskOf(intent string) *task {
	i := slices.IndexFunc(r.made.tasks, func(t *task) bool { return t.source == intent })
	if i < 0 {
		return nil
	}
	return r.made.tasks[i]
}
