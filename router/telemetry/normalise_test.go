package telemetry

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// run writes the lines of one conversation, with ids and clock of the run.
func run(session, first, second string, clock time.Time) []byte {
	var out bytes.Buffer
	log := NewLog(&out, LevelInfo)
	for i, e := range []Event{
		{InteractionID: first, Turn: 1, Payload: payloads[StageReceived]},
		{InteractionID: first, Turn: 1, Payload: payloads[StageError]},
		{InteractionID: second, Turn: 2, Payload: payloads[StagePlan]},
		{Payload: payloads[StageJob]},
	} {
		e.SessionID, e.Time, e.Duration = session, clock.Add(time.Duration(i)*time.Second), time.Duration(clock.Unix()%1000)
		log.Record(e)
	}
	return out.Bytes()
}

func TestNormaliseMakesRunsEqual(t *testing.T) {
	a, err := Normalise(run("s-a", "i-1", "i-2", time.Unix(1, 0)))
	if err != nil {
		t.Fatal(err)
	}
	b, err := Normalise(run("s-b", "x", "y", time.Unix(77777, 0)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(a), string(b)); diff != "" {
		t.Errorf("two runs differ:\n%s", diff)
	}
	lines := strings.Split(string(a), "\n")
	want := `{"level":"info","time":"T1","stage":"plan","session_id":"S1","turn":2,"interaction_id":"I2","duration_us":0,` +
		`"payload":{"step":"call","step_id":"call_get_order","intent":"order_status","depth":1}}`
	if diff := cmp.Diff(want, lines[2]); diff != "" {
		t.Errorf("third line (-want +got):\n%s", diff)
	}
	if !strings.Contains(lines[1], "[redacted]") || !strings.Contains(lines[3], `"time":"T2"`) || !strings.Contains(lines[3], `"interaction_id":""`) {
		t.Errorf("lines are\n%s", a)
	}
	if other, _ := Normalise(run("s", "same", "same", time.Unix(1, 0))); bytes.Equal(a, other) {
		t.Error("two interactions and one are normalised alike")
	}
}

func TestNormaliseRefuses(t *testing.T) {
	good := string(run("s", "a", "b", time.Unix(1, 0)))
	tests := []struct{ name, lines, want string }{
		{"no JSON", good + "hello\n", "line 5"},
		{"an unknown field", `{"message":"hello"}`, "unknown field"},
		{"two events in a line", strings.Replace(good, "\n", "", 1), "line 1"},
		{"no payload", `{"stage":"plan"}`, "not one event"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Normalise([]byte(test.lines))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Normalise = %v, want an error with %q", err, test.want)
			}
		})
	}
	if got, err := Normalise([]byte("\n \n")); err != nil || len(got) != 0 {
		t.Errorf("Normalise of blank lines = %q, %v", got, err)
	}
}

func FuzzNormalise(f *testing.F) {
	f.Add(run("s", "a", "b", time.Unix(1, 0)))
	f.Add([]byte(`{"payload":{"a":"\u003c<"}}`))
	f.Fuzz(func(t *testing.T, lines []byte) {
		once, err := Normalise(lines)
		if err != nil {
			return
		}
		twice, err := Normalise(once)
		if err != nil {
			t.Fatalf("Normalise refuses its own %q: %v", once, err)
		}
		if !bytes.Equal(once, twice) {
			t.Errorf("Normalise(%q) = %q, then %q", lines, once, twice)
		}
	})
}
