package tagger

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func encoded(tb testing.TB, m *Model) []byte {
	tb.Helper()
	b, err := m.AppendBinary(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func TestDecodeGivesTheSameModel(t *testing.T) {
	examples := grammar(240)
	m := Train(examples, nil)
	data := encoded(t, m)
	again, err := Decode(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(data, encoded(t, again)) {
		t.Error("a decoded model encodes to other bytes")
	}
	for _, e := range examples {
		e.Text += " 12 Émile's stew"
		if diff := cmp.Diff(m.Tag(e.Sentence, nil), again.Tag(e.Sentence, nil)); diff != "" {
			t.Errorf("Tag(%q) of the decoded model (-want +got):\n%s", e.Text, diff)
		}
	}
	if m.Spans("dish") != again.Spans("dish") {
		t.Error("counts differ")
	}
	if b, _ := m.AppendBinary([]byte("before")); string(b[:6]) != "before" || !slices.Equal(b[6:], data) {
		t.Error("AppendBinary does not append")
	}
}

func TestDecodeRefuses(t *testing.T) {
	data := encoded(t, Train(grammar(80), nil))
	changed := func(at int) []byte {
		b := slices.Clone(data)
		b[at] ^= 4
		return b
	}
	for name, tc := range map[string]struct {
		data []byte
		want error
	}{
		"nothing":          {nil, ErrForeign},
		"another file":     {[]byte(strings.Repeat("x", 200)), ErrForeign},
		"another version":  {changed(len(magic)), ErrForeign},
		"head alone":       {data[:len(magic)+4], ErrDamaged},
		"checksum":         {changed(len(magic) + 5), ErrDamaged},
		"a bit in the end": {changed(len(data) - 1), ErrDamaged},
		"a bit within":     {changed(len(data) / 2), ErrDamaged},
		"cut":              {data[:len(data)-3], ErrDamaged},
		"more behind":      {append(slices.Clone(data), 0), ErrDamaged},
	} {
		if m, err := Decode(tc.data, nil); m != nil || !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, %v, want %v", name, m != nil, err, tc.want)
		}
	}
	if _, err := (*Model)(nil).AppendBinary(nil); err == nil {
		t.Error("encoded no model")
	}
}

// TestVersion holds what one training gives. When it fails, features, training or the
// encoding have changed: raise Version, then put the new sum here.
func TestVersion(t *testing.T) {
	sum := sha256.Sum256(encoded(t, Train(grammar(240), nil)))
	if got := hex.EncodeToString(sum[:8]); Version != 3 || got != "16ba1d881dbb96f5" {
		t.Errorf("the model of version %d has the sum %s", Version, got)
	}
}

// FuzzDecode feeds anything, with and without a right checksum.
func FuzzDecode(f *testing.F) {
	data := encoded(f, Train(grammar(40), &Options{Passes: 2}))
	f.Add(data)
	f.Add(data[len(magic)+8:])
	f.Add(data[:len(data)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, read := range []func([]byte, Vectors) (*Model, error){Decode, decodeBody} {
			m, err := read(data, nil)
			if err != nil {
				if !errors.Is(err, ErrForeign) && !errors.Is(err, ErrDamaged) {
					t.Errorf("error %v", err)
				}
				continue
			}
			m.Tag(Sentence{Text: "bring soup to Ana O'Neil at 12", Tags: m.tags}, nil)
		}
	})
}

// FuzzTag feeds any text and hit: tokens and spans lie in the text, in order, apart.
func FuzzTag(f *testing.F) {
	m := Train(grammar(120), nil)
	for _, text := range []string{"bring fish and chips to Dina O'Neil", "Ana’s \xff soup…12\u00a07pm", "👍🏽 é soup", "'s's''"} {
		f.Add(text, 1, 4)
	}
	f.Fuzz(func(t *testing.T, text string, from, to int) {
		n, end := utf8.RuneCountInString(text), 0
		for _, tok := range tokenize(text, nil) {
			if tok.start < end || tok.end <= tok.start || tok.end > n {
				t.Fatalf("token [%d,%d) of a text of %d", tok.start, tok.end, n)
			}
			end = tok.end
		}
		end = 0
		for _, s := range m.Tag(Sentence{Text: text, Tags: m.tags, Asked: []string{"dish"}, Hits: []Hit{{"any", from, to}}}, nil) {
			if s.Start < end || s.End <= s.Start || s.End > n || !(s.Margin >= 0) {
				t.Fatalf("span %+v of a text of %d", s, n)
			}
			end = s.End
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	data := encoded(b, Train(grammar(2000), nil))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(data, nil); err != nil {
			b.Fatal(err)
		}
	}
}
