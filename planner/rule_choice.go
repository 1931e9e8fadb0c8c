package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
)

// proposeChoice reads references to the options of an offer: one of them, all, none, "the other
// one" (rule 12 of the values).
func (r *interpreter) proposeChoice() []reading {
	q := r.st.Open
	if q == nil || len(q.Options) == 0 || q.Kind == askCorrect {
		return r.chooseAnew()
	}
	picked, e, of := r.pickedOptions(q)
	x := reading{Rule: "choice", kind: kindChoice, evidence: e, clauses: of | r.leading()}
	for i, v := range r.msg.Values {
		if v.Source == sourceOption {
			x.values |= only(i)
		}
	}
	switch {
	case e == 0:
		return nil
	case len(picked) == 0:
		x.perform = func(r *interpreter) { r.noneOf(q) }
	case len(picked) == 1:
		x.perform = func(r *interpreter) { r.choseOption(q, picked[0]) }
	default:
		x.perform = func(r *interpreter) { r.choseMany(q, picked) }
	}
	return []reading{x}
}

// chooseAnew takes another option of an earlier offer instead of the chosen one: "no, the hose".
func (r *interpreter) chooseAnew() []reading {
	o := r.st.Offered
	if o == nil || r.in == nil || r.st.Active == nil || r.in.Param(o.Param) == nil || r.freeText() {
		return nil
	}
	p := r.in.Param(o.Param)
	held := r.st.cell(p)
	if held == nil {
		return nil
	}
	left := slices.DeleteFunc(slices.Clone(o.Options), func(x Option) bool { return same(x.Value, held.Value) })
	q := &openQuestion{Kind: askChoice, Param: o.Param, Options: left}
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.values != 0 || c.is(message.ActQuestion) || !r.disagrees() && !c.is(message.ActChoose) && !slices.Contains(c.words, "just") && !slices.Contains(c.words, "only") {
			continue
		}
		picked, denied := r.sharing(q, c)
		if slices.Contains(c.words, "other") && len(left) == 1 {
			picked, denied = left, false
		}
		if at := placeOf(c.words, len(o.Options)); at >= 0 && !same(o.Options[at].Value, held.Value) {
			picked, denied = o.Options[at:at+1], false
		}
		if len(picked) != 1 || denied {
			continue
		}
		return []reading{{
			Rule: "choice", kind: kindAnswer, evidence: 0.93, clauses: only(i) | r.leading(), around: r.leading().without(only(i)),
			perform: func(r *interpreter) {
				r.fill(r.in, p, message.Value{Param: p.Name, Value: picked[0].Value, Text: picked[0].Label, Source: "context"})
				r.again()
				r.closeChange()
			},
		}}
	}
	return nil
}

// pickedOptions returns which options are meant, how sure that is, and which clauses say so. No
// options with an evidence above 0 means: none of them.
func (r *interpreter) pickedOptions(q *openQuestion) ([]Option, float64, set) {
	named, denied, of := r.namedOptions(q)
	switch {
	case len(named) > 0 && r.onlyNames(q, named, of):
		return distinct(named), 0.99, of
	case len(named) > 0:
		return distinct(named), 0.95, of
	}
	for i := range r.clauses {
		if o := r.byLabel(q, &r.clauses[i]); o != nil {
			return []Option{*o}, 0.97, only(i)
		}
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.is(message.ActQuestion) && !c.is(message.ActChoose) {
			continue
		}
		switch all, none := quantity(c.words); {
		case none:
			return nil, 0.9, only(i)
		case all && len(denied) == 0:
			return q.Options, 0.9, only(i)
		}
		if rows, hit := r.sharing(q, c); len(rows) > 0 && len(rows) < len(q.Options) {
			if hit {
				return without(q.Options, rows), 0.85, only(i)
			}
			return rows, 0.8, only(i)
		}
	}
	if len(denied) > 0 {
		return without(q.Options, denied), 0.85, of
	}
	return nil, 0, 0
}

// namedOptions returns the options that values of the message name, those that they exclude, and
// the clauses of these values.
func (r *interpreter) namedOptions(q *openQuestion) (named, denied []Option, of set) {
	for i := range r.clauses {
		c := &r.clauses[i]
		for _, v := range r.msg.Values {
			if v.Source != sourceOption || !c.meets(v) {
				continue
			}
			of |= only(i)
			if o := optionOf(q, v.Value); o != nil {
				if v.Cues.Any(message.CueNegated|message.CueRemove) && slices.ContainsFunc(r.wordsOf(v.Text), func(w string) bool { return slices.Contains(r.wordsOf(o.Label), w) && !negators[w] }) {
					denied = append(denied, *o)
				} else {
					named = append(named, *o)
				}
			}
		}
	}
	return named, denied, of
}

