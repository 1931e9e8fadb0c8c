package tagger

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// fickle marks a word that follows "at" always, and one that follows "with" in a share of
// the messages only: what the words say of it is a guess.
func fickle(n int, share float64, seed uint64) []Example {
	rng := rand.New(rand.NewPCG(seed, 1))
	word := func() string { return fmt.Sprintf("w%d", rng.IntN(500)) }
	var out []Example
	for range n {
		form := "at [" + word() + "](place)"
		if rng.Float64() < share {
			form = "with [" + word() + "](guest) " + form
		} else {
			form = "with " + word() + " " + form
		}
		out = append(out, marked("meet "+form, "place", "guest"))
	}
	return out
}

// TestConfidenceIsAShare holds the confidence of spans to how many of them are right, for a
// param that the words give away and for one that they do not.
func TestConfidenceIsAShare(t *testing.T) {
	m := Train(fickle(80, 0.6, 1), nil)
	said, right, found := map[string]float64{}, map[string]int{}, map[string]int{}
	for _, e := range fickle(400, 0.6, 2) {
		for _, s := range m.Tag(e.Sentence, nil) {
			said[s.Tag] += m.Confidence(s)
			found[s.Tag]++
			if marks(&e, s) {
				right[s.Tag]++
			}
		}
	}
	for _, tag := range []string{"place", "guest"} {
		if found[tag] < 100 {
			t.Fatalf("%s: %d spans show nothing", tag, found[tag])
		}
		mean, share := said[tag]/float64(found[tag]), float64(right[tag])/float64(found[tag])
		if mean > share+0.1 || mean < share-0.25 {
			t.Errorf("%s: mean confidence %.2f, right %.2f", tag, mean, share)
		}
	}
	if p, g := said["place"]/float64(found["place"]), said["guest"]/float64(found["guest"]); p < g+0.1 {
		t.Errorf("mean confidence %.2f of a sure param, %.2f of a fickle one", p, g)
	}
}

func TestConfidenceRises(t *testing.T) {
	m := Train(fickle(80, 0.6, 1), nil)
	last := -1.0
	for margin := 0.0; margin < 200; margin += 5 {
		c := m.Confidence(Span{Tag: "place", Margin: margin})
		if c < last || c < 0 || c > 1 {
			t.Errorf("confidence %v at margin %v, %v before", c, margin, last)
		}
		last = c
	}
	if c := m.Confidence(Span{Tag: "gone", Margin: 90}); c != 0 {
		t.Errorf("confidence %v of a param that is not known", c)
	}
	if c := (*Model)(nil).Confidence(Span{Tag: "place"}); c != 0 {
		t.Errorf("confidence %v of no model", c)
	}
}
