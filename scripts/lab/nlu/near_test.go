package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
)

// labelled makes a file of intents with examples each, whose texts begin with their labels.
func labelled(intents, each int) []eval.Row {
	var rows []eval.Row
	for i := range intents {
		for n := range each {
			label := fmt.Sprintf("wish%02d", i)
			rows = append(rows, eval.Row{Text: fmt.Sprintf("%s number %d", label, n), Intent: label, Pos: source.Position{File: "drawn.jsonl", Line: len(rows) + 1, Column: 1}})
		}
	}
	return rows
}

// knowing takes every message for what its label says: the task, or that it is not served.
func knowing(_ context.Context, agent *config.Agent, _ classifier.Classifier, text string) (taken, error) {
	label, _, _ := strings.Cut(text, " ")
	for _, id := range []string{label, "not_served." + label} {
		if agent.Intent(id) != nil {
			return taken{Intent: id}, nil
		}
	}
	return taken{}, nil
}

// grasping begins the first task whatever is said.
func grasping(_ context.Context, agent *config.Agent, _ classifier.Classifier, _ string) (taken, error) {
	return taken{Intent: agent.Intents[0].ID}, nil
}

// asking asks about the first two tasks whatever is said.
func asking(_ context.Context, agent *config.Agent, _ classifier.Classifier, _ string) (taken, error) {
	return taken{Offered: []string{agent.Intents[0].ID, agent.Intents[1].ID}}, nil
}

