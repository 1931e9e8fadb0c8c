package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"time"

	"github.com/slotway/slotway/memory/transfer"
)

// transcript is a stored session of the ledger, with the messages that left no turn.
type transcript struct {
	id    string
	turns []told // in order
	lost  []gone // messages that the client gave up and that have no turn
}

// told is a stored turn.
type told struct {
	number      int64
	after       int64 // the newest acknowledged turn when it was sent
	text        string
	reply       reply
	sent, heard time.Time // heard is zero if the reply reached no client
	stood       time.Time // upper bound of the time when the turn was stored: its reply or a later one arrived; zero: none
}

// transcribe adds what the client knows to the stored turns. compareSession checks that both agree.
func transcribe(known *session, stored *transfer.Archive) *transcript {
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

// stand sets the time by which each turn was stored.
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

// firsts returns the matches of an expression: the last group of each, or all of it.
func firsts(e *regexp.Regexp, text string) (found []string) {
	for _, m := range e.FindAllStringSubmatch(text, -1) {
		found = append(found, m[len(m)-1])
	}
	return found
}

// done returns the keys that a reply reports as done by a tool, or by any tool if that is "".
func (t *told) done(tool string) []string {
	return slices.DeleteFunc(firsts(done, t.reply.Reply), func(key string) bool { return tool != "" && toolOf(key) != tool })
}

// calls counts the calls of a tool in a reply that have one of the statuses.
func (t *told) calls(tool string, statuses ...string) (n int) {
	for _, c := range t.reply.ToolCalls {
		if c.Tool == tool && slices.Contains(statuses, c.Status) {
			n++
		}
	}
	return n
}

// mayKnow reports whether an event at a time may have come before the turn was stored.
func (t *told) mayKnow(at int64) bool { return t.stood.IsZero() || at <= t.stood.UnixNano() }

// request is a message that may cause one write.
type request struct {
	keys  []string // the write has one of these
	sent  int64    // time of the first message with it
	after int64    // the turn of the write comes after this one
	late  bool     // the message may have been lost or overtaken: its turn may be any later one
}

// requests returns the messages that name a write that needs no yes, and the questions about the
// other writes that a yes may have answered.
func (t *transcript) requests() (all []request) {
	for _, turn := range t.turns {
		// A first try may have been lost and reported in one of the turns in between.
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

// yes returns the time of the first yes that may have answered the question of a turn, or 0: a yes
// that is stored before the next question, or any yes that was lost or overtaken.
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
		if later.number > later.after+1 { // a first try may have been lost after its write
			overtaken(later.text, later.sent, later.after)
		}
	}
	return sent, late
}
