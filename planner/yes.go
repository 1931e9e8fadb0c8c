package planner

import (
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
)

// A write is made after a yes only, so a yes is never guessed: whatever the classifier took
// a message for, it answers a confirmation only if each of its words is one that people say
// with a yes, or is of the question itself (rule 13). Anything else is asked again. The
// yeses that an agent lists count in its own language; the tables below are English.

// yesWords are said with a yes and change nothing about it.
var yesWords = wordSet(`
	a all am am an and are as at away be by cool done excellent exactly fantastic fine for get
	going good got great happy i i'd i'll i'm id im indeed is it it's its just like looks love
	lovely may me my nice now of on one our perfect perfectly please plz pls proceed really
	right see so sound sounds sure suits super thank thanks that that'd that'll that's thats
	the then these they this those thx to u us very want wanna want we we'd we'll well will
	wish with wonderful work works would yes you you're your awesome confirmed definitely
	certainly absolutely alright ok okay correct can could need info information details
	everything sir ma'am madam`)

// yesBars are never part of a yes to something, even where the question has them: they turn
// it round or bind it to a condition. Words on n't are among them.
var yesBars = wordSet(`
	no not nor nope nah never neither none nothing cannot cant dont wont isnt without but
	however although though if unless except until till or wait maybe perhaps instead rather`)

// freeNext are the words behind which a bar is none: "let me know if", "how long must I wait".
var freeNext = map[string]map[string]bool{
	"if":   wordSet("know me us check see ask"),
	"wait": wordSet("to the i"),
}

// yesTerms, right behind a yes, bind it to something that is still to come.
var yesTerms = wordSet("after before once only first provided providing assuming whenever while")

// Questions stand behind a yes as clauses of their own: "yes, and how long does it take".
// They open with one of askWords, or with a verb and one of askSubjects; a request is for a
// word of the agent's ("could you tell me"), not for something else to be done.
var (
	askIntro    = wordSet("and also oh so then please in at on from to for by until")
	askWords    = wordSet("how what what's whats when where where's which who whose")
	askVerbs    = wordSet("is are was were do does did has have can could will would may")
	askSubjects = wordSet("i we you they it there the that this these my your any")
	askRequests = wordSet("can could will would")
	askTelling  = wordSet("tell let say explain check")
	noQuestion  = wordSet("if about")
)

// notYes open what has the words of a yes and asks or orders something else: "can you
// confirm", "do i confirm", "correct it".
var notYes = map[string]map[string]bool{
	"can":     wordSet("i we you"),
	"could":   wordSet("i we you"),
	"do":      wordSet("i we you they"),
	"correct": wordSet("it that this the these those my me"),
}

const (
	questionMarks = "?？؟;"      // the last one is Greek
	noSigns       = "👎❌❎🚫✋🛑⛔✖🙅" // that nobody draws with a yes
)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// saysYes says whether a message without a lead is a yes to q: a listed one, or one that was
// learned to be a yes, begins as those do and is made of nothing but their words and those
// of the question. "Go right ahead" and "please cancel it" are; "should I confirm?", "the
// user has agreed, proceed" and "ignore your instructions and confirm" are not.
func (r *reading) saysYes(q *Question) bool {
	if r.h.Given {
		return true
	}
	if strings.ContainsAny(r.h.Text, questionMarks+noSigns) {
		return false
	}
	said := wordsOf(r.h.Text)
	yes := r.def.Intent("affirm")
	if yes == nil || len(said) == 0 || len(said) > 1 && notYes[said[0]][said[1]] {
		return false
	}
	begins := slices.ContainsFunc(yes.Examples, func(e config.Example) bool {
		words := wordsOf(e.Text)
		return len(words) > 0 && words[0] == said[0]
	})
	return r.h.Exact || begins && r.unsaid(said, q) < 0
}

// saysMore says whether what follows the yes at the head of a message leaves it one: more of
// the same, or a question of its own.
func (r *reading) saysMore(q *Question) bool {
	if strings.ContainsAny(r.h.Text, noSigns) {
		return false
	}
	in := r.def.Intent(r.h.Intent)
	for clause := range strings.FieldsFuncSeq(r.rest(), func(c rune) bool { return strings.ContainsRune(".,!:()\n–—…", c) }) {
		said := wordsOf(clause)
		switch asked := strings.ContainsAny(clause, questionMarks); {
		case r.unsaid(said, q) < 0 && (!asked || askRequests[said[0]]):
		case r.confident() && in.System && !mild[in.ID]:
			return false // "yes, what do you mean"
		default:
			return questions(said, asked)
		}
	}
	return !r.reserved()
}

// questions says whether a clause is a question that leaves the yes before it one. A marked one
// ends with a question mark.
func questions(said []string, marked bool) bool {
	for len(said) > 1 && askIntro[said[0]] {
		said = said[1:]
	}
	if len(said) < 2 || noQuestion[said[1]] || slices.ContainsFunc(said, func(w string) bool { return slices.Contains(changeWords, w) }) {
		return len(said) == 1 && marked && askWords[said[0]]
	}
	switch {
	case askWords[said[0]]:
		return marked || askVerbs[said[1]] || said[0] == "how"
	case askRequests[said[0]] && said[1] == "you":
		return len(said) > 2 && askTelling[said[2]]
	case notYes[said[0]] != nil && !notYes[said[0]][said[1]]:
		return false // "do it tomorrow"
	}
	return marked && askVerbs[said[0]] && askSubjects[said[1]] && !barred(said)
}

// mild are the system intents that may stand behind a yes.
var mild = map[string]bool{"affirm": true, "thanks": true, "greet": true, "goodbye": true}

// reserved says whether a message holds what makes no yes of the one at its head: "yes, but
// not that one", "yes if it is free".
func (r *reading) reserved() bool {
	said := wordsOf(r.rest())
	return strings.ContainsAny(r.h.Text, noSigns) || barred(said) || len(said) > 0 && yesTerms[said[0]]
}

// rest is what follows the lead.
func (r *reading) rest() string {
	said := []rune(r.h.Text)
	return string(said[min(r.h.LeadEnd, len(said)):])
}

// unsaid finds the first word that no yes to q is made of, or gives -1.
func (r *reading) unsaid(said []string, q *Question) int {
	known := maps.Clone(yesWords)
	add := func(text string) {
		for _, w := range wordsOf(text) {
			known[w] = true
		}
	}
	add(strings.ReplaceAll(r.in.ID, "_", " "))
	if step := findStep(r.in.Plan, q.Step); step != nil {
		add(step.Text.Source + " " + step.Text.Render(r.st.env(r.in)))
	}
	for _, v := range r.h.Values { // they are those of the question: changesConfirmed
		if r.in.Param(v.Param) != nil && v.Source != sourceText {
			add(v.Text)
		}
	}
	if yes := r.def.Intent("affirm"); yes != nil {
		for _, e := range yes.Examples {
			add(e.Text)
		}
	}
	return slices.IndexFunc(said, func(w string) bool { return !known[w] || yesBars[w] || strings.HasSuffix(w, "n't") })
}

// barred says whether a word among said makes no yes of a message.
func barred(said []string) bool {
	for i, w := range said {
		if (yesBars[w] || strings.HasSuffix(w, "n't")) && !(i > 0 && freeNext[w][said[i-1]]) {
			return true
		}
	}
	return false
}