func nearOf(t *testing.T, o nearOptions) *nearFigures {
	t.Helper()
	test := append(labelled(20, 3), eval.Row{Text: "nothing of all that", Intent: eval.OutOfScope}, eval.Row{Text: "unheard of", Intent: "unknown"})
	if o.Draws == 0 {
		o.Draws = 3
	}
	o.Least, o.Most = 2, 4
	f, err := near(t.Context(), labelled(20, 8), test, o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// What agents do with each kind of message is counted under its kind; a label that the
// examples lack is of no kind.
func TestNearCounts(t *testing.T) {
	steps := 0
	f := nearOf(t, nearOptions{Take: knowing, Listed: 2, Messages: 5, Step: func() { steps++ }})
	if f.Agents != 3 || steps != 3 || f.Messages < 3*2*3 || f.Messages > 3*4*3 || f.Messages%3 != 0 {
		t.Errorf("%d agents, %d steps, %d messages", f.Agents, steps, f.Messages)
	}
	if f.Rightly != 1 || f.Wrongly != 0 || f.Offered != 0 || f.FirstGuess < 0.9 {
		t.Errorf("served: %+v", f)
	}
	if f.Near.Messages != 15 || f.Near.Acted != 0 || f.Near.Answered != 0 {
		t.Errorf("near: %+v", f.Near)
	}
	if f.Listed.Messages != 15 || f.Listed.Acted != 0 || f.Listed.Answered != 1 {
		t.Errorf("listed: %+v", f.Listed)
	}
	if f.Far.Messages != 3 || f.Far.Acted != 0 {
		t.Errorf("far: %+v", f.Far)
	}
}

// Whoever always acts is wrong on what is not served, and right on one task of several.
func TestNearActsWrongly(t *testing.T) {
	f := nearOf(t, nearOptions{Take: grasping, Listed: 1})
	if f.Near.Acted != 1 || f.Listed.Acted != 1 || f.Far.Acted != 1 || f.Rightly <= 0 || f.Rightly > 0.5 || math.Abs(f.Rightly+f.Wrongly-1) > 1e-9 {
		t.Errorf("%+v, near %+v, listed %+v, far %+v", f, f.Near, f.Listed, f.Far)
	}
}

// A question back is neither right nor wrong; it helps where the right task is in it.
func TestNearAsksBack(t *testing.T) {
	f := nearOf(t, nearOptions{Take: asking})
	if f.Offered != 1 || f.Rightly != 0 || f.Wrongly != 0 || f.OfferedRight <= 0.4 || f.Near.Offered != 1 || f.Near.Acted != 0 || f.Listed != nil {
		t.Errorf("%+v, near %+v, listed %+v", f, f.Near, f.Listed)
	}
}

// One seed draws the same agents, another draws others.
func TestNearSeeds(t *testing.T) {
	first, again, other := nearOf(t, nearOptions{Take: grasping, Seed: 7}), nearOf(t, nearOptions{Take: grasping, Seed: 7}), nearOf(t, nearOptions{Take: grasping, Seed: 8})
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("the same seed:\n%s", diff)
	}
	if cmp.Equal(first, other) {
		t.Error("another seed gives the same figures")
	}
}

func TestNearFails(t *testing.T) {
	if _, err := near(t.Context(), labelled(10, 8), labelled(10, 1), nearOptions{Take: knowing}); !errors.Is(err, errFewIntents) {
		t.Errorf("ten intents, agents of ten: %v", err)
	}
	if _, err := near(t.Context(), labelled(20, 7), labelled(20, 1), nearOptions{Take: knowing}); !errors.Is(err, errFewIntents) {
		t.Errorf("seven examples, eight to draw: %v", err)
	}
	broken := errors.New("out of order")
	_, err := near(t.Context(), labelled(20, 8), labelled(20, 1), nearOptions{Draws: 1, Take: func(context.Context, *config.Agent, classifier.Classifier, string) (taken, error) {
		return taken{}, broken
	}})
	if !errors.Is(err, broken) || !strings.Contains(fmt.Sprint(err), "drawn.jsonl:") {
		t.Errorf("%v", err)
	}
}

// An agent has so many tasks of so many examples, and no label twice.
func TestDrawing(t *testing.T) {
	d := drawing{least: 2, most: 4, examples: 8, listed: 3}
	rows := append(labelled(12, 9), eval.Row{Text: "elsewhere", Intent: eval.OutOfScope})
	if err := d.from(rows, func(intent string) bool { return intent != "wish00" }); err != nil {
		t.Fatal(err)
	}
	sizes := map[int]bool{}
	for seed := range uint64(40) {
		a, err := d.next(rand.New(rand.NewPCG(seed, 0)))
		if err != nil {
			t.Fatal(err)
		}
		sizes[len(a.tasks)] = true
		if len(a.agent.Intents) != len(a.tasks) || len(a.listed) != 3 || len(a.agent.NotServed) != 3 || len(a.agent.System) == 0 {
			t.Fatalf("%d tasks, %d intents, %d listed, %d not served", len(a.tasks), len(a.agent.Intents), len(a.listed), len(a.agent.NotServed))
		}
		seen := map[string]bool{"wish00": true}
		for _, label := range append(append([]string{}, a.tasks...), a.listed...) {
			if seen[label] {
				t.Fatalf("%s is drawn twice, or should not be drawn: %v %v", label, a.tasks, a.listed)
			}
			seen[label] = true
		}
		for _, in := range a.agent.Intents {
			if len(in.Examples) != 8 {
				t.Fatalf("%d examples", len(in.Examples))
			}
		}
	}
	if len(sizes) != 3 {
		t.Errorf("sizes %v, want 2 to 4", sizes)
	}
}

func TestDrawnID(t *testing.T) {
	for label, want := range map[string]string{"card_arrival": "card_arrival", "what's up?": "whatsup", "cancel": "cancel_it", "Refund 2": "Refund2"} {
		if got := drawnID(label); got != want {
			t.Errorf("%q is %q, want %q", label, got, want)
		}
	}
}

// Calibration is off by what is said and what is right, bucket by bucket.
func TestNearCalibration(t *testing.T) {
	trial := &nearTrial{nearRun: &nearRun{}}
	for i := range 10 {
		trial.served++
		trial.guess(message.Score{Intent: []string{"a", "b"}[i%2], Confidence: 0.95}, true, "a") // half of them right
	}
	trial.served++
	trial.guess(message.Score{Intent: "a", Confidence: 1}, false, "a")
	f := trial.figures()
	if want := (10*0.95 + 1 - 6) / 11; math.Abs(f.ECE-want) > 1e-9 {
		t.Errorf("calibration error %v, want %v", f.ECE, want)
	}
	if b := f.Buckets[9]; b.Messages != 11 || math.Abs(b.Right-6.0/11) > 1e-9 || f.FirstGuess != 6.0/11 || f.RankedRightly != 5.0/11 || f.RankedWrongly != 5.0/11 {
		t.Errorf("%+v", f)
	}
}

func TestSuffices(t *testing.T) {
	p := config.ClassifierPolicy{Threshold: 0.6, Ambiguity: 0.1}
	for _, c := range []struct {
		best, second float64
		want         bool
	}{{0.6, 0.49, true}, {0.59, 0, false}, {0.9, 0.85, false}, {0.9, 0.3, true}} {
		if got := suffices(p, message.Score{Confidence: c.best}, message.Score{Confidence: c.second}); got != c.want {
			t.Errorf("%v before %v: %v", c.best, c.second, got)
		}
	}
}
