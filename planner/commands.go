package planner

import (
	"math"
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/shapes"
)

// The reader's probabilities from which a command counts. They were chosen on trades that it has not learned
// from (scripts/lab/train/reader/README.md), and so that the conversations of cmd/suites write nothing unasked.
const (
	readLeast = 0.5
	readAside = 0.55 // it only says something
	readStart = 0.6  // a task begins, of which the examples do not say that it is meant
	readTask  = 0.45 // which task it is, then
	readLeave = 0.75 // a task begins instead of the one under way
	readEnd   = 0.7  // it ends the task or hands over
	readWords = 0.8  // these words are the text, and no more
	readWhole = 0.9  // the whole message is the text that is asked for
	readWhich = -1.4 // the likeliest of several, if it says so, in log odds
	readValue = 0.3  // a value that says which task is meant

	readCertain = 0.9 // that some task begins: it is the likeliest, if it is so far before the next, in log odds
	readLead    = 1.5
)

// command says what a command does that has no object.
type command struct {
	rule, intent string
	kind         kind
	least        float64
	may          func(*interpreter) bool
	perform      func(*interpreter)
}

var plainCommands = map[message.Do]command{
	message.DoYes:        {"yes", "affirm", kindYes, readLeast, (*interpreter).takesYes, (*interpreter).affirm},
	message.DoNo:         {"no", "deny", kindNo, readLeast, (*interpreter).takesRefusal, (*interpreter).refuse},
	message.DoHold:       {"hold", "", kindHold, readLeast, (*interpreter).isUnderWay, func(r *interpreter) { r.say("hold", nil); r.again() }},
	message.DoStop:       {"stop", "cancel", kindStop, readEnd, (*interpreter).isUnderWay, (*interpreter).stop},
	message.DoHuman:      {"human", "human", kindMeta, readEnd, nil, (*interpreter).human},
	message.DoHelp:       {"help", "help", kindMeta, readLeast, nil, (*interpreter).help},
	message.DoAskHelp:    {"help", "help", kindMeta, readLeast, nil, (*interpreter).help},
	message.DoRepeat:     {"repeat", "repeat", kindMeta, readEnd, (*interpreter).maySpeakAgain, (*interpreter).repeatOrRetry},
	message.DoResume:     {"resume", "resume", kindMeta, readEnd, (*interpreter).mayGoOn, (*interpreter).resume},
	message.DoUndo:       {"undo", "", kindTask, readLeast, (*interpreter).mayTakeBack, (*interpreter).undoLast},
	message.DoCourtesy:   {"noted", "", kindCourtesy, readAside, (*interpreter).asksNoYes, func(r *interpreter) { r.say("noted", nil); r.againOrKeep() }},
	message.DoOutOfScope: {"out of scope", "", kindAside, readAside, nil, (*interpreter).sayNotServed},
	message.DoAskResult:  {"outcome", "", kindAside, readLeast, (*interpreter).hasEnded, (*interpreter).repeat},
	message.DoAskOther:   {"asked", "", kindAside, readLeast, nil, (*interpreter).sayNoMore},
}

func (r *interpreter) isUnderWay() bool { return r.st.Open != nil || r.st.Active != nil }

// asksNoYes reports whether no yes to a write is waited for: a courtesy beside one gets no other answer.
func (r *interpreter) asksNoYes() bool { return !r.confirming() }

// mayGoOn reports whether there is something to go on with.
func (r *interpreter) mayGoOn() bool { return r.st.Active != nil || len(r.st.Suspended) > 0 }

// takesRefusal reports whether a no can answer what is open. Where nothing is to be confirmed it ends something.
func (r *interpreter) takesRefusal() bool {
	return r.confirming() || r.st.Open != nil && r.heard(message.DoNo) >= readEnd
}

// mayTakeBack reports whether the task that was finished last has changed anything.
func (r *interpreter) mayTakeBack() bool {
	e, _ := r.lately()
	return r.mayUndo() && e.Outcome == outcomeDone
}

func (r *interpreter) hasEnded() bool { return r.st.Open == nil && r.st.Ended != nil }

