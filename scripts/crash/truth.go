package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// match pairs as many of n elements with distinct partners as possible and returns the elements
// without a partner (augmenting paths, Kuhn 1955).
func match(n, partners int, fits func(i, partner int) bool) (alone []int) {
	taken := make([]int, partners) // the element of each partner, from 1 on
	var find func(i int, seen []bool) bool
	find = func(i int, seen []bool) bool {
		for p := range partners {
			if seen[p] || !fits(i, p) {
				continue
			}
			seen[p] = true
			if taken[p] == 0 || find(taken[p]-1, seen) {
				taken[p] = i + 1
				return true
			}
		}
		return false
	}
	for i := range n {
		if !find(i, make([]bool, partners)) {
			alone = append(alone, i)
		}
	}
	return alone
}

// event is an effect or a call.
type event struct {
	key string
	at  int64
}

// compareLedger compares the effects with the requests and the replies of each session. No key
// occurs in two sessions.
func (r *report) compareLedger(all []*transcript, e *entries) {
	left := maps.Clone(e.effects)
	for _, t := range all {
		l := &audited{report: r, transcript: t, requests: t.requests(), effects: map[string][]int64{}, named: map[string]int{}}
		for _, key := range t.said() {
			l.effects[key] = left[key]
			delete(left, key)
		}
		r.Effects += len(l.events())
		for _, lone := range l.unasked(l.events()) {
			if l.mayWrite(lone.key) {
				r.DoubleWrites++
			} else {
				r.UnaskedWrites++
			}
			l.note(lone.key, 0, "the write of %s was not asked for, or not so often", lone.key)
		}
		var calls []event
		for key := range l.effects {
			for _, at := range e.made(key) {
				calls = append(calls, event{key, at})
			}
		}
		for _, lone := range l.unasked(calls) {
			r.DoubleCalls++
			l.note(lone.key, 0, "the tool was called for %s once more than was asked for", lone.key)
		}
		l.replies()
		l.untold()
	}
	for key, at := range left {
		r.Effects += len(at)
		r.UnaskedWrites += len(at)
		r.notes = append(r.notes, "nobody spoke of the write of "+key)
	}
}

