package eval

import (
	_ "embed" // the cases
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/acts"
	"github.com/slotway/slotway/classifier/eval/internal/measure"
	"github.com/slotway/slotway/classifier/message"
)

//go:embed acts_cases.txt
var actsCases string

// ActFigures measures how well the acts of clauses are recognised. Shares are in [0,1].
type ActFigures struct {
	Cases   int                  `json:"cases"`
	MacroF1 float64              `json:"macro_f1"` // the mean over the acts that occur
	Exact   float64              `json:"exact"`    // of the clauses: all acts right
	ByAct   map[string]ActFigure `json:"by_act"`
	P50     float64              `json:"p50_us"` // of one clause
	P99     float64              `json:"p99_us"`
	Bytes   int                  `json:"model_bytes"`
	Missed  []MissedAct          `json:"missed,omitempty"` // not exact, in the order of the cases
}

// ActFigure is how well one act is found. An act is there from a probability of one half.
type ActFigure struct {
	Cases     int     `json:"cases"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

// MissedAct is a clause of which an act is missing, or is there but should not be.
type MissedAct struct {
	Line    int      `json:"line"`
	Text    string   `json:"text"`
	Missing []string `json:"missing,omitempty"`
	Extra   []string `json:"extra,omitempty"`
}

// ActCases returns the clauses on which the model of acts is measured. Training does not see them.
func ActCases() ([]acts.Line, error) {
	return acts.ReadLines("acts_cases.txt", strings.NewReader(actsCases))
}

// there is the probability from which an act counts as found.
const there = 0.5

// Acts measures a model on clauses; of is its method.
func Acts(cases []acts.Line, of func(clause string, mark rune) message.Acts) *ActFigures {
	f := &ActFigures{Cases: len(cases), ByAct: map[string]ActFigure{}, Bytes: acts.Bytes()}
	var right, found, want [message.NumActs]int
	exact := 0
	for i := range cases {
		missed := compare(&cases[i], of, &right, &found, &want)
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
		figure := ActFigure{Cases: want[a], Precision: measure.Share(right[a], found[a]), Recall: measure.Share(right[a], want[a])}
		if right[a] > 0 {
			figure.F1 = 2 * figure.Precision * figure.Recall / (figure.Precision + figure.Recall)
		}
		f.ByAct[a.String()] = figure
		f.MacroF1 += figure.F1
		occur++
	}
	f.MacroF1 /= float64(max(occur, 1))
	f.Exact = measure.Share(exact, len(cases))
	f.P50, f.P99, _ = measure.Time(cases, func(c *acts.Line) { of(clauseOf(c.Text)) })
	return f
}

// compare counts what one clause gives; nil: all is right.
func compare(c *acts.Line, of func(string, rune) message.Acts, right, found, want *[message.NumActs]int) *MissedAct {
	m := MissedAct{Line: c.At, Text: c.Text}
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
