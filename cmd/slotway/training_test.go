package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
)

// TestTrainingNotice: a short training says nothing, a long one says after a second what it does, with
// a bar for all of a command's trainings.
func TestTrainingNotice(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	n := &trainingNotice{
		text: "Training for a test.", trainings: 2, out: &out, now: func() time.Time { return now },
		start: func(total int) *bar { return newBar(&out, "training", total) },
	}
	n.training(0, 1000)
	now = now.Add(900 * time.Millisecond)
	n.training(1000, 1000)
	n.training(0, 1000)
	if out.Len() > 0 {
		t.Fatalf("before a second: %q", out.String())
	}
	now = now.Add(200 * time.Millisecond)
	n.training(500, 1000)
	if got := out.String(); !strings.HasPrefix(got, "Training for a test.\n") || !strings.Contains(got, "   0%") {
		t.Errorf("after a second: %q", got)
	}
	if n.shown != 1500 {
		t.Errorf("the bar stands at %d of 2000", n.shown)
	}
	n.training(1000, 1000)
	if n.bar != nil {
		t.Error("the bar is not finished")
	}
	(&trainingNotice{now: time.Now}).training(0, 1000) // nobody is told
}

// TestInterruptedCommands: a command that is interrupted while it trains says so and fails.
func TestInterruptedCommands(t *testing.T) {
	for _, args := range []string{"chat --fresh", "check", "classify", "eval nlu --folds 3"} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var out, errs bytes.Buffer
		args := append(strings.Fields(args), "--set", "memory.storage=inmem")
		if args[0] == "classify" {
			args = append(args, "--data", t.TempDir())
		}
		if code := run(ctx, args, strings.NewReader("hi\n"), &out, &errs); code != exitCheck || errs.String() != "slotway: interrupted\n" {
			t.Errorf("%v: exit code %d, %q, printed %q", args, code, errs.String(), out.String())
		}
	}
}
