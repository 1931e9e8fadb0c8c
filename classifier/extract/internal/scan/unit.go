package scan

import (
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/script"
)

// IsUnit reports whether a word is a unit of a script without spaces, and so perhaps only a part
// of a word.
func IsUnit(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return script.Unspaced(r)
}

// InRun reports whether token i goes on a run of units.
func (s *Message) InRun(i int) bool {
	return s.Glued(i) && IsUnit(s.Tokens[i].Text) && IsUnit(s.Tokens[i-1].Text)
}

// RunsOf are the runs of at least two units that text has.
func RunsOf(text string) (runs []string) {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !script.Unspaced(r) {
			i += n
			continue
		}
		end, units := i, 0
		for end < len(text) {
			if r, _ := utf8.DecodeRuneInString(text[end:]); !script.Unspaced(r) {
				break
			}
			end += script.Unit(text[end:])
			units++
		}
		if units > 1 {
			runs = append(runs, text[i:end])
		}
		i = end
	}
	return runs
}
