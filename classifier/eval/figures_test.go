package eval

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
)

// Six messages that can be counted on fingers: a is found twice in three, b and c once
// in two and one; two are out of scope, and one is a reply.
func byHand() []prediction {
	span := func(param string, start, end int) config.Span {
		return config.Span{Param: param, Start: start, End: end}
	}
	at := func(line int) source.Position { return source.Position{File: "f", Line: line, Column: 1} }
	return []prediction{
		{want: "a", got: "a", confidence: 0.9, pos: at(1), marked: []config.Span{span("x", 0, 2)}, found: []config.Span{span("x", 0, 2)}},
		{want: "a", got: "a", confidence: 0.4, pos: at(2), marked: []config.Span{span("x", 0, 2), span("y", 3, 5)}, found: []config.Span{span("x", 0, 3)}, fold: 1},
		{want: "a", got: "b", confidence: 0.6, pos: at(3), text: "third"},
		{want: "b", got: "b", confidence: 0.8, pos: at(4), found: []config.Span{span("y", 0, 1)}, fold: 1},
		{want: "b", got: "c", confidence: 0.3, pos: at(5), text: "fifth"},
		{want: "c", got: "c", confidence: 0.7, pos: at(6), fold: 1},
		{want: OutOfScope, got: "a", confidence: 0.5, pos: at(7)},
		{want: OutOfScope, got: "b", confidence: 0.2, pos: at(8), fold: 1},
		{want: "a", got: "c", confidence: 0.1, pos: at(9), reply: true, marked: []config.Span{span("y", 0, 1)}, found: []config.Span{span("y", 0, 1)}},
	}
}

var close6 = cmpopts.EquateApprox(0, 1e-9)

func TestFiguresByHand(t *testing.T) {
	var f Figures
	f.judgeAll(byHand(), 0.55)
	if f.Messages != 6 || f.OutOfScope != 2 || math.Abs(f.Accuracy-4.0/6) > 1e-9 {
		t.Errorf("%d messages, %d out of scope, accuracy %v", f.Messages, f.OutOfScope, f.Accuracy)
	}
	intents := []IntentFigures{
		{"a", 1, 2.0 / 3, 0.8, 3},
		{"b", 0.5, 0.5, 0.5, 2},
		{"c", 0.5, 1, 2.0 / 3, 1},
	}
	if diff := cmp.Diff(intents, f.Intents, close6); diff != "" {
		t.Errorf("intents (-want +got):\n%s", diff)
	}
	if want := (0.8 + 0.5 + 2.0/3) / 3; math.Abs(f.MacroF1-want) > 1e-9 {
		t.Errorf("macro-F1 %v, want %v", f.MacroF1, want)
	}
	confusion := []Confused{{"a", "a", 2}, {"a", "b", 1}, {"b", "b", 1}, {"b", "c", 1}, {"c", "c", 1}}
	if diff := cmp.Diff(confusion, f.Confusion); diff != "" {
		t.Errorf("matrix (-want +got):\n%s", diff)
	}
	missed := []Missed{{"f:3:1", "a", "b", 0.6, "third"}, {"f:5:1", "b", "c", 0.3, "fifth"}}
	if diff := cmp.Diff(missed, f.Missed); diff != "" {
		t.Errorf("missed (-want +got):\n%s", diff)
	}
	slots := []SlotFigures{{"x", 0.5, 0.5, 0.5, 2}, {"y", 0.5, 0.5, 0.5, 2}}
	if diff := cmp.Diff(slots, f.Slots, close6); diff != "" {
		t.Errorf("slots (-want +got):\n%s", diff)
	}
	if f.SpanF1 == nil || *f.SpanF1 != 0.5 || *f.SpanP != 0.5 || *f.SpanR != 0.5 {
		t.Errorf("span F1 %v, %v, %v", f.SpanF1, f.SpanP, f.SpanR)
	}
}

// At 0.55 three of six are accepted and right, four accepted; both messages out of scope
// are refused, among four refused.
func TestThresholdsByHand(t *testing.T) {
	var f Figures
	f.judgeAll(byHand(), 0.55)
	want := Point{Threshold: 0.55, InScopeAccuracy: 3.0 / 6, Coverage: 4.0 / 6, Recall: 1, Precision: 0.5}
	if diff := cmp.Diff(want, f.AtThreshold, close6); diff != "" {
		t.Errorf("at 0.55 (-want +got):\n%s", diff)
	}
	if n := len(f.Curve); n != curveSteps+1 || f.Curve[0].Coverage != 1 || f.Curve[0].InScopeAccuracy != f.Accuracy || f.Curve[n-1].Recall != 1 {
		t.Errorf("%d points: %+v ... %+v", n, f.Curve[0], f.Curve[n-1])
	}
	for i := 1; i < len(f.Curve); i++ {
		a, b := f.Curve[i-1], f.Curve[i]
		if b.InScopeAccuracy > a.InScopeAccuracy || b.Coverage > a.Coverage || b.Recall < a.Recall {
			t.Errorf("not monotonous: %+v then %+v", a, b)
		}
	}
}

// The right answers have 0.4, 0.7, 0.8 and 0.9; of six messages a loss of a third is two.
func TestCalibrated(t *testing.T) {
	for loss, want := range map[float64]float64{0: 0.4, 0.1: 0.4, 0.17: 0.7, 0.34: 0.8, 1: 0.9} {
		if got := calibrated(byHand(), loss); got != want {
			t.Errorf("calibrated at a loss of %v = %v, want %v", loss, got, want)
		}
		kept := pointAt(byHand(), func(*prediction) float64 { return want }).InScopeAccuracy
		if 4.0/6-kept > loss+1e-9 {
			t.Errorf("a threshold for %v costs %v", loss, 4.0/6-kept)
		}
	}
	if got := calibrated(nil, 0.1); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

// A fold is judged by what the other folds say: that of the second is 0.9, of the first 0.4.
func TestCrossScopes(t *testing.T) {
	got := crossScopes(byHand(), 2)[0]
	want := Scope{InScopeLoss: 0.005, Point: Point{Threshold: 0.65, InScopeAccuracy: 1.0 / 6, Coverage: 2.0 / 6, Recall: 0.5, Precision: 0.2}}
	if diff := cmp.Diff(want, got, close6); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWorst(t *testing.T) {
	f := Figures{Confusion: []Confused{{"a", "a", 9}, {"a", "b", 1}, {"b", "a", 2}, {"b", "c", 4}, {"c", "", 1}}}
	want := []Pair{{"b", "c", 4, 0}, {"a", "b", 1, 2}, {"", "c", 0, 1}}
	if diff := cmp.Diff(want, f.Worst(5)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := f.Worst(1); len(got) != 1 {
		t.Errorf("Worst(1) = %v", got)
	}
}
