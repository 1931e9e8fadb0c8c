package tagger

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier/internal/modelfile"
	"github.com/slotway/slotway/classifier/message"
)

// encoded is a model as a cache keeps it.
func encoded(tb testing.TB, m *Model) []byte {
	tb.Helper()
	b, err := modelfile.Keep("test", m.Stored())
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// decode is the way back.
func decode(data []byte, v Vectors) (*Model, error) {
	var s Stored
	if !modelfile.Load(data, "test", &s) {
		return nil, errors.New("not loaded")
	}
	return Restore(&s, v)
}

func TestAStoredModelIsTheSame(t *testing.T) {
	examples := grammar(240)
	m := Train(examples, nil)
	data := encoded(t, m)
	again, err := decode(data, nil)
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
}

func TestRestoreRefusesAnotherVersion(t *testing.T) {
	s := Train(grammar(80), nil).Stored()
	s.Version--
	if _, err := Restore(s, nil); !errors.Is(err, ErrForeign) {
		t.Errorf("got %v", err)
	}
	if (*Model)(nil).Stored() != nil {
		t.Error("no model has data")
	}
}

// TestVersion holds what one training gives. When it fails, features or training have changed:
// raise Version, then put the new sum here.
func TestVersion(t *testing.T) {
	data, err := json.Marshal(Train(grammar(240), nil).Stored())
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	if got := hex.EncodeToString(sum[:8]); Version != 3 || got != "0dd5531ec3e72391" {
		t.Errorf("the model of version %d has the sum %s", Version, got)
	}
}

// FuzzTag feeds any text and hit: tokens and spans lie in the text, in order, apart.
func FuzzTag(f *testing.F) {
	m := Train(grammar(120), nil)
	for _, text := range []string{"bring fish and chips to Dina O'Neil", "Ana’s \xff soup…12\u00a07pm", "👍🏽 é soup", "'s's''"} {
		f.Add(text, 1, 4)
	}
	f.Fuzz(func(t *testing.T, text string, from, to int) {
		n, end := utf8.RuneCountInString(text), 0
		for _, tok := range tokenize(text, message.Tokenize(text, nil), nil) {
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

func BenchmarkRestore(b *testing.B) {
	data := encoded(b, Train(grammar(2000), nil))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode(data, nil); err != nil {
			b.Fatal(err)
		}
	}
}
