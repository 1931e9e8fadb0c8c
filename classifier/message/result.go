package message

import "strings"

// Result lists what an utterance may mean. Nothing in it is shared with later results.
type Result struct {
	Intent     string           // best intent, system ones among them; "" when the message is empty
	Confidence float64          // calibrated, in [0,1]
	Exact      bool             // the message is, but for case, punctuation and courtesy, an example of Intent or a stock phrase of a system intent
	Ranking    []Score          // best first, Intent at its head; at most 5
	Lead       Lead             // a system phrase that opens a longer message: "yes, and where is O-2?"
	Clauses    []Clause         // the message clause by clause, in order
	Params     []Value          // candidates, by start; one span may appear for several params
	Partly     bool             // Intent is that of a part of the message, which as a whole was clear about none
	Mended     bool             // words were misspelt, and Intent goes by what they may have been
	Hear       func() []Command `json:"-"` // reads question and message together, and returns what it weighs; nil: there is no reader
	Swap       bool             // two values are the wrong way round: "swap them"
	Wrong      []Value          // what was recognised for a param and is no candidate: Value.Wrong says why
	Tier       string           // which classifier answered: "linear" or "llm"
	Fallback   Fallback
}

// Fallback says why the embedded result stands although the message was one for the model
// server. It is "" where the model answered or was not needed.
type Fallback string

// The values of Fallback. They are written to telemetry.
const (
	FallbackTimeout     Fallback = "timeout"     // no answer within its deadline
	FallbackUnavailable Fallback = "unavailable" // no connection, an error status, too many requests
	FallbackPaused      Fallback = "paused"      // not asked: it failed several times in a row
	FallbackInvalid     Fallback = "invalid"     // an answer that cannot be read
	FallbackRefused     Fallback = "refused"     // an answer that the definition or the message does not bear out
	FallbackNothing     Fallback = "nothing"     // the model says that the message asks for nothing it knows
)

// Doubtful is the confidence of a whole reply as free text that looks like no answer seen before.
const Doubtful = 0.2

// Score is an intent with its confidence.
type Score struct {
	Intent     string  `json:"intent"`
	Confidence float64 `json:"confidence"`
}

// Lead is the system intent at the head of a message that goes on.
// Result.Intent then speaks of the rest alone.
type Lead struct {
	Intent string // affirm, deny, cancel, correct, greet, thanks, skip or ""
	End    int    // where the rest begins, in code points
}

// Value is a candidate for a param. Offsets count code points of Input.Text, end exclusive.
type Value struct {
	Param      string  `json:"param"`
	Value      any     `json:"value"` // JSON-normal, normalised
	Text       string  `json:"text"`  // the span
	Start      int     `json:"start"`
	End        int     `json:"end"`
	Source     string  `json:"source"` // pattern, bare, enum, builtin, option, tagger, llm, text
	Confidence float64 `json:"confidence"`
	Cues       Cues    `json:"cues,omitempty"`  // what stands around the span
	Wrong      string  `json:"wrong,omitempty"` // why it is no candidate, one of the reasons below; "": it is one
}

// The reasons why something that was recognised is no value.
const (
	WrongWeekday  = "weekday"  // a day and a weekday that disagree: "monday the 25th"; Value is the day, as a date
	WrongOrder    = "order"    // a day in figures whose month nobody can tell: "3/4" in Canada; Value is one of the two
	WrongCalendar = "calendar" // a day that no calendar has: "feb 30"
	WrongAmount   = "amount"   // a number that words before it turn round or leave open: "all but 20"
	WrongModifier = "modifier" // a day with a word beside it that was not read: "the wednesday before that"
	WrongHalf     = "half"     // a day without its time, for a datetime; Value is the day. Input.Params may hold it for the next message
	WrongPeriod   = "period"   // an answer of more than one day where a day is asked for: "next week"; Value is the interval, where there is one
	WrongUnknown  = "unknown"  // what stands in the place of a value of an enumeration and is none: "salami and pineapple"
	WrongPeople   = "people"   // people whom nobody can count: "me and the kids"
)

// Restore puts what was read in the normal form of a message back into the message as it was sent:
// the offsets, the texts of spans, and the values that free takes as they are written. Others stay
// in the normal form: an id is the same one, whatever dash is typed in it.
func (r *Result) Restore(f *Form, free func(*Value) bool) {
	if f.from == nil {
		return
	}
	w := way{Form: f, text: PlacesOf(f.Text), sent: PlacesOf(f.Sent)}
	for _, list := range [][]Value{r.Params, r.Wrong} {
		for i := range list {
			w.value(&list[i], free(&list[i]))
		}
	}
	if hear := r.Hear; hear != nil {
		r.Hear = func() []Command {
			heard := hear()
			for i := range heard {
				w.value(&heard[i].Value, free(&heard[i].Value))
			}
			return heard
		}
	}
	for i := range r.Clauses {
		c := &r.Clauses[i]
		c.Start, c.End = w.back(c.Start, c.End)
	}
	_, r.Lead.End = w.back(0, r.Lead.End)
}

// way leads from the code points of a form to those of the text as it was sent.
type way struct {
	*Form
	text, sent Places
}

func (w *way) back(start, end int) (from, to int) {
	from, to = w.Back(w.text.Byte(start), w.text.Byte(end))
	return w.sent.Point(from), w.sent.Point(to)
}

func (w *way) value(v *Value, free bool) {
	start, end := w.text.Byte(v.Start), w.text.Byte(v.End)
	if said, ok := v.Value.(string); ok && free && said != "" {
		if at := strings.Index(w.Text[start:end], said); at >= 0 {
			from, to := w.Back(start+at, start+at+len(said))
			v.Value = w.Sent[from:to]
		}
	}
	from, to := w.Back(start, end)
	v.Text, v.Start, v.End = w.Sent[from:to], w.sent.Point(from), w.sent.Point(to)
}
