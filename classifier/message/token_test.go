package message

import "testing"

func FuzzTokenize(f *testing.F) {
	f.Add("it's 5pm, O-12345")
	f.Add("\xff’a’")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, tok := range Tokenize(text, nil) {
			if tok.Start < last || tok.End <= tok.Start || tok.Text != text[tok.Start:tok.End] {
				t.Fatalf("bad token %+v in %q", tok, text)
			}
			last = tok.End
		}
	})
}
