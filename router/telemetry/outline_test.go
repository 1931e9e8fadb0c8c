package telemetry_test

import (
	"testing"

	"github.com/slotway/slotway/router/telemetry"
)

func TestOutline(t *testing.T) {
	lines := `{"level":"info","time":"T0","stage":"received","session_id":"S1","turn":1,"interaction_id":"I1","duration_us":0,"payload":{"memory":{"history_count":0,"params_keys":["a","b"]},"waiting_for_param":null,"replayed":true}}
{"level":"warn","time":"T0","stage":"classify","session_id":"S1","turn":1,"interaction_id":"I1","duration_us":0,"payload":{"intent":"order","confidence":1,"lead":null,"params":[{"param":"id","start":1},{"param":null}]}}
{"level":"info","time":"T1","stage":"respond","session_id":"S1","turn":2,"interaction_id":"I2","duration_us":0,"payload":{"memory":{"history_count":2,"params_keys":[]},"outcome":"waiting","response":["done"],"handoff":false}}
`
	want := `S1 turn 1 I1: received params_keys=a,b replayed=true; classify (warn) intent=order param=id,
S1 turn 2 I2: respond outcome=waiting response=done
`
	got, err := telemetry.Outline([]byte(lines))
	if err != nil || string(got) != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
	for _, wrong := range []string{"x\n", `{"stage":"plan","payload":1}` + "\n"} {
		if _, err := telemetry.Outline([]byte(wrong)); err == nil {
			t.Errorf("%s: no error", wrong)
		}
	}
}
