package planner

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// What the reader of question and message finds (commands.go) is weighed against what the rules have found.
// The rules know the agent's examples, and what a value is said to: the month of "the 6th". The reader knows
// what people say: it stands before them, but for what standsByRule and surer name.

// hardlyYes is the reader's probability below which a yes that the rules have found is asked about.
const hardlyYes = 0.25

// readNoText is the probability from which something else is read instead of the text that is asked for: a text
// may hold any words.
const readNoText = 0.9

// readOfMany is the probability from which one of several values that the rules find for a param is the one meant.
const readOfMany = 0.95

// read returns the readings to perform: those of the rules, or those of the reader. others are what the
// arbiter has set aside.
func (r *interpreter) read(byRule, others []reading) []reading {
	if r.msg.Hear == nil || r.msg.Exact || r.choosesTask() {
		return byRule
	}
	onlyYes := r.confirming() && len(byRule) == 1 && byRule[0].kind == kindYes
	if !onlyYes && r.standsByRule(byRule) {
		return byRule
	}
	r.weighed = r.msg.Hear()
	r.ruleOut(byRule)
	switch {
	case !onlyYes:
	case r.heard(message.DoYes) < hardlyYes:
		byRule = nil
	case r.standsByRule(byRule):
		return byRule
	}
	all := slices.Concat(byRule, others)
	if at := slices.IndexFunc(all, func(x reading) bool { return x.Rule == "text" }); at >= 0 {
		r.byText = all[at]
	}
	read := r.commanded()
	if r.asked != nil && r.heard(message.DoUnclear) >= readNoText {
		byRule = slices.DeleteFunc(slices.Clone(byRule), func(x reading) bool { return x.kind == kindAnswer && x.values != 0 && x.Rule != "text" })
	}
	if r.saysLess(read, byRule) {
		return byRule
	}
	read = r.betterAnswer(read, all)
	slices.SortStableFunc(read, func(a, b reading) int { return cmp.Compare(phases[a.kind], phases[b.kind]) })
	return read
}

// saysLess reports whether all that the reader has found says less than what the rules have.
func (r *interpreter) saysLess(read, byRule []reading) bool {
	switch {
	case len(read) == 0:
		return true
	case len(byRule) == 0:
		return false
	case onlyOf(read, "noted"), onlyOf(read, "asked") && onlyAnswers(byRule):
		return true // any answer is more than that no more is known
	case (onlyOf(read, "no") || onlyOf(read, "hold")) && r.hasChange(byRule):
		return true // they say what is to be changed
	}
	return r.surer(byRule, read)
}

// hasChange reports whether readings change values of what the open question is about.
func (r *interpreter) hasChange(list []reading) bool {
	return r.changing() && slices.ContainsFunc(list, func(x reading) bool { return x.kind == kindAnswer || x.kind == kindMore })
}

// changing reports whether the open question is about values that are known.
func (r *interpreter) changing() bool {
	q := r.st.Open
	return q != nil && slices.Contains([]questionKind{askConfirm, askChange, askCorrect}, q.Kind)
}

// choosesTask reports whether the user is asked which of several tasks is meant. The reader was not trained
// with such questions.
func (r *interpreter) choosesTask() bool {
	q := r.st.Open
	return q != nil && q.Kind == askIntent && len(q.Options) > 1
}

// heard returns the probability of a command.
func (r *interpreter) heard(do message.Do) float64 {
	p := 0.0
	for _, c := range r.weighed {
		if c.Do == do {
			p = max(p, c.P)
		}
	}
	return p
}

// onlyOf reports whether all readings are of one rule.
func onlyOf(list []reading, rule string) bool {
	return !slices.ContainsFunc(list, func(x reading) bool { return x.Rule != rule })
}

// onlyAnswers reports whether readings only say something, and leave everything as it is.
func onlyAnswers(list []reading) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(x reading) bool {
		return x.Rule == "question" || !slices.Contains([]kind{kindAside, kindMeta, kindCourtesy}, x.kind)
	})
}

// rulesOfTheTalk are those that know what the reader is not told: what was said before, and what the agent's author has
// written for it.
var rulesOfTheTalk = []string{"several", "unsure", "crisis", "language", "taken back", "follow", "outcome", "misfit"}

