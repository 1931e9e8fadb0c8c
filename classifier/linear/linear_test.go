package linear

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/classifier/message"
)

// lights is a small set: three things one may ask of a house.
func lights() []Example {
	var set []Example
	for intent, texts := range map[string]string{
		"lights_on":  "turn on the lamp|lights on please|switch the kitchen lights on|make it bright|light up the hall",
		"lights_off": "turn off the lamp|lights out|switch the kitchen lights off|make it dark|kill the lights",
		"heating":    "make it warmer|raise the temperature|set the heating to 21|i am cold|heat the bathroom",
	} {
		for t := range strings.SplitSeq(texts, "|") {
			set = append(set, Example{intent, t})
		}
	}
	// map order must not matter; the set is trained in the order of its texts
	for i := range set {
		for j := i; j > 0 && set[j].Text < set[j-1].Text; j-- {
			set[j], set[j-1] = set[j-1], set[j]
		}
	}
	return set
}

func train(tb testing.TB, set []Example, o *Options) *Model {
	tb.Helper()
	m, err := Train(set, o)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func TestRank(t *testing.T) {
	m := train(t, lights(), nil)
	for text, want := range map[string]string{
		"please turn the lamp on":     "lights_on",
		"switch off kitchen lights":   "lights_off",
		"set the heating to 18":       "heating",
		"raise temperatures":          "heating",
		"LIGHTS OUT!!!":               "lights_off",
		"could you heat the bathroom": "heating",
	} {
		got := m.Rank(text, nil)
		if got[0].Intent != want || got[0].Confidence < 0.6 {
			t.Errorf("Rank(%q) = %v, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", "  ", "?!…", "'"} {
		if got := m.Rank(text, nil); len(got) != 0 {
			t.Errorf("Rank(%q) = %v, want nothing", text, got)
		}
	}
	for _, text := range []string{"qwx zzrt", "quantum physics", "你好"} {
		if got := m.Rank(text, nil); got[0].Confidence >= 0.5 {
			t.Errorf("Rank(%q) = %v, want less than 0.5", text, got)
		}
	}
}

func TestRankAppends(t *testing.T) {
	m := train(t, lights(), &Options{Top: 2})
	into := []message.Score{{Intent: "kept", Confidence: 0.1}}
	got := m.Rank("turn on the lamp", into)
	if len(got) != 3 || got[0].Intent != "kept" || got[1].Intent != "lights_on" {
		t.Errorf("Rank appended %v", got)
	}
}

func TestDescriptionIsAnExample(t *testing.T) {
	set := []Example{{"a", "one thing"}, {"b", "another matter"}}
	m := train(t, set, &Options{Describe: map[string]string{"b": "zebra crossing"}})
	if got := m.Rank("zebra", nil); got[0].Intent != "b" {
		t.Errorf("Rank = %v, want b", got)
	}
}

func TestTrainNothing(t *testing.T) {
	if _, err := Train(nil, nil); !errors.Is(err, ErrNoExamples) {
		t.Errorf("Train(nil) = %v, want ErrNoExamples", err)
	}
	m := train(t, []Example{{"only", "hello"}}, nil)
	if got := m.Rank("hello", nil); len(got) != 1 || got[0].Intent != "only" {
		t.Errorf("one intent: %v", got)
	}
	if got := train(t, []Example{{"", ""}, {"x", "..."}}, nil).Rank("hello", nil); len(got) != 2 || got[0].Confidence > 0.5 {
		t.Errorf("empty examples: %v", got)
	}
}

func TestTrainIsDeterministic(t *testing.T) {
	a, b := train(t, lights(), nil), train(t, lights(), nil)
	if diff := cmp.Diff(a.sparse.cells, b.sparse.cells); diff != "" {
		t.Errorf("weights differ: %s", diff)
	}
	if a.curve != b.curve {
		t.Errorf("curves differ: %+v %+v", a.curve, b.curve)
	}
}

func TestRankHolds(t *testing.T) {
	m := train(t, lights(), nil)
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.String().Draw(rt, "text")
		got := m.Rank(text, nil)
		if diff := cmp.Diff(got, m.Rank(text, nil)); diff != "" {
			rt.Fatalf("two rankings differ: %s", diff)
		}
		for i, s := range got {
			if math.IsNaN(s.Confidence) || s.Confidence < 0 || s.Confidence > 1 || i > 0 && s.Confidence > got[i-1].Confidence {
				rt.Fatalf("Rank = %v", got)
			}
		}
	})
}

func TestSplit(t *testing.T) {
	for text, want := range map[string]string{
		"What's UP":        "whats|up",
		"don’t":            "dont",
		"order 12345, O-1": "order|0|o|0",
		"5pm W2378":        "0pm|w0",
		"a\ue000b c":       "a|\ue000|b|c",
		"Straße ÉTÉ":       "straße|été",
		"":                 "",
	} {
		var s tokens
		s.split(text)
		var got []string
		for i := range s.words {
			got = append(got, string(s.bytes(i)))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("split(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("don't 12 \xff é́")
	f.Fuzz(func(t *testing.T, text string) {
		var s tokens
		s.split(text)
		last := 0
		for i, w := range s.words {
			if w.start < last || w.end <= w.start || w.end > len(s.buf) {
				t.Fatalf("word %d of %q is %+v", i, text, w)
			}
			last = w.end
			eachGram(s.bytes(i), nil, func(h uint64, n int) {
				if h == 0 || n < minGram || n > maxGram {
					t.Fatalf("gram %d of length %d", h, n)
				}
			})
		}
	})
}

func TestRankAllocatesNothing(t *testing.T) {
	for _, e := range []Embedder{nil, letters{"a"}} {
		m := train(t, lights(), &Options{Embedder: e})
		into := make([]message.Score, 0, 8)
		m.Rank("please turn on the lights in the kitchen", into)
		if n := testing.AllocsPerRun(100, func() { m.Rank("please turn on the lights in the kitchen", into) }); n > 0 && !raceEnabled {
			t.Errorf("Rank allocates %v times", n)
		}
	}
}

// FuzzVectorise holds the vectoriser to bounds: no panic, work in proportion to the text,
// weights and the share of known text in range.
func FuzzVectorise(f *testing.F) {
	m := train(f, lights(), nil)
	f.Add("turn on \xff the \ue000 lamp 123")
	f.Fuzz(func(t *testing.T, text string) {
		var s scratch
		m.vocabulary.vectorise(text, &s)
		if len(s.vector) > min(len(m.vocabulary.idf), 20*(len(text)+2)) {
			t.Fatalf("%d features of %d bytes", len(s.vector), len(text))
		}
		if !(s.known >= 0 && s.known <= 1.0001) {
			t.Fatalf("known %v", s.known)
		}
		for _, e := range s.vector {
			if !(e.value > 0 && e.value <= 1.0001) || s.count[e.feature] != 0 {
				t.Fatalf("entry %+v", e)
			}
		}
		m.Rank(text, nil)
	})
}
