package planner

import (
	"testing"
	"time"
)

// waiting is the state of a session between two turns of a task.
func waiting() *Turn {
	st := New()
	at := time.Date(2026, 11, 25, 10, 0, 0, 0, time.UTC)
	st.Session["order_id"] = &paramCell{Turn: 1, At: at, Source: "pattern", Value: "O-12345"}
	st.Active = &frame{ID: "0123456789abcdef.order_status.1", Intent: "order_status", Version: "v1", Standalone: true, Done: map[string]mark{"lookup": markDone}}
	st.Open = &openQuestion{Kind: askParam, Param: "email", Since: at}
	return &Turn{State: st, Number: 2, Now: at}
}

func BenchmarkSave(b *testing.B) {
	b.ReportAllocs()
	t := waiting()
	for b.Loop() {
		if _, err := t.Save(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	plan, err := waiting().Save()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Load(plan, map[string]any{"order_id": "O-12345"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPlan plans a cancellation of three turns: the request, "no note", and the yes. The tools
// answer at once, and the state goes through its stored form after each turn.
func BenchmarkPlan(b *testing.B) {
	talk := newBench(b)
	b.ReportAllocs()
	for b.Loop() {
		talk.st, talk.turn = &Turn{State: New()}, 0
		talk.say(asks("call_off", order("O-1")))
		talk.say(does("skip"))
		if reply := talk.say(does("affirm")); reply != "Dropped O-1." {
			b.Fatalf("the cancellation ended with %q", reply)
		}
	}
}
