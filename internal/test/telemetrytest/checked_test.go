package telemetrytest

import (
	"testing"

	"github.com/slotway/slotway/router/telemetry"
)

// verdict is a test that only counts its failures.
type verdict struct {
	testing.TB
	errors int
}

func (v *verdict) Helper()               {}
func (v *verdict) Errorf(string, ...any) { v.errors++ }

func TestChecked(t *testing.T) {
	for name, c := range map[string]struct {
		event telemetry.Event
		want  int
	}{
		"fits":            {telemetry.Event{Payload: telemetry.Received{}}, 0},
		"no payload":      {telemetry.Event{Stage: telemetry.StagePlan}, 1},
		"an unknown word": {telemetry.Event{Payload: telemetry.Plan{Step: "dance"}}, 1},
		"another's":       {telemetry.Event{Stage: telemetry.StagePlan, Payload: telemetry.Job{Kind: "a", Outcome: "b"}}, 1},
	} {
		v, kept := &verdict{TB: t}, &telemetry.Recorder{}
		Checked(v, kept).Record(c.event)
		if v.errors != c.want || len(kept.Events()) != 1 {
			t.Errorf("%s: %d failures, %d events handed on; want %d and 1", name, v.errors, len(kept.Events()), c.want)
		}
	}
}

func TestLines(t *testing.T) {
	good := string(telemetry.AppendLine(nil, telemetry.Event{Payload: telemetry.Received{}})) + "\n"
	v := &verdict{TB: t}
	n := Lines(v, []byte("listening on 127.0.0.1:1\n"+good+`{"level":"info"}`+"\n"+good+"{broken\n"+`{"level":"info`+"\n"))
	if n != 4 || v.errors != 2 {
		t.Errorf("%d lines with %d failures, want 4 with 2", n, v.errors)
	}
}
