package main

import (
	"fmt"
	"strings"
	"time"
)

// around is the number of turns to show before and after a relevant one.
const around = 2

// excerpt shows what happened to a write: the turns about it and their neighbours, the messages
// that the client gave up in between, and the effects.
func (l *audited) excerpt(key string, turn int64) string {
	about := func(t *told) bool {
		return t.number == turn || key != "" && strings.Contains(t.text+" "+t.reply.Reply, key)
	}
	clock := func(at time.Time) string { return at.Format("05.000") }
	var b strings.Builder
	from, to := int64(0), int64(0)
	for i := range l.turns {
		t := &l.turns[i]
		show := false
		for j := max(0, i-around); j <= min(len(l.turns)-1, i+around); j++ {
			show = show || about(&l.turns[j])
		}
		if !show {
			continue
		}
		if from == 0 {
			from = t.number
		}
		to = t.number
		fmt.Fprintf(&b, "\n\tturn %d, sent %s, heard %s: %q -> %q %v", t.number, clock(t.sent), clock(t.heard), t.text, t.reply.Reply, t.reply.ToolCalls)
	}
	for _, g := range l.lost {
		if key != "" && strings.Contains(g.text, key) || g.after >= from-1 && g.after <= to {
			fmt.Fprintf(&b, "\n\tgiven up after turn %d, sent %s: %q", g.after, clock(g.sent), g.text)
		}
	}
	for _, at := range l.effects[key] {
		fmt.Fprintf(&b, "\n\tdone %s: %s", clock(time.Unix(0, at)), key)
	}
	return b.String()
}
