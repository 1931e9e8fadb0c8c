package archive

import "slices"

// taskStatus is what became of a question.
type taskStatus int

const (
	notByTask taskStatus = iota // the words must tell
	closedByTask
	openByTask
)

// openQuestions are those of the first n messages that nothing has answered. fates are what
// is known of the questions that a task asked, by message.
func openQuestions(said []sentence, n int, fates map[int]taskStatus) []string {
	var out []string
	for i := range said {
		s := &said[i]
		if s.message >= n || !s.asks || courtesies.MatchString(s.text) || !hasTerms(s.text) {
			continue
		}
		switch f := fates[s.message]; {
		case f != notByTask && lastAsking(said, i):
			if f == closedByTask {
				continue
			}
		case resolved(said, i):
			continue
		}
		if text := shorten(s.text, maxTold); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return newest(out, maxQuestions)
}

// lastAsking reports the last question of a message: that is what a task waits for.
func lastAsking(said []sentence, i int) bool {
	return !slices.ContainsFunc(said[i+1:], func(s sentence) bool { return s.message == said[i].message && s.asks })
}

// resolved reports whether the other side answered a question, or whoever asked took it back
// or asked again: then the later one stands for both.
func resolved(said []sentence, i int) bool {
	q := &said[i]
	a := parseQuestion(q)
	near, replied := direct, -1 // the message of the other side that was looked at last
	for j := i + 1; j < len(said); j++ {
		s := &said[j]
		if s.role == q.role {
			switch {
			case s.message != q.message && a.retracted(s):
				return true
			case s.asks && a.repeats(s):
				return true
			case replied >= 0 && near > later && !asksBack(said, replied):
				near = nextProximity(said, replied, near)
			}
			continue
		}
		replied = s.message
		if !s.asks && a.answeredBy(s, near) {
			return true
		}
	}
	return false
}

// nextProximity is how near what follows stands, after a reply that did not answer: awaited where
// the reply puts it off, later where it spoke of something else.
func nextProximity(said []sentence, reply int, near proximity) proximity {
	if near == direct && slices.ContainsFunc(said, func(s sentence) bool { return s.message == reply && defers.MatchString(s.text) }) {
		return postponed
	}
	return later
}

// asksBack reports a message that ends with a question.
func asksBack(said []sentence, message int) bool {
	asks := false
	for i := range said {
		if said[i].message == message {
			asks = said[i].asks
		}
	}
	return asks
}
