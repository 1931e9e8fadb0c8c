package tagger

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier/message"

	"github.com/google/go-cmp/cmp"
)

// topics places words by what they are; a word of no topic has the zero vector.
type topics map[string]int

func (topics) Model() string  { return "topics" }
func (topics) Dimension() int { return 8 }
func (v topics) EmbedInto(dst []float32, text string) {
	clear(dst)
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		if k, ok := v[w]; ok {
			dst[k]++
		}
	}
}

// another is topics under another name.
type another struct{ topics }

func (another) Model() string { return "another" }

func topicsOf(lists ...string) topics {
	v := topics{}
	for k, list := range lists {
		for w := range strings.FieldsSeq(list) {
			v[w] = k
		}
	}
	return v
}

// meanings has towns, instruments and verbs.
var meanings = topicsOf("ulm bonn kiel trier mainz jena gera town", "flute harp lute cello viola oboe banjo instrument", "see hear find")

// ambiguous is a handful of examples whose frame says nothing about which param a word is.
func ambiguous() []Example {
	var out []Example
	for i, pair := range [][2]string{{"ulm", "flute"}, {"bonn", "harp"}, {"kiel", "lute"}, {"trier", "cello"}} {
		for _, verb := range []string{"see", "find"} {
			form := fmt.Sprintf("%s the [%s](town) and the [%s](instrument)", verb, pair[0], pair[1])
			if i%2 == 0 {
				form = fmt.Sprintf("%s the [%s](instrument) and the [%s](town)", verb, pair[1], pair[0])
			}
			out = append(out, marked(form, "town", "instrument"))
		}
	}
	return out
}

// TestMeaningDecides finds which param words are of that no example has, where the words
// around them say nothing.
func TestMeaningDecides(t *testing.T) {
	m := Train(ambiguous(), &Options{Vectors: meanings})
	for _, form := range []string{
		"see the [mainz](town) and the [viola](instrument)", "see the [oboe](instrument) and the [jena](town)",
		"find the [gera](town) and the [banjo](instrument)", "find the [viola](instrument) and the [mainz](town)",
	} {
		e := marked(form, "town", "instrument")
		if diff := cmp.Diff(e.Spans, bare(m.Tag(e.Sentence, nil))); diff != "" {
			t.Errorf("Tag(%q) (-want +got):\n%s", e.Text, diff)
		}
	}
}

// TestNameSpeaks takes a word for the param whose name it is like when both params have
// been seen with one value only.
func TestNameSpeaks(t *testing.T) {
	var examples []Example
	for _, verb := range []string{"see", "hear", "find", "see", "hear", "find"} {
		examples = append(examples, marked(verb+" the [ulm](town) now", "town", "instrument"), marked(verb+" the [flute](instrument) now", "town", "instrument"))
	}
	m := Train(examples, &Options{Vectors: meanings})
	for _, form := range []string{"hear the [jena](town) now", "hear the [banjo](instrument) now"} {
		e := marked(form, "town", "instrument")
		if diff := cmp.Diff(e.Spans, bare(m.Tag(e.Sentence, nil))); diff != "" {
			t.Errorf("Tag(%q) (-want +got):\n%s", e.Text, diff)
		}
	}
}

func TestVectorsAreKept(t *testing.T) {
	m := Train(ambiguous(), &Options{Vectors: meanings})
	data := encoded(t, m)
	again, err := decode(data, meanings)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(data, encoded(t, again)) {
		t.Error("a decoded model encodes to other bytes")
	}
	in := Sentence{Text: "see the mainz and the viola", Tags: []string{"town", "instrument"}}
	want, got := m.Tag(in, nil), again.Tag(in, nil)
	if diff := cmp.Diff(want, got); diff != "" || len(want) != 2 {
		t.Errorf("Tag of the decoded model (-want +got):\n%s", diff)
	}
	for i := range want {
		if m.Confidence(want[i]) != again.Confidence(got[i]) {
			t.Errorf("confidence %v of the decoded model, want %v", again.Confidence(got[i]), m.Confidence(want[i]))
		}
	}
	for name, v := range map[string]Vectors{"no vectors": nil, "other vectors": another{meanings}} {
		if _, err := decode(data, v); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v, want %v", name, err, ErrForeign)
		}
	}
	if _, err := decode(encoded(t, Train(ambiguous(), nil)), meanings); !errors.Is(err, ErrForeign) {
		t.Error("a model without vectors was taken for one with")
	}
}

// endless gives a vector that is no number.
type endless struct{ topics }

func (endless) EmbedInto(dst []float32, _ string) {
	for i := range dst {
		dst[i] = float32(math.Inf(1))
	}
}

func TestBrokenVectorsAreNone(t *testing.T) {
	m := Train(grammar(80), &Options{Vectors: endless{}})
	for _, e := range grammar(80) {
		for _, s := range m.Tag(e.Sentence, nil) {
			if math.IsNaN(s.Margin) || math.IsNaN(m.Confidence(s)) {
				t.Fatalf("Tag(%q): %+v of confidence %v", e.Text, s, m.Confidence(s))
			}
		}
	}
}

func TestVectorsAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("pools forget under the race detector")
	}
	m := Train(ambiguous(), &Options{Vectors: fixed{}})
	in := Sentence{Text: "see the mainz and the viola", Tags: []string{"town", "instrument"}}
	in.Cut = message.Tokenize(in.Text, nil)
	spans := m.Tag(in, nil)
	if n := testing.AllocsPerRun(100, func() { spans = m.Tag(in, spans[:0]) }); n >= 1 {
		t.Errorf("%v allocations a message", n)
	}
}

// fixed gives every word the same vector, without allocating.
type fixed struct{}

func (fixed) Model() string                     { return "fixed" }
func (fixed) Dimension() int                    { return 4 }
func (fixed) EmbedInto(dst []float32, _ string) { dst[0] = 1 }
