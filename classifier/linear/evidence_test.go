package linear

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier/message"
)

// topics gives a text the vector of what it is about: the words of a topic share a direction.
type topics map[string][]float32

func (topics) Model() string  { return "topics" }
func (topics) Dimension() int { return 8 }
func (t topics) EmbedInto(dst []float32, text string) {
	clear(dst)
	copy(dst, t[text])
}

// bankExamples are two intents about cards.
func bankExamples() (topics, []Example) {
	t, out := topics{}, []Example{}
	for i, verb := range []string{"freeze", "block", "lock", "stop"} {
		for k, end := range []string{"my card", "the card"} {
			text := fmt.Sprintf("%s %s", verb, end)
			t[text] = unitOf(1, 0.1*float32(i), 0.05*float32(k), 0)
			out = append(out, Example{Intent: "freeze_card", Text: text})
			text = fmt.Sprintf("order %s %s", verb+"er", end)
			t[text] = unitOf(0.1*float32(k), 1, 0.1*float32(i), 0)
			out = append(out, Example{Intent: "order_card", Text: text})
		}
	}
	for axis, intent := range []string{"opening_hours", "branches", "advice"} { // there are others, too
		for i := range 8 {
			x := make([]float32, 8)
			x[4+axis], x[i%3] = 1, 0.1
			text := fmt.Sprintf("%s %c", strings.ReplaceAll(intent, "_", " "), 'a'+i)
			t[text] = unitOf(x...)
			out = append(out, Example{Intent: intent, Text: text})
		}
	}
	t["freeze one card"], t["freeze another card"] = unitOf(1, 0.1, 0, 0), unitOf(0.2, 0, 0, 1)
	return t, out
}

func unitOf(x ...float32) []float32 {
	length := float32(math.Sqrt(float64(dot(x, x))))
	for i := range x {
		x[i] /= length
	}
	return x
}

// TestNearIsNotOf holds that of two texts which the words take for one intent alike, the one
// that is unlike its examples is less certain to be of it.
func TestNearIsNotOf(t *testing.T) {
	vectors, examples := bankExamples()
	m, err := Train(examples, &Options{Embedder: letters{"table"}, Encoder: vectors})
	if err != nil {
		t.Fatal(err)
	}
	of, near := m.second.Glance("freeze one card", nil)[0], m.second.Glance("freeze another card", nil)[0]
	if of.Intent != "freeze_card" || near.Intent != "freeze_card" {
		t.Fatalf("taken for %s and %s", of.Intent, near.Intent)
	}
	if of.Confidence < acceptAt || near.Confidence >= acceptAt {
		t.Errorf("of the intent %.2f, near it %.2f", of.Confidence, near.Confidence)
	}
}

// TestEvidenceRanks holds that confidences never rise down a ranking and that the order is
// that of the scores.
func TestEvidenceRanks(t *testing.T) {
	vectors, examples := bankExamples()
	m, err := Train(examples, &Options{Embedder: letters{"table"}, Encoder: vectors})
	if err != nil {
		t.Fatal(err)
	}
	for text := range vectors {
		r := m.second.Glance(text, nil)
		if !slices.IsSortedFunc(r, func(a, b message.Score) int {
			switch {
			case a.Confidence > b.Confidence:
				return -1
			case a.Confidence < b.Confidence:
				return 1
			}
			return 0
		}) {
			t.Errorf("%q: %v", text, r)
		}
	}
}

// TestManyExamplesKeepFolds holds that evidence is for sets of few examples, not counting the
// intents aside, and for models with vectors.
func TestManyExamplesKeepFolds(t *testing.T) {
	vectors, few := bankExamples()
	var many []Example
	for i := range 8 * sparseExamples {
		many = append(many, Example{Intent: "common", Text: fmt.Sprintf("word%c%c", 'a'+i%26, 'a'+i/26)})
	}
	crowded := append(slices.Clone(few), many...)
	var wide []Example
	for i := range (mostClasses + 1) * leastExamples {
		wide = append(wide, Example{Intent: fmt.Sprintf("topic%d", i/leastExamples), Text: fmt.Sprintf("word%c%c", 'a'+i%26, 'a'+i/26)})
	}
	all := append(slices.Clone(few), many...)
	for name, c := range map[string]struct {
		examples []Example
		o        Options
		want     bool
	}{
		"few":                 {few, Options{Embedder: letters{"table"}, Encoder: vectors}, true},
		"without vectors":     {few, Options{}, false},
		"few classes":         {few[:16], Options{Embedder: letters{"table"}, Encoder: vectors}, false},
		"many classes":        {wide, Options{Embedder: letters{"table"}, Encoder: vectors}, false},
		"many":                {crowded, Options{Embedder: letters{"table"}, Encoder: vectors}, false},
		"few, and many aside": {all, Options{Embedder: letters{"table"}, Encoder: vectors, Aside: map[string]bool{"common": true}}, true},
	} {
		m, err := Train(c.examples, &c.o)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.second != nil && m.second.near != nil; got != c.want {
			t.Errorf("%s: evidence %v", name, got)
		}
	}
}

// TestNeighboursSurvive holds that a decoded model ranks as the trained one does.
func TestNeighboursSurvive(t *testing.T) {
	vectors, examples := bankExamples()
	m, err := Train(examples, &Options{Embedder: letters{"table"}, Encoder: vectors})
	if err != nil {
		t.Fatal(err)
	}
	again, err := decode(encode(t, m), Parts{Embedder: letters{"table"}, Encoder: vectors})
	if err != nil {
		t.Fatal(err)
	}
	for text := range vectors {
		if a, b := m.second.Glance(text, nil), again.second.Glance(text, nil); !slices.Equal(a, b) {
			t.Errorf("%q: %v trained, %v decoded", text, a, b)
		}
	}
}