// commanded returns the readings that the reader's commands make, none if it is sure of nothing. A clause with
// a value that no command takes is left to be said back.
func (r *interpreter) commanded() []reading {
	found := r.elementsTogether(r.consistent(r.likelyCommands()))
	taken := r.takenBy(found)
	var of set
	for i := range r.clauses {
		if r.clauses[i].values.without(taken) == 0 {
			of |= only(i)
		}
	}
	var out []reading
	for _, c := range found {
		if x, does := r.readingOf(c, found); does {
			x.clauses, x.evidence = of, c.P
			out = append(out, x)
		}
	}
	return append(out, r.alongWith(out, found)...)
}

// elementsTogether makes one command of those that add to the same list, so that the list is said once.
func (r *interpreter) elementsTogether(found []message.Command) []message.Command {
	var out []message.Command
	for _, c := range found {
		p := r.paramUnder(c.Param)
		at := slices.IndexFunc(out, func(o message.Command) bool {
			return p != nil && p.List && c.Do == message.DoSet && o.Do == c.Do && o.Param == c.Param
		})
		if at < 0 {
			out = append(out, c)
			continue
		}
		to := &out[at]
		to.Value.Value = append(asElement(p, to.Value).Value.([]any), asElement(p, c.Value).Value.([]any)...)
		to.Value.Start, to.Value.End = min(to.Value.Start, c.Value.Start), max(to.Value.End, c.Value.End)
	}
	return out
}

// takenBy returns the values that commands take: those in their words, and what the task that begins takes
// without a reader.
func (r *interpreter) takenBy(found []message.Command) set {
	var taken set
	for _, c := range found {
		if c.Do == message.DoChoose {
			return r.valuesAt(message.Value{End: len(r.msg.Text)})
		}
		if r.paramUnder(c.Param) != nil {
			taken |= r.valuesAt(c.Value)
		}
		in := r.def.Intent(c.Task)
		if c.Do != message.DoStart || in == nil {
			continue
		}
		for _, i := range r.certainValues(in, found).members() {
			if in.Param(r.msg.Values[i].Param) != nil {
				taken |= only(i)
			}
		}
		for _, o := range found {
			if in.Param(o.Param) != nil {
				taken |= r.valuesAt(o.Value)
			}
		}
	}
	return taken
}

// likelyCommands returns the commands that are likely enough. That some task begins, or some option is chosen,
// is known better than which: the likeliest stands for it.
func (r *interpreter) likelyCommands() []message.Command {
	var found []message.Command
	for _, c := range r.weighed {
		if c.Do == message.DoChoose || !r.isLikely(c) {
			continue
		}
		if c.Any {
			var lead float64
			if c, lead = r.likeliest(c); c.P == 0 || r.farFetched(c, lead) {
				continue
			}
		}
		found = append(found, r.widened(r.toAnswer(c)))
	}
	switch options := r.likelyOptions(); {
	case len(options) == 1:
		found = append(found, options[0])
	case len(options) > 1 && len(found) == 0:
		found = append(found, message.Command{Do: message.DoChoose, Option: several, P: options[0].P})
	}
	return r.spansOnce(found)
}

// toAnswer returns a question about a task as the beginning of that task, if it answers the question.
func (r *interpreter) toAnswer(c message.Command) message.Command {
	if c.Do == message.DoAskTask && r.isTask(c.Task) && r.answersQuestions(r.def.Intent(c.Task)) {
		c.Do = message.DoStart
	}
	return c
}

// widened returns a command with all the words of its value, as the recognisers have found them.
func (r *interpreter) widened(c message.Command) message.Command {
	if r.paramUnder(c.Param) == nil {
		return c
	}
	if p, v := r.placed(r.in, c); p.Name == c.Param {
		c.Value = v
	}
	return c
}

// answersQuestions reports whether a task answers: it is there for that, or it needs nothing and changes nothing, and
// the question is not about what a yes is waited for.
func (r *interpreter) answersQuestions(in *config.Intent) bool {
	return in.AnswerOnly || len(in.Required) == 0 && !r.def.Writes(in) && !r.confirming()
}

// isLikely reports whether a command is likely enough by itself. Which task begins is no command beside that one does.
func (r *interpreter) isLikely(c message.Command) bool {
	switch {
	case r.writes(c):
		return r.ahead(c) >= r.leastAhead()
	case c.Do == message.DoStart || c.Do == message.DoAskTask:
		return c.Any && c.P >= r.leastOf(c)
	}
	return c.P >= r.leastOf(c)
}

