package cues

import (
	"github.com/slotway/slotway/classifier/message"
)

// Words that open a question, and those that make a request of one.
var (
	whWords    = words("what which who whom whose where when why how whats wheres hows whens whos")
	auxiliary  = words("is are was were do does did can could will would should shall may might have has had am isnt arent wasnt werent dont doesnt didnt wont cant couldnt wouldnt shouldnt hasnt havent")
	modal      = words("can could will would may might cant couldnt wont wouldnt shall should")
	subjects   = words("i you u ya he she it they we there this that these those the my your our his her their anyone someone everything anything")
	pronouns   = words("i im ive id ill you youre u he she it its they theyre we were theres there")
	needsWho   = words("do have had dont may might will should shall did am")
	notAsking  = words("be fine ok okay good great right wrong correct wonderful perfect do work")
	wishes     = words("get have book order buy change make reserve schedule send cancel return switch update add remove move transfer rent hire take do set ask request go come fly travel stay leave meet please just also maybe possibly kindly use see speak talk")
	openers    = words("and but so then also ok okay well hey hi hello please oh um uh hmm yes yeah no nope sorry just btw alright right now plus thanks")
	courtesies = words("please pls thanks thank you thx ok okay then right yes no maybe perhaps and or")
	tellers    = words("know tell check see ask say wonder wondering find out sure idea clue me remember whether if confirm")
	ifs        = words("if unless provided providing whenever")
	states     = words("comes come costs cost takes work works include includes contains ships arrives leaves needs means")
)

// requests are questions that ask for something to be done.
var requests = book[bool]{}.byFirst(true, `do you mind,would you mind,is it possible to,would it be possible to,is it possible for you to,is there any way to,is there a way to,is there any way you can,`+
	`why dont you,why dont we,how about,what about,what do you say to,can i get,could i get,may i have,why not,could it be,can it be,could that be,can that be,would it be`)

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
	switch m.low(i + 1) {
	case "you", "u", "ya":
		return true
	case "i", "we":
		return wishes[m.low(i+2)]
	}
	return false
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
	switch m.low(i) {
	case "possible", "so", "not", "any":
		return true
	case "you", "i", "we", "u":
		next := m.low(i + 1)
		return modal[next] || next == "please" || next == "like" || next == "want" || next == "dont" || next == "may"
	case "its", "thats":
		return m.low(i+1) == "ok" || m.low(i+1) == "okay" || m.low(i+1) == "possible" || m.low(i+1) == "fine"
	}
	return false
}
