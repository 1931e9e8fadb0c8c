package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// score counts agreements.
type score struct {
	Conversations, Turns int
	Goals                tally
	Unconfirmed          int
	ExtraCalls           int
	tallies              map[string]*tally
	skipped              map[string]int
	failures             []failure
}

// tally counts successes and attempts.
type tally struct{ right, all int }

// failure is one difference.
type failure struct {
	at            place
	class, detail string
}

func newScore() *score { return &score{tallies: map[string]*tally{}, skipped: map[string]int{}} }

// count adds one case of a measure. A wrong one is added to its class of failures.
func (s *score) count(measure string, right bool, at place, class, detail string) {
	t := s.tallies[measure]
	if t == nil {
		t = &tally{}
		s.tallies[measure] = t
	}
	t.all++
	if right {
		t.right++
		return
	}
	s.fail(at, class, detail)
}

func (s *score) fail(at place, class, detail string) {
	s.failures = append(s.failures, failure{at, class, detail})
}

func (s *score) skip(why string) { s.skipped[why]++ }

// add adds another score.
func (s *score) add(o *score) {
	s.Conversations += o.Conversations
	s.Turns += o.Turns
	s.Unconfirmed += o.Unconfirmed
	s.ExtraCalls += o.ExtraCalls
	for m, t := range o.tallies {
		if s.tallies[m] == nil {
			s.tallies[m] = &tally{}
		}
		s.tallies[m].right += t.right
		s.tallies[m].all += t.all
	}
	for why, n := range o.skipped {
		s.skipped[why] += n
	}
	s.failures = append(s.failures, o.failures...)
}

// share returns the share of successes; nil if nothing was measured.
func (s *score) share(measure string) *float64 {
	t := s.tallies[measure]
	if t == nil || t.all == 0 {
		return nil
	}
	v := float64(t.right) / float64(t.all)
	return &v
}

// figures is a score in printed form. A measure without cases in the file is null.
type figures struct {
	Conversations int      `json:"conversations"`
	Turns         int      `json:"turns"`
	Intent        *float64 `json:"intent_accuracy"`
	Recall        *float64 `json:"param_recall"`
	Precision     *float64 `json:"param_precision"`
	Calls         *float64 `json:"call_exact"`
	Goals         *float64 `json:"goal_success"`
	Unconfirmed   int      `json:"unconfirmed_writes"`
	Asks          *float64 `json:"ask_agreement"`
	Replies       *float64 `json:"reply_exact,omitempty"`
	ExtraCalls    int      `json:"extra_calls"`
}

func (s *score) figures() figures {
	return figures{
		Conversations: s.Conversations, Turns: s.Turns,
		Intent: s.share("intent"), Recall: s.share("recall"), Precision: s.share("precision"), Calls: s.share("call"),
		Goals: s.share("goal"), Unconfirmed: s.Unconfirmed, Asks: s.share("ask"), Replies: s.share("reply"), ExtraCalls: s.ExtraCalls,
	}
}

// report is everything about one file.
type report struct {
	file  string
	total *score
	bots  map[string]*score
}

// classCount is a class of failures with their number.
type classCount struct {
	Class string `json:"class"`
	Count int    `json:"count"`
}

// classes counts the failures, the most frequent first.
func (s *score) classes() []classCount {
	counts := map[string]int{}
	for _, f := range s.failures {
		counts[f.class]++
	}
	out := []classCount{}
	for class, n := range counts {
		out = append(out, classCount{class, n})
	}
	slices.SortFunc(out, func(a, b classCount) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Class, b.Class)) })
	return out
}

// writeJSON writes one object.
func (r *report) writeJSON(w io.Writer) error {
	bots := map[string]figures{}
	for name, s := range r.bots {
		bots[name] = s.figures()
	}
	return json.NewEncoder(w).Encode(struct {
		File string `json:"file"`
		figures
		Bots     map[string]figures `json:"bots"`
		Failures []classCount       `json:"failures"`
		Skipped  map[string]int     `json:"skipped"`
	}{r.file, r.total.figures(), bots, r.total.classes(), r.total.skipped})
}

// writeText writes a table of the bots, the classes of failures, and up to show failures of each
// class.
func (r *report) writeText(w io.Writer, show int) {
	fmt.Fprintf(w, "%s\n%-26s %5s %6s %7s %7s %9s %6s %6s %6s %7s\n", r.file, "bot", "conv", "turns", "intent", "recall", "precision", "calls", "goals", "asks", "unconf.")
	for _, name := range slices.Sorted(maps.Keys(r.bots)) {
		row(w, name, r.bots[name].figures())
	}
	row(w, "all", r.total.figures())
	for _, c := range r.total.classes() {
		fmt.Fprintf(w, "%5d  %s\n", c.Count, c.Class)
		left := show
		for _, f := range r.total.failures {
			if f.class == c.Class && left > 0 {
				left--
				fmt.Fprintf(w, "         %s turn %d: %q\n           asked %v confirming %v offered %q: %s\n", f.at.id, f.at.turn, f.at.text, f.at.given.Asked, f.at.given.Confirming.Open, f.at.given.Offered, f.detail)
			}
		}
	}
	for _, why := range slices.Sorted(maps.Keys(r.total.skipped)) {
		fmt.Fprintf(w, "%5d  skipped: %s\n", r.total.skipped[why], why)
	}
}

func row(w io.Writer, name string, f figures) {
	p := func(v *float64) string {
		if v == nil {
			return "-"
		}
		return fmt.Sprintf("%.3f", *v)
	}
	fmt.Fprintf(w, "%-26s %5d %6d %7s %7s %9s %6s %6s %6s %7d\n", name, f.Conversations, f.Turns, p(f.Intent), p(f.Recall), p(f.Precision), p(f.Calls), p(f.Goals), p(f.Asks), f.Unconfirmed)
}
