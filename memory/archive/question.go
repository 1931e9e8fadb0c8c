package archive

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config/language"
	"github.com/slotway/slotway/memory/internal/plaintext"
)

// lists are the words of the tier by class.
var lists = language.Lists(language.English, "archive.txt")

func phrases(class string) plaintext.Phrases { return plaintext.PhrasesOf(lists.Phrases(class)) }

var (
	openings    = phrases("opening")
	articles    = phrases("article")
	permits     = phrases("permits")
	verbs       = phrases("verb")
	continues   = phrases("continues")
	ofOneself   = phrases("about oneself")
	addresses   = phrases("addresses")
	defers      = phrases("defers")
	polite      = phrases("polite")
	assents     = phrases("assent")
	requests    = phrases("requests")
	retracts    = phrases("retracts")
	dismisses   = phrases("dismisses")
	courtesies  = phrases("courtesy")
	being       = phrases("being")
	shortAnswer = 7 // the most words of an answer that is no sentence: "At the counter in the hall"
)

// kind is a kind of questions: how they begin, what answers them, and what each sign of an answer
// is worth. A statement whose signs sum up to 1 is an answer.
type kind struct {
	name   string
	gives  float64 // it has what is asked for: a time, an amount, a reason, a yes
	shared float64 // it has words of the question
	short  float64 // it is no whole sentence
	goesOn float64 // it continues the subject: "It is", "They"
	settle float64 // it has what the question asks about its subject, or says that something is so
	reply  float64 // it stands in the reply
	nods   bool    // "fine", at once, is what is asked for
	names  bool    // a name is what is asked for
	self   bool    // what people say about themselves continues the subject: "We have three"

	asks, tells plaintext.Phrases
}

// kinds are tried in order; the last takes every question.
var kinds = []kind{
	{name: "when, of the past", gives: .6, shared: .4, short: .4, goesOn: .4},
	{name: "when", gives: .6, shared: .4, short: .4, goesOn: .4},
	{name: "how long", gives: .6, shared: .4, short: .4, goesOn: .4, self: true},
	{name: "the price", gives: .6, shared: .4, short: .4, goesOn: .4, self: true},
	{name: "how much", gives: .6, shared: .4, short: .4, goesOn: .4, self: true},
	{name: "who", gives: 1, short: 1, names: true},
	{name: "where", gives: .6, shared: .4, short: 1, goesOn: .4},
	{name: "why", gives: 1, short: 1, goesOn: 1},
	{name: "how it is", shared: 1, reply: 1, nods: true},
	{name: "how", gives: 1, shared: 1, short: 1, goesOn: 1},
	{name: "for any", gives: 1, shared: 1, short: 1, goesOn: 1},
	{name: "whether", gives: 1, shared: .5, settle: .5, nods: true},
	{name: "", shared: 1, short: 1, goesOn: 1},
}

func init() {
	for i := range kinds {
		kinds[i].asks, kinds[i].tells = phrases("asks "+kinds[i].name), phrases("tells "+kinds[i].name)
	}
}

// question is a question in the forms that are compared.
type question struct {
	*kind
	folded string
	terms  map[string]int
	matter []string // the terms of what a yes-or-no question asks about its subject
}

func questionOf(s *sentence) *question {
	q := &question{folded: unopened(s.folded), terms: s.terms}
	for i := range kinds {
		q.kind = &kinds[i]
		if _, is := q.asks.Cut(q.folded); is {
			break
		}
	}
	if q.settle == 0 {
		return q
	}
	words := strings.Fields(q.folded)
	words = words[min(1, len(words)):]
	if len(words) > 0 && articles.In(" "+words[0]+" ") {
		words = words[1:]
	}
	_, all := being.Cut(q.folded)
	for _, w := range words[min(1, len(words)):] { // behind the subject
		if term := stemOf(w); term != "" && (all || q.matter == nil) { // the verb; what follows it is the object
			q.matter = append(q.matter, term)
		}
	}
	return q
}

// Where a statement stands.
const (
	later     = iota // later in the conversation
	postponed        // after the reply put the question off
	atOnce           // in the reply
)