// leastP is about the probability below which a command is no candidate.
const leastP = 0.001

// logOdds returns the logarithm of the odds of a probability, of one that is neither nothing nor certain.
func logOdds(p float64) float64 {
	p = min(max(p, leastP), 1-leastP)
	return math.Log(p / (1 - p))
}

func (r *interpreter) leastOf(c message.Command) float64 {
	if c.Any {
		return readLeast
	}
	return max(readLeast, plainCommands[c.Do].least)
}

// likeliest returns the likeliest of the commands that one stands for, and how far it is before the next; its P is
// 0 if none is likely, or if it is an option that counts by itself.
func (r *interpreter) likeliest(of message.Command) (best message.Command, lead float64) {
	most, next := readWhich, readWhich
	for _, c := range r.weighed {
		if c.Do != of.Do || c.Any {
			continue
		}
		switch w := r.weight(c); {
		case w >= most:
			best, most, next = c, w, most
		case w > next:
			next = w
		}
	}
	if best.P > 0 {
		best.P = of.P
	}
	return best, most - next
}

// weight returns the log odds of a command, with what the agent's examples and the values say of its task. It
// compares the commands of one kind.
func (r *interpreter) weight(c message.Command) float64 {
	return logOdds(c.P) + hints*(r.ranked(c.Task)+r.takes(c))
}

// hints is what the examples and the values weigh against the reader, in log odds: as much as they can say.
const hints = 6

// takes returns the share of the values that the task of a command takes: the values say which of two near tasks
// is meant.
func (r *interpreter) takes(c message.Command) float64 {
	in := r.def.Intent(c.Task)
	said, taken := 0.0, 0.0
	for _, o := range r.weighed {
		if o.Do != message.DoSet || o.P < readValue {
			continue
		}
		said += o.P
		if in != nil && in.Param(o.Param) != nil {
			taken += o.P
		}
	}
	if said == 0 {
		return 0
	}
	return taken / said
}

// farFetched reports whether a command begins a task that neither the examples nor the reader are sure of:
// words that mean nothing are about any task a little. A task under way is left only for one that the reader is sure of.
func (r *interpreter) farFetched(c message.Command, lead float64) bool {
	if c.Do != message.DoStart {
		return false
	}
	heard, ranked := r.heardTask(c.Task), r.ranked(c.Task)
	switch {
	case r.st.Active != nil && heard < readLeave:
		return true
	case ranked >= r.def.Classifier.Reject, c.P >= readCertain && lead >= readLead:
		return false
	}
	return c.P < readStart || heard+ranked < readTask
}

// heardTask returns how sure the reader is that a task begins.
func (r *interpreter) heardTask(id string) float64 {
	p := 0.0
	for _, c := range r.weighed {
		if c.Do == message.DoStart && c.Task == id {
			p = max(p, c.P)
		}
	}
	return p
}

// ranked returns how sure the ranking by examples is of a task.
func (r *interpreter) ranked(task string) float64 {
	sure := 0.0
	of := func(ranking []message.Score) {
		for _, s := range ranking {
			if s.Intent == task && task != "" {
				sure = max(sure, s.Confidence)
			}
		}
	}
	of(r.msg.Ranking)
	for i := range r.clauses {
		of(r.clauses[i].Ranking)
	}
	return sure
}

// spansOnce drops the values whose words are likelier to be a value of another param, or are asked for as one.
func (r *interpreter) spansOnce(found []message.Command) []message.Command {
	return slices.DeleteFunc(slices.Clone(found), func(c message.Command) bool {
		return slices.ContainsFunc(found, func(o message.Command) bool {
			return o.Param != c.Param && o.Value.Start < c.Value.End && c.Value.Start < o.Value.End && r.fit(o) > r.fit(c)
		})
	})
}

func (r *interpreter) fit(c message.Command) float64 {
	p := r.paramUnder(c.Param)
	if r.asksFor(c.Param) || p != nil && names(p, r.words) {
		return c.P + 1
	}
	return c.P
}

