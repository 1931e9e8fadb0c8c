package archive

import "slices"

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

// lastAsking reports whether a sentence is the last question of its message, which is the one that
// a task waits for.
func lastAsking(said []sentence, i int) bool {
	return !slices.ContainsFunc(said[i+1:], func(s sentence) bool { return s.message == said[i].message && s.asks })
}

// resolved reports whether the other side answered a question, or the asker retracted it or asked
// it again. The later question then stands for both.
func resolved(said []sentence, i int) bool {
	q := &said[i]
	a := parseQuestion(q)
	near, replied := direct, -1 // replied is the last message of the other side that was looked at
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

// nextProximity returns the proximity of what follows a reply that did not answer: postponed if the
// reply puts the question off, later if it changes the subject.
func nextProximity(said []sentence, reply int, near proximity) proximity {
	if near == direct && slices.ContainsFunc(said, func(s sentence) bool { return s.message == reply && defers.MatchString(s.text) }) {
		return postponed
	}
	return later
}

// asksBack reports whether a message ends with a question.
func asksBack(said []sentence, message int) bool {
	asks := false
	for i := range said {
		if said[i].message == message {
			asks = said[i].asks
		}
	}
	return asks
}