// onlyNames reports whether clauses consist of words of the named options: nothing in them asks for
// anything else.
func (r *interpreter) onlyNames(q *openQuestion, named []Option, of set) bool {
	var words []string
	for _, o := range named {
		words = append(words, r.wordsOf(o.Label+" "+r.fieldsOf(q, o))...)
	}
	return !slices.ContainsFunc(of.members(), func(i int) bool {
		return slices.ContainsFunc(r.clauses[i].words, func(w string) bool {
			return !choiceFillers[w] && !aroundValue[w] && !slices.ContainsFunc(words, func(o string) bool { return alike(o, w) })
		})
	})
}

// quantity reports whether words take all options, or none.
func quantity(words []string) (all, none bool) {
	if len(words) > 6 {
		return false, false
	}
	for i, w := range words {
		switch {
		case noneWords[w]:
			return false, true
		case allWords[w] && !(i > 0 && negators[words[i-1]]):
			all = true
		}
	}
	return all, false
}

// placeOf returns the index that a few words name in a list of n: "no, the first"; -1 for none.
func placeOf(words []string, n int) int {
	at := -1
	for _, w := range words {
		place, ok := places[w]
		switch {
		case w == "last":
			place = n - 1
		case !ok && (choiceFillers[w] || aroundValue[w] || negators[w] || w == "number" || w == "option"):
			continue
		case !ok:
			return -1
		}
		if at >= 0 || place >= n {
			return -1
		}
		at = place
	}
	return at
}

// Words that choose without a name: all options, none, or one by its place.
var (
	allWords  = wordSet("all_words")
	noneWords = wordSet("none_words")
	places    = placesOf("first", "second", "third", "fourth", "fifth")
)

func placesOf(classes ...string) map[string]int {
	at := map[string]int{}
	for i, class := range classes {
		for w := range wordSet(class) {
			at[w] = i
		}
	}
	return at
}

func optionOf(q *openQuestion, value any) *Option {
	for i := range q.Options {
		if same(q.Options[i].Value, value) {
			return &q.Options[i]
		}
	}
	return nil
}

func distinct(list []Option) []Option {
	var out []Option
	for _, o := range list {
		if !slices.ContainsFunc(out, func(p Option) bool { return same(o.Value, p.Value) }) {
			out = append(out, o)
		}
	}
	return out
}

func without(list, some []Option) []Option {
	return slices.DeleteFunc(slices.Clone(list), func(o Option) bool {
		return slices.ContainsFunc(some, func(p Option) bool { return same(o.Value, p.Value) })
	})
}

// byLabel finds the option with the label that a clause says.
func (r *interpreter) byLabel(q *openQuestion, c *clause) *Option {
	said := message.Fold(message.Trim(c.text, " .!?,"))
	for i := range q.Options {
		if said == message.Fold(q.Options[i].Label) {
			return &q.Options[i]
		}
	}
	return nil
}

// sharing finds the options that share the telling words of a clause in any field of their row:
// "the one that shipped", "the shelf". denied: the clause excludes them.
func (r *interpreter) sharing(q *openQuestion, c *clause) (found []Option, denied bool) {
	if len(c.words) > 8 {
		return nil, false
	}
	most := 0
	for _, o := range q.Options {
		hits := 0
		fields := r.wordsOf(o.Label + " " + r.fieldsOf(q, o))
		for _, w := range c.words {
			if len(w) > 2 && !choiceFillers[w] && !titleWords[w] && slices.ContainsFunc(fields, func(f string) bool { return alike(f, w) }) {
				hits++
			}
		}
		switch {
		case hits > most:
			most, found = hits, []Option{o}
		case hits == most && hits > 0:
			found = append(found, o)
		}
	}
	return found, slices.ContainsFunc(c.words, func(w string) bool { return negators[w] })
}

var choiceFillers = wordSet("choice_fillers")

// titleWords of a title tell no option from another: "I can't say" does not choose "say when a
// refund arrives".
var titleWords = wordSet("title_words")

// alike reports whether two words are the same: equal, in another number, or one the end of the
// other.
func alike(field, word string) bool {
	field, word = strings.TrimSuffix(field, "s"), strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "s")
	return field == word || len(word) >= 4 && strings.HasSuffix(field, word)
}

