package telemetry

import (
	"strings"
	"testing"
)

// Every stage and every field of its payload is explained.
func TestReference(t *testing.T) {
	found := map[string]bool{}
	for _, e := range Reference().Entries {
		found[e.Key] = true
		if e.Meaning == "" || !strings.HasSuffix(e.Meaning, ".") {
			t.Errorf("%s has the meaning %q", e.Key, e.Meaning)
		}
	}
	for _, stage := range Stages {
		if !found["stages."+string(stage)] {
			t.Errorf("stage %s is not explained", stage)
		}
	}
	for _, key := range []string{"stages.duration_us", "stages.classify.confidence", "stages.tool_call.error_code"} {
		if !found[key] {
			t.Errorf("%s is not explained", key)
		}
	}
}