// answeredBy reports whether a statement answers the question. Later in the conversation it must
// have half of the question's words.
func (q *question) answeredBy(s *sentence, near int) bool {
	shared := sharedTerms(q.terms, s.terms)
	half := shared > 0 && 2*shared >= len(q.terms)
	if near == later && !half {
		return false
	}
	if defers.In(s.folded) || emptied(s.folded, &polite) {
		return false
	}
	if emptied(s.folded, &polite, &assents) {
		return near == atOnce && q.nods
	}
	asksAnew := requests.In(s.folded) || requests.In(unopened(s.folded))
	short := len(strings.Fields(s.folded)) <= shortAnswer && !verbs.In(s.folded) && !asksAnew
	goesOn := continues.In(s.folded) || ofOneself.In(s.folded) && (q.self || addresses.In(q.folded))
	some := shared > 0 && 3*shared >= len(q.terms) // of the question's words; later, half is there
	score := 0.0
	for _, sign := range [...]struct {
		worth float64
		there bool
	}{
		{q.gives, q.tells.In(s.folded) || q.names && named(s)},
		{q.shared, some},
		{q.short, near == atOnce && short && shared == 0},
		{q.goesOn, near != later && goesOn && !asksAnew},
		{q.settle, permits.In(s.folded) || slices.ContainsFunc(q.matter, func(term string) bool { return s.terms[term] > 0 })},
		{q.reply, near != later},
	} {
		if sign.there {
			score += sign.worth
		}
	}
	return score > .99
}

// unopened returns a text without what only opens it: "and can you tell me".
func unopened(folded string) string {
	for cut := true; cut; {
		folded, cut = openings.Cut(folded)
	}
	return folded
}

// named reports whether a sentence has a name, not only at its beginning.
func named(s *sentence) bool {
	_, sure := names(s.text)
	return len(sure) > 0
}

// emptied reports whether nothing but a word is left of a text without some phrases.
func emptied(folded string, all ...*plaintext.Phrases) bool {
	rest, found := folded, false
	for again := true; again; {
		again = false
		for _, p := range all {
			if shorter, cut := p.Cut(rest); cut {
				rest, again, found = shorter, true, true
			}
		}
	}
	return found && len(strings.Fields(rest)) <= 1
}

// retracted reports whether the asker takes the question back with this statement.
func (q *question) retracted(s *sentence) bool {
	return retracts.In(s.folded) || dismisses.In(unopened(s.folded)) && sharedTerms(q.terms, s.terms) > 0
}

// repeats reports whether a later question has all terms of this one and is of the same kind.
func (q *question) repeats(s *sentence) bool {
	return len(q.terms) > 0 && sharedTerms(q.terms, s.terms) == len(q.terms) && questionOf(s).kind == q.kind
}

// resolved reports whether the other side answered a question, or the asker retracted it or asked
// it again. The later question then stands for both.
func resolved(said []sentence, i int) bool {
	asked := &said[i]
	q := questionOf(asked)
	near, replied, deferred, asksBack := atOnce, false, false, false // what is known of the last reply
	for j := i + 1; j < len(said); j++ {
		s := &said[j]
		if s.role == asked.role {
			if s.message != asked.message && q.retracted(s) || s.asks && q.repeats(s) {
				return true
			}
			if replied && !asksBack {
				near = min(near-1, postponed)
				if !deferred {
					near = later
				}
			}
			replied = false
			continue
		}
		if !replied || s.message != said[j-1].message {
			deferred = false
		}
		replied, asksBack = true, s.asks
		deferred = deferred || defers.In(s.folded)
		if !s.asks && q.answeredBy(s, near) {
			return true
		}
	}
	return false
}

// taskStatus says whether a task still waits for the answer to a question.
type taskStatus int

const (
	notByTask taskStatus = iota // no task asked it: only the words tell
	closedByTask
	openByTask
)

// openQuestions returns the questions of the first n messages that nothing has answered. fates
// holds the questions that a task asked, by message.
func openQuestions(said []sentence, n int, fates map[int]taskStatus) []string {
	var out []string
	for i := range said {
		s := &said[i]
		if s.message >= n || !s.asks || courtesies.In(s.folded) || len(s.terms) == 0 {
			continue
		}
		open := openByTask
		if fate := fates[s.message]; fate != notByTask && lastAsking(said, i) {
			open = fate
		} else if resolved(said, i) {
			open = closedByTask
		}
		if text := shorten(s.text, maxTold); open == openByTask && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return newest(out, maxQuestions)
}

// lastAsking reports whether a sentence is the last question of its message, which is the one that
// a task waits for.
func lastAsking(said []sentence, i int) bool {
	return !slices.ContainsFunc(said[i+1:], func(s sentence) bool { return s.message == said[i].message && s.asks })
}

// sharedTerms counts the terms that two texts have in common.
func sharedTerms(a, b map[string]int) int {
	n := 0
	for term := range a {
		if b[term] > 0 {
			n++
		}
	}
	return n
}

func termsOf(text string) map[string]int {
	terms := map[string]int{}
	countTerms(terms, text)
	return terms
}
