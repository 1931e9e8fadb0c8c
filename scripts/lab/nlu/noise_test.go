package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/config"
)

// noisy is a message with a span whose text is told apart.
func noisy() []eval.Row {
	text := "bring the grüne box to Weimar by noon"
	at := utf8.RuneCountInString("bring the grüne box to ")
	return []eval.Row{{Text: text, Intent: "bring", Spans: []config.Span{{Param: "city", Start: at, End: at + len("Weimar"), Value: "Weimar"}}}}
}

// Every noise keeps spans on their words, does the same again, and leaves the rows alone.
func TestNoise(t *testing.T) {
	for seed := range uint64(200) {
		for _, n := range []noise{{edits: 1, seed: seed}, {edits: 4, seed: seed}, {chatter: true, seed: seed}, {edits: 2, chatter: true, seed: seed}} {
			rows := noisy()
			got := n.on(rows)
			if diff := cmp.Diff(noisy(), rows); diff != "" {
				t.Fatalf("%+v changes its argument:\n%s", n, diff)
			}
			if diff := cmp.Diff(got, n.on(noisy())); diff != "" {
				t.Fatalf("%+v, another time:\n%s", n, diff)
			}
			if got[0].Text == rows[0].Text && n.edits < 2 { // two slips may undo each other
				t.Errorf("%+v changes nothing", n)
			}
			s := got[0].Spans[0]
			runes := []rune(got[0].Text)
			if s.Start < 0 || s.End > len(runes) || s.End < s.Start {
				t.Fatalf("%+v: span %d to %d of %q", n, s.Start, s.End, got[0].Text)
			}
			if n.edits == 0 && string(runes[s.Start:s.End]) != "Weimar" {
				t.Errorf("%+v: the span of %q is %q", n, got[0].Text, string(runes[s.Start:s.End]))
			}
			if n.chatter && n.edits == 0 && !strings.Contains(got[0].Text, rows[0].Text) {
				t.Errorf("%+v: %q has lost the message", n, got[0].Text)
			}
		}
	}
}

// A slip is one letter more, one less, one other, or two swapped, and all of these occur.
func TestSlip(t *testing.T) {
	kinds := map[int]int{}
	for seed := range uint64(300) {
		was, is := []rune(noisy()[0].Text), []rune(noise{edits: 1, seed: seed}.on(noisy())[0].Text)
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
	rows := labelled(4, 9)
	counts := map[string]int{}
	for _, r := range shots(rows, 3, 1) {
		counts[r.Intent]++
	}
	if diff := cmp.Diff(map[string]int{"wish00": 3, "wish01": 3, "wish02": 3, "wish03": 3}, counts); diff != "" {
		t.Errorf("rows by intent (-want +got):\n%s", diff)
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

// Small agents tell what they serve from what they do not.
func TestSmall(t *testing.T) {
	train, test := holdout(synthetic(14, 12), 3)
	test = append(test, eval.Row{Text: "what a lovely day it was", Intent: eval.OutOfScope})
	f, err := small(t.Context(), train, test, smallOptions{agents: 2})
	if err != nil {
		t.Fatal(err)
	}
	if f.Agents != 2 || f.Shots != fewExamples || f.Served.Messages == 0 || f.Near.Messages == 0 || f.Far.Messages != 2 {
		t.Errorf("%+v", f)
	}
	if f.Served.First < 0.7 || f.Near.Right > 0 || f.Far.Right > 0 {
		t.Errorf("served %+v, near %+v, far %+v", f.Served, f.Near, f.Far)
	}
	if got := f.Served.Right + f.Served.Wrong + f.Served.System + f.Served.Offered; got > 1.0001 {
		t.Errorf("outcomes add up to %v", got)
	}
	if _, err := small(t.Context(), train[:4], test, smallOptions{agents: 1}); err == nil {
		t.Error("drawn from too few intents")
	}
}
