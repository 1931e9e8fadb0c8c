package cues

import (
	"github.com/slotway/slotway/classifier/message"
)

// Words that open a question, and those that make a request of one.
var (
	whWords    = words("wh words")
	auxiliary  = words("auxiliary")
	modal      = words("modal")
	subjects   = words("subjects")
	pronouns   = words("pronouns")
	needsWho   = words("needs who")
	notAsking  = words("not asking")
	wishes     = words("wishes")
	openers    = words("openers")
	courtesies = words("courtesies")
	tellers    = words("tellers")
	ifs        = words("ifs")
	states     = words("states")
	addressed  = words("addressed")
	speakers   = words("speakers")
	politeIf   = words("polite if")   // "if possible"
	politeWish = words("polite wish") // "if you like"
	itIs       = words("it is")
	allRight   = words("all right") // "if it's ok"
)

// requests are questions that ask for something to be done.
var requests = book[bool]{}.byFirst(true, phrases("request"))

// clause is a stretch between pauses.
type clause struct {
	span
	asked bool
}

// clauseCues reports whether word i stands in a question, or under a condition.
func (w *work) clauseCues(i int) message.Cues {
	if w.foreign {
		return 0
	}
	if len(w.clauses) == 0 { // only now needed
		w.clauses = w.split(w.clauses)
		w.askedIn(w.clauses)
	}
	for _, c := range w.clauses {
		switch {
		case c.from > i || i >= c.to:
		case c.asked || w.indirect(c.from, i):
			return message.CueAsked
		case w.conditional(c.from, i):
			return message.CueCondition
		}
	}
	return 0
}

// split cuts a message at pauses, and before a joining word that begins a question.
func (m *cutMessage) split(into []clause) []clause {
	from := 0
	for i := 1; i <= len(m.words); i++ {
		cut := i == len(m.words) || depth(m.mark(i)) > 1 || joiners[m.low(i)] && m.opens(i+1)
		if cut {
			into = append(into, clause{span: span{from, i}})
			from = i
		}
	}
	return into
}

// opens reports whether a clause of its own begins at word i.
func (m *cutMessage) opens(i int) bool {
	return m.free(i) && (m.questionAt(i) || pronouns[m.low(i)] || m.low(i) == "please" || modal[m.low(i)])
}

// askedIn says which clauses are questions. What follows one in its sentence is part of
// it, unless it speaks for itself.
func (m *cutMessage) askedIn(list []clause) {
	running := false
	for k := range list {
		c := &list[k]
		at := m.head(c.span)
		request := m.requestAt(at)
		switch {
		case request:
			running = false
		case m.questionAt(at):
			running = true
		case m.free(at) && (pronouns[m.low(at)] || ifs[m.low(at)]) && m.mark(c.to) != '?':
			running = false
		case !running && m.mark(c.to) == '?' && m.declares(c.span):
			running = true
		}
		c.asked = running
		if ends(m.mark(c.to)) {
			running = false
		}
	}
}

// head is the first word of a clause behind its courtesy.
func (m *cutMessage) head(c span) int {
	i := c.from
	for i < c.to-1 && m.free(i) && openers[m.low(i)] {
		i++
	}
	return i
}

// questionAt reports whether the words at i open a question: "where is", "does it".
func (m *cutMessage) questionAt(i int) bool {
	w, next := m.low(i), m.low(i+1)
	switch {
	case !m.free(i) || next == "":
		return m.free(i) && whWords[w]
	case w == "when" || w == "whenever":
		return auxiliary[next] && m.free(i+1)
	case whWords[w]:
		return true
	case !auxiliary[w] || notAsking[next] && m.free(i+1):
		return false
	case needsWho[w] || modal[w]:
		return subjects[next] || m.words[i+1].value != 0 && modal[w] && w != "may"
	}
	return true
}

// requestAt reports whether the words at i ask for something to be done: "can you cancel".
func (m *cutMessage) requestAt(i int) bool {
	if said, n := requests.at(m, i); n > 0 {
		return said
	}
	if !m.free(i) || !modal[m.low(i)] {
		return false
	}
	next := m.low(i + 1)
	return addressed[next] || speakers[next] && wishes[m.low(i+2)]
}

// declares reports whether a clause that only its question mark makes a question has a verb:
// "you deliver to Boston?", but not "a table for two at 7?".
func (m *cutMessage) declares(c span) bool {
	for i := c.from; i < c.to; i++ {
		if w := m.low(i); m.free(i) && (pronouns[w] || auxiliary[w] || states[w]) {
			return true
		}
	}
	return false
}

// indirect reports whether the words of a clause before a value ask within a request: "can
// you tell me when O-1".
func (m *cutMessage) indirect(from, to int) bool {
	for i := from + 1; i < to; i++ {
		if w := m.low(i); m.free(i) && (whWords[w] || w == "if" || w == "whether") && m.free(i-1) && tellers[m.low(i-1)] {
			return true
		}
	}
	return false
}

// conditional reports whether the words of a clause before a value make a condition.
func (m *cutMessage) conditional(from, to int) bool {
	for i := from; i < to; i++ {
		if !m.free(i) {
			continue
		}
		switch w := m.low(i); {
		case w == "when" && !m.questionAt(i), w == "in" && m.low(i+1) == "case", w == "as" && m.low(i+1) == "long" && m.low(i+2) == "as":
			return true
		case ifs[w] && !m.polite(i+1):
			return true
		}
	}
	return false
}

// polite reports whether what follows an "if" makes no condition: "if you could send".
func (m *cutMessage) polite(i int) bool {
	w, next := m.low(i), m.low(i+1)
	return politeIf[w] || (addressed[w] || speakers[w]) && (modal[next] || politeWish[next]) || itIs[w] && allRight[next]
}
