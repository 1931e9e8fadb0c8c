package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTrainingNotice: a short training says nothing, a long one says after a second what it does, with
// a bar for all of a command's trainings. A pipe has no bar, and shows nothing when the training is almost done.
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
	if got := out.String(); !strings.HasPrefix(got, "Training for a test. It takes about 0s more.\n") || !strings.Contains(got, "   0%") {
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

	for done, want := range map[int]string{900: "", 400: "Training. It takes about 2s more.\n"} {
		out.Reset()
		now = time.Unix(0, 0)
		pipe := &trainingNotice{text: "Training.", trainings: 1, out: &out, now: func() time.Time { return now }}
		pipe.training(0, 1000)
		now = now.Add(1200 * time.Millisecond)
		pipe.training(done, 1000)
		pipe.training(950, 1000)
		if out.String() != want {
			t.Errorf("in a pipe, at %d of 1000: %q", done, out.String())
		}
	}
}

// In a pipe a message waits for the training; stderr says once how long that takes.
func TestTrainingOfAMessageInAPipe(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for some seconds")
	}
	var agent, out, errs bytes.Buffer
	agent.WriteString("version: 1\nagent: {id: a}\nresponses: {said: Said.}\nintents:\n")
	for i := range 30 {
		fmt.Fprintf(&agent, "  - id: task_%d\n    examples:\n", i)
		for j := range 60 {
			fmt.Fprintf(&agent, "      - please do the thing number %d in the way of variety %d for the client of group %d\n", i, j, i*j)
		}
		agent.WriteString("    plan: [{respond: said}]\n")
	}
	file := filepath.Join(t.TempDir(), "agent.yaml")
	writeTestFile(t, file, agent.String())
	args := []string{"--agent", file, "--data", t.TempDir(), "chat"}
	if code := run(t.Context(), args, strings.NewReader("do the thing number 7\n"), &out, &errs); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, errs.String())
	}
	if got := errs.String(); strings.Count(got, "Training the classifier") != 1 || !strings.Contains(got, "It takes about ") {
		t.Errorf("on the error stream: %q", got)
	}
	if strings.Count(out.String(), "\n") != 1 {
		t.Errorf("replies: %q", out.String())
	}
	errs.Reset()
	if code := run(t.Context(), args, strings.NewReader("hello\n"), &out, &errs); code != exitOK || errs.Len() > 0 {
		t.Errorf("the second time: exit code %d, %q", code, errs.String())
	}
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
