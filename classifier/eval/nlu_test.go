package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/slotway/slotway/config"
)

func rowsOf(t *testing.T, name string) []Row {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := ReadRows(name, file)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// times are what differs between two runs of the same.
var times = cmpopts.IgnoreFields(Figures{}, "TrainCPU", "P50", "P99", "Allocs", "RankP50", "RankP99", "RankAllocs", "ClassifyP50", "ClassifyP99", "ClassifyAllocs")

func TestSplit(t *testing.T) {
	train, test := rowsOf(t, "testdata/train.jsonl"), rowsOf(t, "testdata/test.jsonl")
	ticks, steps := 0, 0
	cpu := time.Duration(0)
	o := &Options{
		Begin: func(n int) { steps = n }, Step: func() { ticks++ },
		CPU: func() time.Duration { cpu += time.Second; return cpu },
	}
	f, err := Split(t.Context(), train, test, o)
	if err != nil {
		t.Fatal(err)
	}
	if f.Messages != 16 || f.OutOfScope != 4 || f.Examples != 50 || f.Labels != 3 || f.Folds != 0 {
		t.Errorf("%d messages, %d out of scope, %d examples of %d intents, %d folds", f.Messages, f.OutOfScope, f.Examples, f.Labels, f.Folds)
	}
	if f.Accuracy < 0.8 || f.SpanF1 == nil || len(f.Slots) != 2 {
		t.Errorf("accuracy %v, span F1 %v, slots %v", f.Accuracy, f.SpanF1, f.Slots)
	}
	if ticks != steps || steps != 12 {
		t.Errorf("%d of %d steps", ticks, steps)
	}
	if f.TrainCPU != 1 || f.P50 <= 0 || f.P99 < f.P50 || f.Allocs <= 0 || f.RankP50 <= 0 || f.ModelBytes <= f.IntentSize || f.IntentSize <= 0 {
		t.Errorf("%+v", f)
	}
	var lost []float64
	for _, s := range f.OOS {
		lost = append(lost, s.InScopeLoss)
	}
	if diff := cmp.Diff(losses, lost); diff != "" {
		t.Errorf("losses (-want +got):\n%s", diff)
	}
	again, err := Split(t.Context(), train, test, o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f, again, times); diff != "" {
		t.Errorf("another run (-first +second):\n%s", diff)
	}
}

// Without slots nothing is trained for them, and replies are messages like others.
func TestSplitIntentsOnly(t *testing.T) {
	test := inScope(rowsOf(t, "testdata/test.jsonl"))
	f, err := Split(t.Context(), rowsOf(t, "testdata/train.jsonl"), test, &Options{IntentsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if f.SpanF1 != nil || len(f.Slots) != 0 || f.ModelBytes != f.IntentSize || f.Messages != 17 {
		t.Errorf("span F1 %v, slots %v, %d of %d bytes, %d messages", f.SpanF1, f.Slots, f.IntentSize, f.ModelBytes, f.Messages)
	}
	if f.OOS == nil || len(f.OOS) != 0 || len(f.Curve) == 0 {
		t.Errorf("without messages out of scope: %v, %d points", f.OOS, len(f.Curve))
	}
}

// The out-of-scope messages of a training file change nothing.
func TestOutOfScopeIsNeverTrainedOn(t *testing.T) {
	train, test := rowsOf(t, "testdata/train.jsonl"), rowsOf(t, "testdata/test.jsonl")
	with, err := Split(t.Context(), train, test, nil)
	if err != nil {
		t.Fatal(err)
	}
	without, err := Split(t.Context(), inScope(train), test, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(with, without, times); diff != "" {
		t.Errorf("(-with +without):\n%s", diff)
	}
}

func TestFolds(t *testing.T) {
	rows := rowsOf(t, "testdata/train.jsonl")
	f, err := Folds(t.Context(), rows, &Options{Folds: 4})
	if err != nil {
		t.Fatal(err)
	}
	if f.Folds != 4 || f.Messages != 48 || f.OutOfScope != 2 || len(f.OOS) != len(losses) || f.Accuracy < 0.7 || f.Labels != 3 {
		t.Errorf("%+v", f)
	}
	if len(f.Missed) != int(float64(f.Messages)*(1-f.Accuracy)+0.5) {
		t.Errorf("%d missed at an accuracy of %v", len(f.Missed), f.Accuracy)
	}
}

// Each example of an agent is judged once and named by its place.
func TestAgent(t *testing.T) {
	agent, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	examples := size(agent)
	f, err := Agent(t.Context(), agent, &Options{Folds: 3})
	if err != nil {
		t.Fatal(err)
	}
	if f.Messages != examples || f.Accuracy < 0.6 || f.Accuracy == 1 {
		t.Errorf("%d of %d examples, accuracy %v", f.Messages, examples, f.Accuracy)
	}
	lines := map[string]string{}
	for _, in := range agent.Intents {
		for _, e := range in.Examples {
			lines[e.Pos.String()] = in.ID
		}
	}
	for _, m := range f.Missed {
		if lines[m.At] != m.Intent {
			t.Errorf("%+v is at none of the intent's examples", m)
		}
	}
	if size(agent) != examples {
		t.Error("the agent was changed")
	}
}

func TestFoldsThatCannotBe(t *testing.T) {
	rows := rowsOf(t, "testdata/train.jsonl")
	for _, k := range []int{-1, 1, 500} {
		if _, err := Folds(t.Context(), rows, &Options{Folds: k}); !errors.Is(err, ErrFolds) {
			t.Errorf("%d folds: %v", k, err)
		}
	}
	if _, err := Split(t.Context(), rows[len(rows)-3:len(rows)-2], rows, nil); err == nil || errors.Is(err, ErrFolds) {
		t.Logf("one example: %v", err)
	}
	if _, err := Split(t.Context(), []Row{{Text: "x", Intent: OutOfScope}}, rows, nil); !errors.Is(err, ErrNoRows) {
		t.Errorf("nothing in scope: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Folds(ctx, rows, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that was ended: %v", err)
	}
}

// numbered makes so many messages of each of some intents.
func numbered(intents, each int) []Row {
	var rows []Row
	for i := range intents * each {
		intent := i / each
		rows = append(rows, Row{Text: fmt.Sprintf("wish %d, told in way %d", intent, i), Intent: fmt.Sprintf("intent%d", intent)})
	}
	return rows
}

// BenchmarkTrain trains on 1,500 messages of 150 intents.
func BenchmarkTrain(b *testing.B) {
	agent := AgentOf(numbered(150, 10), true)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := train(agent, &Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