// notBeside lists what a command does not stand beside: it is dropped then.
var notBeside = map[message.Do][]message.Do{
	message.DoYes:     {message.DoSet, message.DoRemove, message.DoCorrect, message.DoNo, message.DoHold, message.DoStop},
	message.DoNo:      {message.DoSet, message.DoCorrect}, // it says what is to be in its place, or what is wrong
	message.DoHuman:   {message.DoAskOther},               // "am I talking to a person?"
	message.DoAskTask: {message.DoStart},
}

// consistent drops the commands that cannot stand beside others.
func (r *interpreter) consistent(found []message.Command) []message.Command {
	return slices.DeleteFunc(slices.Clone(found), func(c message.Command) bool {
		return slices.ContainsFunc(found, func(o message.Command) bool {
			return c.Do == message.DoCourtesy && o.Do != message.DoCourtesy || slices.Contains(notBeside[c.Do], o.Do) && (o.Param == "" || r.paramUnder(o.Param) != nil)
		})
	})
}

// readingOf returns what a command does in this state; does is false if it does nothing.
func (r *interpreter) readingOf(c message.Command, beside []message.Command) (x reading, does bool) {
	switch c.Do {
	case message.DoStart:
		return r.starting(c, beside)
	case message.DoAskTask:
		return reading{Rule: "asked", Intent: c.Task, kind: kindAside, perform: (*interpreter).sayNoMore}, true
	case message.DoSet:
		return r.setting(c, beside)
	case message.DoRemove:
		return r.removing(c)
	case message.DoCorrect:
		return r.naming(c.Param)
	case message.DoChoose:
		return r.choosing(c.Option)
	}
	row, known := plainCommands[c.Do]
	x = reading{Rule: row.rule, Intent: row.intent, kind: row.kind, perform: row.perform}
	return x, known && (row.may == nil || row.may(r))
}

// refuse carries out a no: to a question that takes one, to a param, or to all options.
func (r *interpreter) refuse() {
	q := r.st.Open
	switch {
	case r.takesNo(q):
		r.deny()
	case q.Kind == askChoice:
		r.noneOf(q)
	case r.asked != nil && !r.skip():
		r.st.Active.attempt(r.asked.Name)
		r.help()
	}
}

// paramUnder returns a param of the task under way, or nil.
func (r *interpreter) paramUnder(name string) *config.Param {
	if r.in == nil || r.st.Active == nil {
		return nil
	}
	return r.in.Param(name)
}

// openText reports whether a param takes any words: where they begin and end is then only likely.
func openText(p *config.Param) bool {
	return slices.Contains([]string{"text", "person", "location"}, p.Type.Builtin) && len(p.Type.Values) == 0 && shapeOf(p) != shapes.Code
}

// setting fills a param of the task under way. Where the reader is not sure of the words of a text, the answer to
// its own question is taken as the rules cut it, or whole, and a new text is asked for.
func (r *interpreter) setting(c message.Command, beside []message.Command) (reading, bool) {
	if r.paramUnder(c.Param) == nil {
		return reading{}, false
	}
	p, value := r.placed(r.in, c)
	c.Param, c.Value = p.Name, value
	switch {
	case c.Value.Value == nil || misshapen(p, c.Value.Value):
		return reading{}, false
	case openText(p) && holdsValue(r.st.cell(p), c.Value.Value):
		return reading{}, false
	case openText(p) && !p.List && r.asksFor(c.Param) && c.P < readWords:
		return r.telling(c, beside)
	case openText(p) && !p.List && r.st.cell(p) != nil && c.P < readWords:
		return r.naming(c.Param)
	}
	return reading{Rule: "values", param: p.Name, kind: kindAnswer, values: r.valuesAt(c.Value), perform: func(r *interpreter) {
		if r.st.Active == nil {
			return
		}
		r.fill(r.in, p, asElement(p, c.Value))
		r.again()
		r.closeChange()
	}}, true
}

// placed returns the param and the value of a command. Where the words have the form of another param's values and not of
// its own, or the words before them say that they are one, they are that one's; and the recognisers know where an
// address ends.
func (r *interpreter) placed(in *config.Intent, c message.Command) (*config.Param, message.Value) {
	p, of := in.Param(c.Param), c.Value
	for _, v := range r.msg.Values {
		same, holds := v.Start == of.Start && v.End == of.End, v.Start <= of.Start && of.End <= v.End
		other := in.Param(v.Param)
		if other == nil || p == nil {
			continue
		}
		itsForm := v.Source == "pattern" || v.Source == "enum" || v.Cues&message.CueRole != 0
		notOurs := len(p.Type.Patterns) > 0 && !r.asksFor(p.Name)
		switch {
		case same && (itsForm || notOurs) && !r.inForm(p, of):
			return other, v
		case holds && other == p && endsByForm(p) && !misshapen(p, v.Value) && !r.holdsOther(v, of):
			of = v
		}
	}
	return p, of
}

