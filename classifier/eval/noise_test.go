package eval

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
)

// noisy is a message with a span whose text is told apart.
func noisy() []Row {
	text := "bring the grüne box to Weimar by noon"
	at := utf8.RuneCountInString("bring the grüne box to ")
	return []Row{{Text: text, Intent: "bring", Spans: []config.Span{{Param: "city", Start: at, End: at + len("Weimar"), Value: "Weimar"}}}}
}

// Every noise keeps spans on their words, does the same again, and leaves the rows alone.
func TestNoise(t *testing.T) {
	for seed := range uint64(200) {
		for _, n := range []Noise{{Edits: 1, Seed: seed}, {Edits: 4, Seed: seed}, {Chatter: true, Seed: seed}, {Edits: 2, Chatter: true, Seed: seed}} {
			rows := noisy()
			got := n.On(rows)
			if diff := cmp.Diff(noisy(), rows); diff != "" {
				t.Fatalf("%+v changes its argument:\n%s", n, diff)
			}
			if diff := cmp.Diff(got, n.On(noisy())); diff != "" {
				t.Fatalf("%+v, another time:\n%s", n, diff)
			}
			if got[0].Text == rows[0].Text && n.Edits < 2 { // two slips may undo each other
				t.Errorf("%+v changes nothing", n)
			}
			s := got[0].Spans[0]
			runes := []rune(got[0].Text)
			if s.Start < 0 || s.End > len(runes) || s.End < s.Start {
				t.Fatalf("%+v: span %d to %d of %q", n, s.Start, s.End, got[0].Text)
			}
			if n.Edits == 0 && string(runes[s.Start:s.End]) != "Weimar" {
				t.Errorf("%+v: the span of %q is %q", n, got[0].Text, string(runes[s.Start:s.End]))
			}
			if n.Chatter && n.Edits == 0 && !strings.Contains(got[0].Text, rows[0].Text) {
				t.Errorf("%+v: %q has lost the message", n, got[0].Text)
			}
		}
	}
}

// A slip is one letter more, one less, one other, or two swapped, and all of these occur.
func TestSlip(t *testing.T) {
	kinds := map[int]int{}
	for seed := range uint64(300) {
		was, is := []rune(noisy()[0].Text), []rune(Noise{Edits: 1, Seed: seed}.On(noisy())[0].Text)
		kinds[len(is)-len(was)]++
		if len(is) == len(was) {
			changed := 0
			for i := range is {
				if is[i] != was[i] {
					changed++
				}
			}
			if changed < 1 || changed > 2 {
				t.Errorf("%q: %d letters changed", string(is), changed)
			}
			kinds[10+changed]++
		}
	}
	for _, kind := range []int{-1, 0, 1, 11, 12} {
		if kinds[kind] < 20 {
			t.Errorf("kinds %v", kinds)
		}
	}
}

func TestShots(t *testing.T) {
	rows := rowsOf(t, "testdata/train.jsonl")
	counts := map[string]int{}
	for _, r := range shots(rows, 3, 1) {
		counts[r.Intent]++
	}
	for intent, n := range counts {
		if n != 3 && intent != OutOfScope {
			t.Errorf("%d of %s", n, intent)
		}
	}
	if diff := cmp.Diff(shots(rows, 3, 1), shots(rows, 3, 1)); diff != "" {
		t.Errorf("another draw:\n%s", diff)
	}
	if cmp.Equal(shots(rows, 3, 1), shots(rows, 3, 2)) {
		t.Error("the seed draws nothing else")
	}
	if len(shots(rows, 0, 1)) != len(rows) {
		t.Error("no number is not all rows")
	}
}

// Small agents tell what they serve from what they do not, and noise makes it no better.
func TestSmall(t *testing.T) {
	rows := Synthetic(14, 12)
	var train, test []Row
	for i, r := range rows {
		if i%3 == 0 {
			test = append(test, r)
		} else {
			train = append(train, r)
		}
	}
	test = append(test, Row{Text: "what a lovely day it was", Intent: OutOfScope})
	steps := 0
	f, err := Small(t.Context(), train, test, 2, &Options{Step: func() { steps++ }})
	if err != nil {
		t.Fatal(err)
	}
	if f.Agents != 2 || f.Shots != fewExamples || steps != 2 || f.Served.Messages == 0 || f.Near.Messages == 0 || f.Far.Messages != 2 {
		t.Errorf("%+v", f)
	}
	if f.Served.First < 0.7 || f.Near.Right > 0 || f.Far.Right > 0 {
		t.Errorf("served %+v, near %+v, far %+v", f.Served, f.Near, f.Far)
	}
	if got := f.Served.Right + f.Served.Wrong + f.Served.System + f.Served.Offered; got > 1.0001 {
		t.Errorf("outcomes add up to %v", got)
	}
	if _, err := Small(t.Context(), train[:4], test, 1, nil); err == nil {
		t.Error("drawn from too few intents")
	}
}
