package tokenizer

import (
	"bytes"
	"compress/flate"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	library "github.com/tiktoken-go/tokenizer"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the vocabularies")

// highest is the last rank of each encoding that the library names.
var highest = map[string]uint{"cl100k_base": 100_255, "o200k_base": 199_997}

// both returns our encoding and the library's.
func both(t testing.TB, name string) (*Encoding, library.Codec) {
	t.Helper()
	ours, err := Get(name)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := library.Get(library.Encoding(name))
	if err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}

// TestVocabularies compares every token with the library's; -update writes the files.
func TestVocabularies(t *testing.T) {
	for name, last := range highest {
		theirs, err := library.Get(library.Encoding(name))
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(name+".bin", packedOf(t, theirs, last), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		ranks, err := vocabulary(name)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for id := range last + 1 {
			token, err := theirs.Decode([]uint{id})
			if err != nil {
				continue
			}
			if found++; ranks[token] != uint32(id) {
				t.Fatalf("%s: token %q has rank %d, want %d", name, token, ranks[token], id)
			}
		}
		if found != len(ranks) {
			t.Errorf("%s: %d tokens, want %d", name, len(ranks), found)
		}
	}
}

// packedOf packs the library's tokens.
func packedOf(t *testing.T, theirs library.Codec, last uint) []byte {
	t.Helper()
	var plain bytes.Buffer
	for id := range last + 1 {
		token, err := theirs.Decode([]uint{id})
		if err != nil {
			token = ""
		}
		plain.WriteByte(byte(len(token)))
		plain.WriteString(token)
	}
	if _, err := theirs.Decode([]uint{last + 1}); err == nil {
		t.Errorf("%s has ranks above %d", theirs.GetName(), last)
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(plain.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// failing is a test, or a check of rapid.
type failing interface {
	Helper()
	Fatalf(format string, args ...any)
}

// unlike matches texts that the library splits otherwise than the encodings' authors: it takes U+0085 for
// a sign, leaves out U+007F, and ends a piece at the first of two line breaks with space between them.
var unlike = regexp.MustCompile(`[\x{7f}\x{85}]|[\r\n][\s\v\p{Z}]*[^\S\r\n\v][\s\v\p{Z}]*[\r\n]|[\r\n][\v\p{Z}]+[\r\n]`)

func same(t failing, ours *Encoding, theirs library.Codec, text string) {
	t.Helper()
	if unlike.MatchString(text) {
		return
	}
	want, err := theirs.Count(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if got := ours.Count(text); got != want {
		t.Fatalf("%s: %q has %d tokens, want %d", theirs.GetName(), text, got, want)
	}
}

// pieces are what texts are put together from: what the patterns tell apart.
var pieces = []string{
	"a", "Z", "word", "WORD", "Word", "ß", "É", "Ǆ", "ǅ", "漢", "字", "ʰ", "\u0301", "\u20dd", "1", "23", "456789", "٣", "½", "Ⅷ",
	" ", "  ", "\t", "\n", "\r\n", "\r", "\u00a0", "\u3000", "\u2028", "\u0085", "\v", "'", "'s", "'S", "'ſ", "'ll", "'LL", "'re", "'v", "'d", "’s",
	".", "//", "/", "-", "…", "👩‍👩‍👧", "\u200b", "\ufffd", "\xff", "\x80", "\x00", "O-12345", "don't", "I'M", "https://example.com/a?b=c", "ſ", "K",
}

// some draws a text of pieces and of anything.
func some(r *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces), rapid.StringN(0, 8, -1)), 0, 12).Draw(r, "parts"), "")
}

// pairs calls a function with texts of two pieces.
func pairs(f func(text string)) {
	for _, a := range pieces {
		for _, b := range pieces {
			f(a + b)
			f(b + a + b + " " + a)
		}
	}
}

func TestCountsLikeTheLibrary(t *testing.T) {
	for name := range highest {
		ours, theirs := both(t, name)
		pairs(func(text string) { same(t, ours, theirs, text) })
		same(t, ours, theirs, strings.Repeat("ab", 500))
		rapid.Check(t, func(r *rapid.T) { same(r, ours, theirs, some(r)) })
	}
}

// The patterns in Go's syntax, which has no (?!\S): wholeSpace cuts the last rune instead.
const (
	anySpace   = `[\s\v\x{85}\p{Z}]`
	ending     = `(?i:'s|'t|'re|'ve|'m|'ll|'d)`
	upper      = `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
	lower      = `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
	before     = `[^\r\n\p{L}\p{N}]?`
	sign       = ` ?[^\s\v\x{85}\p{Z}\p{L}\p{N}]+`
	closing    = `|` + anySpace + `*[\r\n]+|` + anySpace + `+)`
	cl100kForm = `^(?:` + ending + `|` + before + `\p{L}+|\p{N}{1,3}|` + sign + `[\r\n]*` + closing
	o200kForm  = `^(?:` + before + upper + `*` + lower + `+` + ending + `?|` + before + upper + `+` + lower + `*` + ending + `?|\p{N}{1,3}|` + sign + `[\r\n/]*` + closing
)

var wholeSpace = regexp.MustCompile(`^` + anySpace + `+$`)

// samePiece compares the first piece of a text with what the pattern matches.
func samePiece(t failing, split func(string) int, form *regexp.Regexp, text string) {
	t.Helper()
	text = strings.ToValidUTF8(text, "?")
	for text != "" {
		want := form.FindString(text)
		if want != text && wholeSpace.MatchString(want) && !strings.ContainsAny(want, "\r\n") && utf8.RuneCountInString(want) > 1 {
			_, size := utf8.DecodeLastRuneInString(want)
			want = want[:len(want)-size]
		}
		if n := split(text); n != len(want) || n == 0 {
			t.Fatalf("%q begins with %q, want %q", text, text[:n], want)
		}
		text = text[len(want):]
	}
}

func TestSplitsLikeThePatterns(t *testing.T) {
	for form, split := range map[string]func(string) int{cl100kForm: cl100k, o200kForm: o200k} {
		re := regexp.MustCompile(form)
		pairs(func(text string) { samePiece(t, split, re, text) })
		for r := rune(0); r <= utf8.MaxRune; r++ {
			if r > 0x3_0000 && r < 0xe_0000 || r > 0xe_1000 {
				continue // unassigned, or for private use
			}
			if r > 0x3000 && r%13 != 0 {
				continue // long stretches of one kind
			}
			// A letter, a capital, a number, a sign and space beside it.
			samePiece(t, split, re, strings.ReplaceAll("a?bA??a 1?1-? ??\n'?", "?", string(r)))
		}
		rapid.Check(t, func(r *rapid.T) { samePiece(r, split, re, some(r)) })
	}
}

func TestUnknownAndDamaged(t *testing.T) {
	if _, err := Get("words"); err == nil {
		t.Error("an unknown encoding is taken")
	}
	if _, err := vocabulary("words"); err == nil {
		t.Error("a vocabulary that is not there is read")
	}
}

func BenchmarkGet(b *testing.B) {
	for b.Loop() {
		if _, err := Get("o200k_base"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	ours, theirs := both(b, "o200k_base")
	text := strings.Repeat("Where's my order O-12345? It should have come on 2026-03-01,  and it's not here…\n", 12)
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			ours.Count(text)
		}
	})
	b.Run("library", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if _, err := theirs.Count(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}