// holdsOther reports whether a value has more than some words of it, and the reader gives what is more to another
// param that is not known: of "5 Elm Road, tomorrow" the day is no part.
func (r *interpreter) holdsOther(v, words message.Value) bool {
	return slices.ContainsFunc(r.weighed, func(c message.Command) bool {
		o := c.Value
		known := r.in != nil && r.in.Param(c.Param) != nil && r.st.cell(r.in.Param(c.Param)) != nil
		given := c.Do == message.DoSet && c.Param != v.Param && c.P >= readWords && !known
		return given && v.Start <= o.Start && o.End <= v.End && (o.End <= words.Start || words.End <= o.Start)
	})
}

// endsByForm reports whether the recognisers know where a value of a param ends: any but a text or a code.
func endsByForm(p *config.Param) bool {
	return !openText(p) && shapeOf(p) != shapes.Code || shapeOf(p) == shapes.Address
}

// inForm reports whether a pattern or an enumeration has found the words as a value of a param.
func (r *interpreter) inForm(p *config.Param, of message.Value) bool {
	return slices.ContainsFunc(r.valuesOf(r.valuesAt(of)), func(v message.Value) bool {
		return v.Param == p.Name && (v.Source == "pattern" || v.Source == "enum")
	})
}

// misshapen reports whether a value has not the shape of the code or the address that its param is.
func misshapen(p *config.Param, value any) bool {
	shape := shapeOf(p)
	text, is := value.(string)
	return is && (shape == shapes.Code || shape == shapes.Address) && !shapes.LooksLike(shape, text)
}

// telling fills the text that is asked for: as a rule cuts it, or with the whole message if it does nothing else.
func (r *interpreter) telling(c message.Command, beside []message.Command) (reading, bool) {
	if r.byText.perform != nil {
		return r.byText, true
	}
	whole := r.wholeText()
	if whole == nil || c.P < readWhole || len(beside) > 1 {
		return reading{}, false
	}
	p := r.asked
	return reading{Rule: "text", param: p.Name, kind: kindAnswer, values: r.valuesAt(*whole), perform: func(r *interpreter) {
		r.fill(r.in, p, *whole)
		r.again()
	}}, true
}

// asElement returns a value as an element of a param that has a list.
func asElement(p *config.Param, v message.Value) message.Value {
	if _, is := v.Value.([]any); p.List && !is {
		v.Value = []any{v.Value}
	}
	return v
}

// naming drops the value of a param that is said to be wrong, so that it is asked for.
func (r *interpreter) naming(name string) (reading, bool) {
	p := r.paramUnder(name)
	if p == nil || r.st.cell(p) == nil {
		return reading{}, false
	}
	return reading{Rule: "named", param: name, kind: kindAnswer, perform: func(r *interpreter) {
		if r.st.Active != nil { // nothing beside it has ended the task
			r.clear(p)
		}
	}}, true
}

// removing takes an element out of a list.
func (r *interpreter) removing(c message.Command) (reading, bool) {
	p := r.paramUnder(c.Param)
	if p == nil || !p.List || !holdsValue(r.st.cell(p), c.Value.Value) {
		return reading{}, false
	}
	v := c.Value
	v.Cues |= message.CueRemove
	return reading{Rule: "values", param: p.Name, kind: kindAnswer, values: r.valuesAt(v), perform: func(r *interpreter) { r.retracted(r.in, p, v) }}, true
}

// valuesAt returns the values of the message within the words of another.
func (r *interpreter) valuesAt(of message.Value) set {
	var out set
	for i, v := range r.msg.Values {
		if v.Start < of.End && of.Start < v.End {
			out |= only(i)
		}
	}
	return out
}

