package summary

import (
	"strings"

	"github.com/slotway/slotway/memory"
)

// dateTokens is the most tokens of the date before a day's first line.
const dateTokens = 8

// cost returns the tokens of a piece as a line of the narrative.
func (t *Tier) cost(p *Piece) int { return t.opts.Count(p.Line()) + 1 }

// tell writes pieces, one a line, with the date before the first of a day.
func (t *Tier) tell(list []Piece, budget int, now int64) string {
	chosen := Select(list, budget-dateTokens, now, t.cost)
	for {
		text := worded(chosen)
		if len(chosen) == 0 || t.opts.Count(text) <= budget {
			return text
		}
		chosen = chosen[1:]
	}
}

func worded(list []Piece) string {
	var b strings.Builder
	day := ""
	for i := range list {
		p := &list[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		if d := p.At.Format("2006-01-02"); d != day && !p.At.IsZero() {
			b.WriteString("[" + d + "] ")
			day = d
		}
		b.WriteString(p.Line())
	}
	return b.String()
}

// Line returns a piece with its speaker, so that it is not taken for an instruction.
func (p *Piece) Line() string {
	switch {
	case p.By != "":
		return p.By + ": " + p.Text
	case p.Role == "":
		return p.Text
	case p.Role == memory.Agent:
		return "agent: " + p.Text
	}
	return "user: " + p.Text
}
