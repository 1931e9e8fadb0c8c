package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"time"

	"github.com/slotway/slotway/memory"
)

// transcript is one session of the ledger as it is stored, and what was said in it besides.
type transcript struct {
	id    string
	turns []told // in their order
	lost  []gone // messages that were given up, and of which there is no turn
}

// told is one stored turn.
type told struct {
	number      int64
	after       int64 // the newest turn that was acknowledged when it was sent
	text        string
	reply       reply
	sent, heard time.Time // heard is zero where nobody was given the reply
	stood       time.Time // the turn was stored by then: its reply was heard, or that of a later turn; zero: not known
}

// transcribe puts what a client knows into the order of what is stored. Turns of which the two
// say different things are another check's.
func transcribe(known *session, stored *memory.Archive) *transcript {
	t := &transcript{id: known.id}
	acked, given := map[string]said{}, map[string]gone{}
	for _, s := range known.turns {
		acked[s.id] = s
	}
	for _, g := range known.gone {
		given[g.id] = g
	}
	for _, turn := range stored.Turns {
		one := told{number: turn.Number}
		if json.Unmarshal(turn.Response, &one.reply) != nil {
			continue
		}
		if s, ok := acked[turn.RequestID]; ok {
			one.text, one.after, one.sent, one.heard = s.text, s.after, s.sent, s.heard
		} else {
			g := given[turn.RequestID]
			one.text, one.after, one.sent = g.text, g.after, g.sent
			delete(given, turn.RequestID)
		}
		t.turns = append(t.turns, one)
	}
	slices.SortFunc(t.turns, func(a, b told) int { return int(a.number - b.number) })
	t.stand()
	for _, g := range known.gone {
		if _, ok := given[g.id]; ok {
			t.lost = append(t.lost, g)
		}
	}
	return t
}

// stand notes when each turn was stored at the latest.
func (t *transcript) stand() {
	var stood time.Time
	for i := range slices.Backward(t.turns) {
		one := &t.turns[i]
		if !one.heard.IsZero() && (stood.IsZero() || one.heard.Before(stood)) {
			stood = one.heard
		}
		one.stood = stood
	}
}

var (
	keys   = regexp.MustCompile(`\b[EPGNTW]-\d+\b`)
	done   = regexp.MustCompile(`\b([EPGNTW]-\d+) is (?:booked|paid|pledged|noted|tipped|sent)\b`)
	denied = regexp.MustCompile(`\b([EPGNTW]-\d+) is not (?:booked|paid|pledged|sent)\b`)
)

// firsts are what an expression finds in a text: its first group, or all of it.
func firsts(e *regexp.Regexp, text string) (found []string) {
	for _, m := range e.FindAllStringSubmatch(text, -1) {
		found = append(found, m[len(m)-1])
	}
	return found
}

// done are the writes of a tool that a reply says were done, by their keys; tool "": of any.
func (t *told) done(tool string) []string {
	return slices.DeleteFunc(firsts(done, t.reply.Reply), func(key string) bool { return tool != "" && toolOf(key) != tool })
}

// calls counts the calls of a tool that a reply reports with one of the statuses.
func (t *told) calls(tool string, statuses ...string) (n int) {
	for _, c := range t.reply.ToolCalls {
		if c.Tool == tool && slices.Contains(statuses, c.Status) {
			n++
		}
	}
	return n
}

// mayKnow says whether what happened then was no later than the turn.
func (t *told) mayKnow(at int64) bool { return t.stood.IsZero() || at <= t.stood.UnixNano() }

// request is something that may bring about one write.
type request struct {
	keys  []string // of one of these
	sent  int64    // the first message that it was in
	after int64    // the turn of the write is a later one than this
	late  bool     // it may have been lost or overtaken, so that its turn may be any later one
}

// requests are, of writes that need no yes, each message that names one, and of the others each
// question that a yes may have been the answer to.
func (t *transcript) requests() (all []request) {
	for _, turn := range t.turns {
		// A first try may have been lost, and told of in one of the turns that came between.
		all = append(all, naming(turn.text, turn.sent, turn.after, turn.number > turn.after+1)...)
	}
	for _, g := range t.lost {
		all = append(all, naming(g.text, g.sent, g.after, true)...)
	}
	for i, q := range t.turns {
		if q.reply.Confirming == nil {
			continue
		}
		r := request{after: q.number}
		for _, key := range firsts(keys, q.reply.Reply) {
			if toolOf(key) == *q.reply.Confirming && !slices.Contains(r.keys, key) {
				r.keys = append(r.keys, key)
			}
		}
		if r.sent, r.late = t.yes(i); r.sent > 0 {
			all = append(all, r)
		}
	}
	return all
}

func naming(text string, sent time.Time, after int64, late bool) (all []request) {
	for _, key := range firsts(keys, text) {
		if bookingOf(key).unasked {
			all = append(all, request{keys: []string{key}, sent: sent.UnixNano(), after: after, late: late})
		}
	}
	return all
}

// yes is when the first yes was sent that may have answered the question of a turn: one that is
// stored before the next question, or one that is not, or was overtaken, wherever it may have come.
// 0: there is none.
func (t *transcript) yes(i int) (sent int64, late bool) {
	note := func(at time.Time) {
		if n := at.UnixNano(); sent == 0 || n < sent {
			sent = n
		}
	}
	for _, later := range t.turns[i+1:] {
		if later.text == "yes" {
			note(later.sent)
		}
		if later.text == "yes" || later.reply.Confirming != nil {
			break
		}
	}
	next := int64(0) // the question after this one
	for _, later := range t.turns[i+1:] {
		if later.reply.Confirming != nil {
			next = later.number
			break
		}
	}
	overtaken := func(text string, at time.Time, after int64) {
		if text == "yes" && (next == 0 || after < next) {
			note(at)
			late = true
		}
	}
	for _, g := range t.lost {
		overtaken(g.text, g.sent, g.after)
	}
	for _, later := range t.turns[i+1:] {
		if later.number > later.after+1 { // a first try may have been lost behind its write
			overtaken(later.text, later.sent, later.after)
		}
	}
	return sent, late
}