// certainValues returns the values of the message that need no reader, outside the words and the params of a
// task's commands.
func (r *interpreter) certainValues(in *config.Intent, read []message.Command) set {
	var out set
	for i, v := range r.msg.Values {
		taken := slices.ContainsFunc(read, func(c message.Command) bool {
			return in.Param(c.Param) != nil && (c.Param == v.Param || v.Start < c.Value.End && c.Value.Start < v.End)
		})
		if !taken && (v.Source == "pattern" || v.Source == "enum" || r.onlyOfType(in, v)) {
			out |= only(i)
		}
	}
	return out
}

// onlyOfType reports whether a value whose form says what it is can be meant for nothing else: the task has one param
// of its type, and the message one value for it.
func (r *interpreter) onlyOfType(in *config.Intent, v message.Value) bool {
	p := in.Param(v.Param)
	if p == nil || v.Source != "builtin" || !endsByForm(p) {
		return false
	}
	another := slices.ContainsFunc(in.AllParams(), func(o *config.Param) bool { return o != p && o.Type.Builtin == p.Type.Builtin })
	return !another && !slices.ContainsFunc(r.msg.Values, func(o message.Value) bool {
		return o.Param == v.Param && (o.Start >= v.End || v.Start >= o.End)
	})
}

// alongWith returns the answer that the certain values beside other answers make: those of params that the task under
// way does not know yet.
func (r *interpreter) alongWith(answers []reading, found []message.Command) []reading {
	if r.in == nil || r.st.Active == nil || !slices.ContainsFunc(answers, func(x reading) bool { return x.kind == kindAnswer }) {
		return nil
	}
	var certain set
	for _, i := range r.certainValues(r.in, found).members() {
		if p := r.in.Param(r.msg.Values[i].Param); p != nil && r.st.cell(p) == nil {
			certain |= only(i)
		}
	}
	if certain == 0 {
		return nil
	}
	return []reading{{Rule: "values", kind: kindAnswer, evidence: 1, values: certain, perform: func(r *interpreter) {
		if r.st.Active != nil {
			r.take(r.in, certain)
		}
	}}}
}

// starting begins a task with the values that the message has for it. Beside a yes it waits until that is done.
func (r *interpreter) starting(c message.Command, beside []message.Command) (reading, bool) {
	in := r.def.Intent(c.Task)
	if !r.isTask(c.Task) || in.Internal || r.st.Active.under(in) {
		return reading{}, false
	}
	agrees := slices.ContainsFunc(beside, func(o message.Command) bool { return o.Do == message.DoYes })
	return reading{Rule: "task", Intent: in.ID, kind: kindTask, perform: func(r *interpreter) {
		certain := r.certainValues(in, beside)
		if agrees {
			r.queue(in, certain)
			return
		}
		r.interrupt(in, certain)
		for _, o := range beside {
			if p, v := r.placed(in, o); p != nil && v.Value != nil && o.Do != message.DoRemove {
				r.fill(in, p, asElement(p, v))
				r.used |= r.valuesAt(o.Value)
			}
		}
		r.refer(in, nil, r.wholeMessage())
		r.st.doubt(r.heardTask(c.Task) < sure)
	}}, true
}

// wholeMessage returns all clauses.
func (r *interpreter) wholeMessage() set {
	var all set
	for i := range r.clauses {
		all |= only(i)
	}
	return all
}

// sayNotServed says that the agent does not do that, in the agent's own way if it has one.
func (r *interpreter) sayNotServed() {
	if r.fallsBack() {
		r.fallback()
		return
	}
	r.say("not_served", nil)
	r.againOrKeep()
}

// fallsBack reports whether the agent has an answer of its own to what no task is for, and the reply says nothing yet.
func (r *interpreter) fallsBack() bool {
	return r.def.Intent(r.def.Classifier.Fallback) != nil && !r.isUnderWay() && !r.spoke
}

// sayNoMore says what the open confirmation has to say about itself, or that no more is known.
func (r *interpreter) sayNoMore() {
	if r.fallsBack() {
		r.fallback()
		return
	}
	if help := r.confirmHelp(); help != "" {
		r.st.Agenda = append(r.st.Agenda, Respond{position: position{agenda: true}, Response: "help", Text: help})
		r.spoke = true
	} else {
		r.say("no_more_known", nil)
	}
	r.againOrKeep()
}
