package acts

import (
	"embed"
	"testing"

	"github.com/slotway/slotway/classifier/message"
)

//go:embed testdata
var testdata embed.FS

// What people say in each language does what its table says, in every writing of it: without
// accents, in capitals, with letters drawn out. An act with a question mark may be there or not.
func TestLanguages(t *testing.T) {
	for _, tag := range []string{"de", "es", "fr"} {
		t.Run(tag, func(t *testing.T) {
			name := "testdata/" + tag + ".txt"
			f, err := testdata.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			lines, err := ReadLines(name, f)
			if err != nil {
				t.Fatal(err)
			}
			if len(lines) < leastCases {
				t.Errorf("%d cases, want %d", len(lines), leastCases)
			}
			r := In(tag + "-ZZ")
			for _, l := range lines {
				text, mark := l.Text, rune(0)
				if last := text[len(text)-1]; last == '?' || last == '!' {
					text, mark = text[:len(text)-1], rune(last)
				}
				got := r.Of(text, mark)
				for a := range message.NumActs {
					if want := l.Acts[a] >= 0.5; !l.Maybe[a] && want != (got[a] >= 0.5) {
						t.Errorf("%s:%d: %q: %s is %.2f, want %v", name, l.At, l.Text, a, got[a], want)
					}
				}
			}
		})
	}
}

// leastCases is how many clauses hold a language.
const leastCases = 150