// said returns the keys in the messages of the client.
func (t *transcript) said() []string {
	var all []string
	for _, turn := range t.turns {
		all = append(all, firsts(keys, turn.text)...)
	}
	for _, g := range t.lost {
		all = append(all, firsts(keys, g.text)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// audited is a session under comparison.
type audited struct {
	*transcript
	report   *report
	requests []request
	effects  map[string][]int64 // of the session's keys
	named    map[string]int     // number of replies so far that report a write as done by its name
}

func (l *audited) note(key string, turn int64, format string, args ...any) {
	l.report.notes = append(l.report.notes, "session "+l.id+": "+fmt.Sprintf(format, args...)+l.excerpt(key, turn))
}

// events returns the effects in order.
func (l *audited) events() (all []event) {
	for key, times := range l.effects {
		for _, at := range times {
			all = append(all, event{key, at})
		}
	}
	slices.SortFunc(all, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	return all
}

// unasked returns the events without a request of their own.
func (l *audited) unasked(all []event) (lone []event) {
	for _, i := range match(len(all), len(l.requests), func(i, p int) bool { return l.requests[p].allows(all[i]) }) {
		lone = append(lone, all[i])
	}
	return lone
}

func (r *request) allows(e event) bool { return slices.Contains(r.keys, e.key) && r.sent <= e.at }

func (l *audited) mayWrite(key string) bool {
	return slices.ContainsFunc(l.requests, func(r request) bool { return slices.Contains(r.keys, key) })
}

// replies compares each reply with the effects that it could know.
func (l *audited) replies() {
	for i := range l.turns {
		t := &l.turns[i]
		for _, key := range t.done("") {
			switch had := l.had(key, t); {
			case had > l.named[key]:
				l.named[key]++
			case had > 0 && l.twin(i, key):
			default:
				l.named[key]++
				l.report.ToldWrongly++
				l.note(key, t.number, "turn %d tells that %s is done, which it is not", t.number, key)
			}
		}
		for _, b := range bookings {
			if more := t.calls(b.tool, "ok") - len(t.done(b.tool)); more > l.unnamed(b, t) {
				l.report.ToldWrongly++
				l.note("", t.number, "turn %d reports calls of %s that were not made", t.number, b.tool)
			}
			l.report.ToldUnknown += t.calls(b.tool, "unknown")
		}
		for _, key := range firsts(denied, t.reply.Reply) {
			if l.had(key, t) > l.named[key] && !l.reported(toolOf(key), i) {
				l.report.ToldWrongly++
				l.note(key, t.number, "turn %d tells that %s is not done, which it is", t.number, key)
			}
		}
	}
	l.report.ToldDone += len(l.named)
}

// twin reports whether an earlier turn makes the same report for the same words, and these words
// were sent before its reply arrived. The first try may then have been lost after its write, and
// the second taken for the same words typed again. Both rightly report one write.
func (l *audited) twin(i int, key string) bool {
	t := &l.turns[i]
	return slices.ContainsFunc(l.turns[:i], func(o told) bool {
		return o.text == t.text && slices.Contains(o.done(""), key) && (o.heard.IsZero() || !t.sent.After(o.heard))
	})
}

// had counts the effects of a key that a reply could know.
func (l *audited) had(key string, t *told) (n int) {
	for _, at := range l.effects[key] {
		if t.mayKnow(at) {
			n++
		}
	}
	return n
}

// unnamed counts the effects of a kind that no reply up to a turn has named.
func (l *audited) unnamed(b booking, t *told) (n int) {
	for key := range l.effects {
		if toolOf(key) == b.tool {
			n += max(0, l.had(key, t)-l.named[key])
		}
	}
	return n
}

// reported reports whether a reply up to a turn mentions a write of a tool without its name.
func (l *audited) reported(tool string, upTo int) bool {
	return slices.ContainsFunc(l.turns[:upTo+1], func(t told) bool { return t.calls(tool, "ok", "unknown") > len(t.done(tool)) })
}

// untold looks for a reply that reports each effect, by its name or in the first report of its
// tool after the request.
func (l *audited) untold() {
	var hidden []event
	left := maps.Clone(l.named)
	for _, e := range l.events() {
		if left[e.key]--; left[e.key] < 0 {
			hidden = append(hidden, e)
		}
	}
	type telling struct {
		tool string
		turn int64
	}
	var tellings []telling
	for _, b := range bookings {
		for i := range l.turns {
			t := &l.turns[i]
			for range t.calls(b.tool, "ok", "unknown") - len(t.done(b.tool)) {
				tellings = append(tellings, telling{b.tool, t.number})
			}
		}
	}
	for _, i := range match(len(hidden), len(tellings), func(i, p int) bool {
		return toolOf(hidden[i].key) == tellings[p].tool && l.mayBe(hidden[i], tellings[p].turn)
	}) {
		l.report.UntoldEffects++
		l.note(hidden[i].key, 0, "the write of %s took place, and no reply says so", hidden[i].key)
	}
}

// mayBe reports whether the report in a turn may mean an effect. A call that certainly failed may
// happen again at any later time, when its task resumes.
func (l *audited) mayBe(e event, turn int64) bool {
	tool := toolOf(e.key)
	return slices.ContainsFunc(l.requests, func(r request) bool {
		if !r.allows(e) || turn <= r.after {
			return false
		}
		first := slices.IndexFunc(l.turns, func(t told) bool { return t.number > r.after && t.calls(tool, "ok", "unknown", "error") > 0 })
		return r.late || l.turns[first].calls(tool, "error") > 0 || turn <= l.turns[first].number
	})
}