// standsByRule reports whether what the rules have found stands, whatever the reader finds: a request that
// is as good as an example, several requests, or an answer that is little more than a value of a pattern.
func (r *interpreter) standsByRule(byRule []reading) bool {
	return slices.ContainsFunc(byRule, func(x reading) bool {
		switch {
		case slices.Contains(rulesOfTheTalk, x.Rule), x.Rule == "task" && x.evidence >= nearlyCertain, r.isNotServed(x.Intent):
			return true
		case x.kind == kindMore, r.changing() && x.kind == kindAnswer && r.hasElements():
			return true
		case x.Rule == "value" && x.Intent == "":
			return len(r.words) <= brief // a value alone begins no task of several
		}
		return x.kind == kindAnswer && r.asked != nil && x.score >= nearlyCertain && r.certain(x.values)
	})
}

// hasElements reports whether a param of the task under way has elements of several fields: the reader knows none.
func (r *interpreter) hasElements() bool {
	return r.in != nil && slices.ContainsFunc(r.in.AllParams(), func(p *config.Param) bool { return p.Objects != nil })
}

// certain reports whether a pattern or an enumeration says what all of some values are: they need no reader.
func (r *interpreter) certain(values set) bool {
	return values != 0 && !slices.ContainsFunc(r.valuesOf(values), func(v message.Value) bool { return v.Source != "pattern" && v.Source != "enum" })
}

// surer reports whether the rules are at least as sure of what is said to the task under way as the reader is of
// what it has found.
func (r *interpreter) surer(byRule, read []reading) bool {
	if q := r.st.Open; q != nil && (q.Kind == askChoice || q.Kind == askIntent) {
		return false
	}
	other := 0.0 // how sure the reader is of anything that the rules have not found
	for _, x := range read {
		if !slices.ContainsFunc(byRule, func(o reading) bool { return r.agree(o, x) }) {
			other = max(other, x.evidence)
		}
	}
	if other == 0 {
		return false
	}
	return slices.ContainsFunc(byRule, func(x reading) bool {
		switch {
		case slices.ContainsFunc(read, func(o reading) bool { return r.agree(x, o) }), x.Rule == "question", x.kind == kindCourtesy:
			return false
		case x.Rule == "text" && other < readNoText:
			return true
		}
		return x.score >= other
	})
}

// agree reports whether a reading of a rule says the same as one of the reader.
func (r *interpreter) agree(byRule, read reading) bool {
	if read.param != "" {
		return r.gives(byRule, read)
	}
	return deedOf(byRule) == deedOf(read)
}

func (r *interpreter) isNotServed(intent string) bool {
	in := r.def.Intent(intent)
	return in != nil && in.NotServed
}

// asksFor reports whether the open question asks for a param.
func (r *interpreter) asksFor(param string) bool {
	return r.asked != nil && r.asked.Name == param && r.st.Open.Kind == askParam
}

// deedOf names what a reading does, whatever its values are. A courtesy does nothing.
func deedOf(x reading) string {
	key := strconv.Itoa(int(x.kind))
	switch x.kind {
	case kindTask:
		key += x.Intent
	case kindMeta:
		key += x.Rule
	case kindAside:
		key += x.Rule + x.Intent
	case kindCourtesy:
		return ""
	}
	return key
}

// betterAnswer puts the reading of a rule in the place of the reader's answers, if it has values for the same
// params in the same words.
func (r *interpreter) betterAnswer(read, byRule []reading) []reading {
	var answers, rest []reading
	for _, x := range read {
		if x.param != "" {
			answers = append(answers, x)
		} else {
			rest = append(rest, x)
		}
	}
	listed := r.asked != nil && r.asked.List // then the whole text is no answer: what no command covers is said back
	at := slices.IndexFunc(byRule, func(x reading) bool {
		if x.kind != kindAnswer || listed && x.Rule == "text" {
			return false
		}
		return !slices.ContainsFunc(answers, func(a reading) bool { return !r.gives(x, a) || a.evidence >= readOfMany && r.givesMore(x, a) })
	})
	if len(answers) == 0 || at < 0 {
		return read
	}
	return append(rest, byRule[at])
}

// givesMore reports whether a reading of a rule has another value for the param of a command, beside its words.
func (r *interpreter) givesMore(x, command reading) bool {
	p := r.paramUnder(command.param)
	return p != nil && !p.List && slices.ContainsFunc(r.valuesOf(x.values.without(command.values)), func(v message.Value) bool { return v.Param == command.param })
}

// gives reports whether a reading of a rule has a value for the param of a command, in its words.
func (r *interpreter) gives(x, command reading) bool {
	if x.param != "" {
		return x.param == command.param
	}
	return slices.ContainsFunc((x.values & command.values).members(), func(i int) bool { return r.msg.Values[i].Param == command.param })
}
