package cascade

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// whole widens a span so that it begins and ends with a word or a run of letters and figures. The
// tagger reads letters and figures apart, so it may begin at the B of "221B".
func whole(text string, at byteSpan) byteSpan {
	for at.start > 0 && message.InOneWord(text, at.start) {
		_, size := utf8.DecodeLastRuneInString(text[:at.start])
		at.start -= size
	}
	for at.end < len(text) && message.InOneWord(text, at.end) {
		_, size := utf8.DecodeRuneInString(text[at.end:])
		at.end += size
	}
	return at
}

// frame holds what the marked examples of a param have around its values, as keys of words.
type frame struct {
	leads map[string]bool // that lead to a value: "live at", "i live at"
	tails map[string]bool // from a value to the end
}

// framesOf learns what the examples of an agent have around the values of each param.
func framesOf(agent *config.Agent) map[string]frame {
	frames := map[string]frame{}
	for _, in := range agent.Intents {
		for _, e := range in.Examples {
			text, from := []rune(e.Text), 0
			for i, s := range e.Spans {
				f, ok := frames[s.Param]
				if !ok {
					f = frame{leads: map[string]bool{}, tails: map[string]bool{}}
					frames[s.Param] = f
				}
				before := message.WordsOf(string(text[min(from, s.Start):s.Start]))
				for k, w := range before {
					if k+1 < len(before) || !extract.Filler(w) { // "the" may begin a value
						f.leads[strings.Join(before[k:], " ")] = true
					}
				}
				if i+1 == len(e.Spans) {
					f.tails[strings.Join(message.WordsOf(string(text[s.End:])), " ")] = true
				}
				from = max(from, s.End)
			}
		}
	}
	return frames
}

// cutsAnswer reports whether a span would cut the answer to the question for a param that takes any
// text. The answer is the whole message; a span may only leave out what is certainly no part of it:
// words that lead to the values of the marked examples, and values of other params.
func (c *Classifier) cutsAnswer(in classifier.Input, v message.Value, all []message.Value, r *message.Result) bool {
	if in.Asked == nil || in.Asked.Param != v.Param || !c.extract.Open(v.Param) {
		return false
	}
	at := slices.IndexFunc(r.Params, func(w message.Value) bool { return w.Param == v.Param && c.soft(w) })
	if at < 0 {
		return false
	}
	answer := r.Params[at]
	if v.Start <= answer.Start && answer.End <= v.End {
		return false
	}
	text := []rune(in.Text)
	around := c.frames[v.Param]
	before, after := text[answer.Start:max(answer.Start, v.Start)], text[min(v.End, answer.End):answer.End]
	return !around.leads[key(before)] && !c.others(answer.Start, v.Start, v, all) || !around.tails[key(after)] && !c.others(v.End, answer.End, v, all)
}

func key(text []rune) string { return strings.Join(message.WordsOf(string(text)), " ") }

// others reports whether values that the tagger found for other params that take any text fill the
// code points from start to end, such as the first name before a last name.
func (c *Classifier) others(start, end int, v message.Value, all []message.Value) bool {
	for _, w := range all {
		if w.Param != v.Param && c.extract.Open(w.Param) && w.Start <= start && w.End >= end-1 {
			return true
		}
	}
	return start >= end
}
