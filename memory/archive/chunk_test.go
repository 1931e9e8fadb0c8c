package archive

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/memory/window"
)

func TestChunkBorders(t *testing.T) {
	tests := []struct {
		name, text    string
		size, overlap int
		want          []string
	}{
		{"empty", " \n\n ", 10, 2, nil},
		{"short", " One.  Two. ", 10, 2, []string{"One.  Two."}},
		{"paragraphs", "One two three.\n\nFour five six.\n\nSeven eight nine.", 10, 0, []string{"One two three.\n\nFour five six.", "Seven eight nine."}},
		{"half a piece is enough", "One two three four five.\n\nSix. Seven eight nine ten. Eleven.", 11, 0, []string{"One two three four five.", "Six. Seven eight nine ten. Eleven."}},
		{"sentences", "One two. Three four. Five six. Seven eight.", 6, 0, []string{"One two. Three four.", "Five six. Seven eight."}},
		{"overlap", "One two. Three four. Five six. Seven eight.", 6, 3, []string{"One two. Three four.", "Three four. Five six.", "Five six. Seven eight."}},
		{"words", "one two three four five", 2, 0, []string{"one two", "three four", "five"}},
		{"letters", strings.Repeat("x", 25), 2, 0, nil},
		{"ideographs", "一二三。四五六。", 4, 0, []string{"一二三。", "四五六。"}},
	}
	for _, test := range tests {
		got := Chunk(test.text, test.size, test.overlap)
		if test.name == "letters" { // a code point at least, and all of them
			if strings.Join(got, "") != test.text || len(got) < 2 {
				t.Errorf("%s: Chunk = %q", test.name, got)
			}
			continue
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: Chunk(%q, %d, %d) (-want +got):\n%s", test.name, test.text, test.size, test.overlap, diff)
		}
	}
}

// Pieces are parts of the text, follow one another, are no longer than said, share no more
// than said, and leave nothing out.
func TestChunkProperties(t *testing.T) {
	alphabet := []rune("ab Z\n.!?9 é漢🙂\t- …")
	rapid.Check(t, func(r *rapid.T) {
		text := string(rapid.SliceOfN(rapid.SampledFrom(alphabet), 0, 300).Draw(r, "text"))
		size, overlap := rapid.IntRange(1, 40).Draw(r, "size"), rapid.IntRange(0, 40).Draw(r, "overlap")
		checkPieces(r, text, size, overlap)
	})
}

func checkPieces(t interface{ Fatalf(string, ...any) }, text string, size, overlap int) {
	end := 0
	for i, s := range pieces(text, size, overlap) {
		p := text[s.from:s.to]
		switch n := window.Estimate(p); {
		case n > size:
			t.Fatalf("piece %d has %d tokens, at most %d are allowed", i, n, size)
		case p != strings.TrimSpace(p) || !utf8.ValidString(p):
			t.Fatalf("piece %d is %q", i, p)
		case s.to <= end:
			t.Fatalf("piece %d says nothing new", i)
		case s.from >= end && strings.TrimSpace(text[end:s.from]) != "":
			t.Fatalf("left out before piece %d: %q", i, text[end:s.from])
		case s.from < end && window.Estimate(text[s.from:end]) > min(overlap, size/2):
			t.Fatalf("piece %d shares %q with the one before", i, text[s.from:end])
		}
		end = s.to
	}
	if rest := strings.TrimSpace(text[end:]); rest != "" {
		t.Fatalf("left out: %q", rest)
	}
}

func TestChunkOfAMegabyte(t *testing.T) {
	for name, text := range map[string]string{
		"prose":    strings.Repeat("The order is late because of the weather. ", 1<<20/42),
		"one word": strings.Repeat("x", 1<<20),
		"lines":    strings.Repeat("\n", 1<<20),
		"dots":     strings.Repeat(".", 1<<20),
		"letters":  strings.Repeat("漢", 1<<20/3),
	} {
		pieces := Chunk(text, 800, 100)
		longest := 0
		for _, p := range pieces {
			longest = max(longest, window.Estimate(p))
		}
		if longest > 800 || len(pieces) > 4000 {
			t.Errorf("%s: %d pieces of up to %d tokens", name, len(pieces), longest)
		}
	}
}

func FuzzChunk(f *testing.F) {
	f.Add("One. Two.\n\nThree", 4, 2)
	f.Add("", 0, -1)
	f.Fuzz(func(t *testing.T, text string, size, overlap int) {
		if size > 1<<20 || overlap > 1<<20 || len(text) > 1<<12 || !utf8.ValidString(text) {
			t.Skip()
		}
		checkPieces(t, text, max(size, 1), max(overlap, 0))
	})
}
