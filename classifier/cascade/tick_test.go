package cascade

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/config"
)

// learner is an agent whose training goes through every part: tags, both models and their folds.
func learner(t *testing.T) *config.Agent {
	t.Helper()
	var b strings.Builder
	b.WriteString("version: 1\nparams:\n  town: {type: text}\n  dish: {type: text}\nintents:\n")
	for _, task := range []struct{ id, param, verb string }{{"travel", "town", "take me to"}, {"cook", "dish", "please cook"}, {"weather", "town", "is it raining in"}, {"praise", "", "you are"}} {
		fmt.Fprintf(&b, "  - id: %s\n    examples:\n", task.id)
		for i, word := range []string{"lisbon", "oslo", "cairo", "lima", "quito", "delhi", "turin", "basel", "malmo", "porto", "ghent", "essen"} {
			if task.param == "" {
				fmt.Fprintf(&b, "      - %s number %d of all %s\n", task.verb, i, word)
				continue
			}
			fmt.Fprintf(&b, "      - \"%s [%s](%s) today\"\n", task.verb, word, task.param)
		}
		if task.param != "" {
			fmt.Fprintf(&b, "    params: {required: [%s]}\n", task.param)
		}
		b.WriteString("    plan: [{respond: done}]\n")
	}
	b.WriteString("responses: {done: Done.}\n")
	agent, err := config.Parse("learner.yaml", []byte(b.String()), "")
	if err != nil {
		t.Fatal(err)
	}
	return agent
}

// TestTrainingEndsWhenItIsCancelled cancels a training at each of many points. It ends with the
// context's error, asks for nothing more, and keeps nothing.
func TestTrainingEndsWhenItIsCancelled(t *testing.T) {
	agent := learner(t)
	options := func(s *shelf, tick func(int, int) error) *Options {
		return &Options{Cache: s, Linear: &linear.Options{Encoder: letters{}}, Tick: tick}
	}
	var told []int
	whole := func(done, _ int) error { told = append(told, done); return nil }
	if _, err := New(agent, options(&shelf{kept: map[string][]byte{}}, whole)); err != nil {
		t.Fatal(err)
	}
	const fewest = 150 // passes of the tagger, classes of the folds of two models, texts
	if len(told) < fewest || told[0] != 0 || told[len(told)-1] != 1000 {
		t.Fatalf("%d ticks: %v", len(told), told)
	}
	for i := 1; i < len(told); i++ {
		if told[i] < told[i-1] {
			t.Fatalf("tick %d goes back from %d to %d", i, told[i-1], told[i])
		}
	}
	for at := 0; at < len(told); at += max(1, len(told)/25) {
		ctx, cancel := context.WithCancel(t.Context())
		ticks, kept := 0, &shelf{kept: map[string][]byte{}}
		c, err := New(agent, options(kept, func(int, int) error {
			if ticks == at {
				cancel()
			}
			ticks++
			return ctx.Err()
		}))
		if c != nil || !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at tick %d of %d: classifier %t, %v", at, len(told), c != nil, err)
		}
		if ticks != at+1 || len(kept.kept) > 0 {
			t.Fatalf("cancelled at tick %d: %d more ticks, %d files kept", at, ticks-at-1, len(kept.kept))
		}
	}
}

// TestNoTickFromTheCache: a classifier that the cache has is not trained.
func TestNoTickFromTheCache(t *testing.T) {
	agent, kept := fromFile(t), &shelf{kept: map[string][]byte{}}
	for _, want := range []bool{true, false} {
		ticked := false
		if _, err := New(agent, &Options{Cache: kept, Tick: func(int, int) error { ticked = true; return nil }}); err != nil {
			t.Fatal(err)
		}
		if ticked != want {
			t.Errorf("ticked: %t, want %t", ticked, want)
		}
	}
}
