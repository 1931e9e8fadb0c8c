package extract

import (
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/script"
)

// isUnit reports whether a word is a unit of a script without spaces, and so perhaps only a part
// of a word.
func isUnit(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return script.Unspaced(r)
}

// inRun reports whether token i goes on a run of units.
func (s *scan) inRun(i int) bool {
	return s.glued(i) && isUnit(s.tokens[i].text) && isUnit(s.tokens[i-1].text)
}

// withinRun reports whether a value of one unit would be found inside a run: there any word has it.
func (s *scan) withinRun(i int, l lexeme) bool {
	return len(l.words) == 1 && isUnit(l.words[0]) && (s.inRun(i) || s.inRun(i+1))
}

// runsOf are the runs of at least two units that text has.
func runsOf(text string) (runs []string) {
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