// fieldsOf returns the texts of the row behind an option.
func (r *interpreter) fieldsOf(q *openQuestion, o Option) string {
	if r.in == nil || q.Step == "" {
		return ""
	}
	s := findStep(r.in.Plan, q.Step)
	if s == nil {
		return ""
	}
	list, _ := s.From.Resolve(r.st.env(r.in)).([]any)
	var b strings.Builder
	for _, e := range list {
		row, ok := e.(map[string]any)
		if !ok || !same(s.Choice(e), o.Value) {
			continue
		}
		for _, v := range row {
			if text, ok := v.(string); ok {
				b.WriteString(" " + text)
			}
		}
	}
	return b.String()
}

// choseOption goes on with one of the options.
func (r *interpreter) choseOption(q *openQuestion, o Option) {
	if q.Kind != askChoice {
		r.st.Open, r.picked = nil, true
		r.pickOption(o)
		return
	}
	p := r.asked
	if p == nil {
		r.again()
		return
	}
	r.fill(r.in, p, message.Value{Param: p.Name, Value: o.Value, Text: o.Label, Source: sourceOption})
	r.again()
}

// pickOption goes on with an offered task, or with one of two readings of an earlier message. The
// other values of the message belong to that task.
func (r *interpreter) pickOption(o Option) {
	r.st.Unclear = 0
	if m, ok := meaningOf(o.Value); ok {
		r.carryOut(m)
		return
	}
	r.pick(o.Value, r.allValues())
	r.takeBrought(r.lastOpen)
}

// noneOf answers "none of these" and asks for other words.
func (r *interpreter) noneOf(q *openQuestion) {
	r.spoke = true
	switch {
	case q.Kind == askResumeOne:
		r.st.Open, r.st.Suspended = nil, nil
		r.say("cancelled", nil)
	case q.Kind == askIntent:
		r.st.Open = nil
		r.say("rephrase", nil)
	default:
		r.st.Agenda = append(r.st.Agenda, Offer{position: position{agenda: true}, Prompt: render(r.st, "none_of_these", nil), kind: askHandoff})
		r.st.Open = nil
	}
}

// choseMany takes several tasks one after the other. If the options are not tasks, it offers the
// chosen ones again.
func (r *interpreter) choseMany(q *openQuestion, picked []Option) {
	switch {
	case q.Kind == askIntent:
		r.oneByOne(optionLabels(picked))
		for _, o := range picked[1:] {
			if id, ok := o.Value.(string); ok && r.def.Intent(id) != nil {
				r.queue(r.def.Intent(id), r.allValues())
			}
		}
		r.st.Open, r.picked = nil, true
		r.pickOption(picked[0])
	case q.Kind == askChoice && r.asked != nil && r.isSubject(r.in, r.asked) && r.takesAll(q):
		r.oneByOne(optionLabels(picked))
		var more []any
		for _, o := range picked[1:] {
			more = append(more, o.Value)
		}
		r.queueMore(r.in, r.asked, more)
		r.fill(r.in, r.asked, message.Value{Param: r.asked.Name, Value: picked[0].Value, Source: sourceOption})
		r.again()
	case q.Kind == askChoice && r.asked != nil:
		prompt := render(r.st, "choose", map[string]any{"options": labels(picked)})
		r.st.Open = nil
		r.st.Agenda = append(r.st.Agenda, Choose{position: position{ID: q.Step, agenda: true}, Param: q.Param, Prompt: prompt, Options: picked, kind: askChoice})
		r.spoke = true
	default:
		r.clarifyAgain(picked, "clarify")
	}
}

// takesAll reports whether the message takes all the options that it names: "both", "A and B".
func (r *interpreter) takesAll(q *openQuestion) bool {
	for i := range r.clauses {
		if all, _ := quantity(r.clauses[i].words); all {
			return true
		}
	}
	return slices.ContainsFunc(r.msg.Values, func(v message.Value) bool { return v.Source == sourceOption && optionOf(q, v.Value) != nil })
}

func optionLabels(list []Option) []string {
	out := make([]string, len(list))
	for i, o := range list {
		out[i] = o.Label
	}
	return out
}

// oneByOne says that several tasks are done one after the other.
func (r *interpreter) oneByOne(what []string) {
	r.say("one_at_a_time", map[string]any{"first": what[0], "count": float64(len(what))})
}
