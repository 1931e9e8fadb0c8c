package summary

import (
	"math"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/plaintext"
)

// Piece is a part of a message, without small talk. A long message has several.
type Piece struct {
	Seq  int64       `json:"seq"`
	Role memory.Role `json:"role,omitempty"` // "": a model wrote it
	By   string      `json:"by,omitempty"`   // the person who spoke in the agent's place, as memory.Message.Speaker has it; "": nobody
	Text string      `json:"text"`
	At   time.Time   `json:"at"`
	P    float64     `json:"p"` // probability that it is asked for later, 0 to 1
}

// pieces cuts messages into pieces, scores them, and adds their words to the lexicon. Earlier
// messages matter only through the lexicon.
func pieces(list []memory.Message, lex *lexicon) (out []Piece) {
	eachPiece(list, lex, func(p Piece, _ []float64) { out = append(out, p) })
	return out
}

// eachPiece calls use with every piece and its features, in order.
func eachPiece(list []memory.Message, lex *lexicon, use func(p Piece, x []float64)) {
	lines := linesOf(list)
	seen := make(map[string]bool, len(lex.Stems))
	for w := range lex.Stems {
		seen[w] = true
	}
	for i := range lines {
		if lines[i].first {
			lex.Messages++
		}
		for _, w := range lines[i].content {
			lex.Stems[w]++
		}
	}
	for i := range lines {
		var before, after *line
		if i > 0 && lines[i].since > 0 {
			before = &lines[i-1]
		}
		if i+1 < len(lines) && lines[i+1].since > 0 {
			after = &lines[i+1]
		}
		l := &lines[i]
		x := l.features(before, after, lex, seen)
		p := Piece{Seq: l.m.Seq, Role: l.m.Role, Text: plaintext.Line(l.text), At: l.m.Timestamp, P: likely(l.cue, x)}
		if _, person := l.m.Person(); person {
			p.By = plaintext.Line(l.m.Speaker())
		}
		use(p, x)
		for _, w := range lines[i].content {
			seen[w] = true
		}
	}
	lex.trim()
}

// likely returns the probability with four digits. Important messages are raised by rule.
func likely(important bool, x []float64) float64 {
	p := probability(x)
	if important {
		p = (1 + p) / 2
	}
	return math.Round(p*1e4) / 1e4
}

// probability is the logistic model.
func probability(x []float64) float64 {
	var z float64
	for i, v := range x {
		z += weights[i].value * v
	}
	return 1 / (1 + math.Exp(-z))
}
