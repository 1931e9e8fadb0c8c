// Package actcases has the clauses on which the model of acts is measured, and measures it.
package actcases

import (
	_ "embed" // the cases
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/acts"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/scripts/lab/measure"
)

//go:embed cases.txt
var cases string

// Figures measures how well the acts of clauses are recognised. Shares are in [0,1].
type Figures struct {
	Cases   int               `json:"cases"`
	MacroF1 float64           `json:"macro_f1"` // the mean over the acts that occur
	Exact   float64           `json:"exact"`    // of the clauses: all acts right
	ByAct   map[string]Figure `json:"by_act"`
	P50     float64           `json:"p50_us"` // of one clause
	P99     float64           `json:"p99_us"`
	Bytes   int               `json:"model_bytes"`
	Missed  []Missed          `json:"missed,omitempty"` // not exact, in the order of the cases
}

// Figure is how well one act is found. An act is there from a probability of one half.
type Figure struct {
	Cases     int     `json:"cases"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

// Missed is a clause of which an act is missing, or is there but should not be.
type Missed struct {
	Line    int      `json:"line"`
	Text    string   `json:"text"`
	Missing []string `json:"missing,omitempty"`
	Extra   []string `json:"extra,omitempty"`
}

// Lines returns the clauses on which the model of acts is measured. Training does not see them.
func Lines() ([]acts.Line, error) {
	return acts.ReadLines("cases.txt", strings.NewReader(cases))
}

// there is the probability from which an act counts as found.
const there = 0.5

// Measure measures a model on clauses; of is its method.
func Measure(lines []acts.Line, of func(clause string, mark rune) message.Acts) *Figures {
	f := &Figures{Cases: len(lines), ByAct: map[string]Figure{}, Bytes: acts.Bytes()}
	var right, found, want [message.NumActs]int
	exact := 0
	for i := range lines {
		missed := compare(&lines[i], of, &right, &found, &want)
		if missed == nil {
			exact++
			continue
		}
		f.Missed = append(f.Missed, *missed)
	}
	occur := 0
	for a := range message.NumActs {
		if want[a] == 0 {
			continue
		}
		figure := Figure{Cases: want[a], Precision: measure.Share(right[a], found[a]), Recall: measure.Share(right[a], want[a])}
		if right[a] > 0 {
			figure.F1 = 2 * figure.Precision * figure.Recall / (figure.Precision + figure.Recall)
		}
		f.ByAct[a.String()] = figure
		f.MacroF1 += figure.F1
		occur++
	}
	f.MacroF1 /= float64(max(occur, 1))
	f.Exact = measure.Share(exact, len(lines))
	f.P50, f.P99 = measure.Time(lines, func(c *acts.Line) { of(clauseOf(c.Text)) })
	return f
}

// compare counts what one clause gives; nil: all is right.
func compare(c *acts.Line, of func(string, rune) message.Acts, right, found, want *[message.NumActs]int) *Missed {
	m := Missed{Line: c.At, Text: c.Text}
	got := of(clauseOf(c.Text))
	for a := range message.NumActs {
		is, should := got[a] >= there, c.Acts[a] >= there
		if c.Maybe[a] {
			continue
		}
		if is {
			found[a]++
		}
		if should {
			want[a]++
		}
		switch {
		case is && should:
			right[a]++
		case should:
			m.Missing = append(m.Missing, fmt.Sprintf("%s=%.2f", a, got[a]))
		case is:
			m.Extra = append(m.Extra, fmt.Sprintf("%s=%.2f", a, got[a]))
		}
	}
	if m.Missing == nil && m.Extra == nil {
		return nil
	}
	return &m
}

// clauseOf takes the mark from the end of a text.
func clauseOf(text string) (clause string, mark rune) {
	if r, n := utf8.DecodeLastRuneInString(text); strings.ContainsRune("?!.", r) {
		return text[:len(text)-n], r
	}
	return text, 0
}
