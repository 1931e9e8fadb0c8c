package telemetry

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAppendLineIsTheLogsLine(t *testing.T) {
	for _, p := range payloads {
		for _, e := range []Event{event(p), {Payload: p}, {Level: LevelError, Payload: p, Duration: -1}} {
			want := "before " + strings.TrimSuffix(lineOf(t, e), "\n")
			if diff := cmp.Diff(want, string(AppendLine([]byte("before "), e))); diff != "" {
				t.Errorf("AppendLine (-want +got):\n%s", diff)
			}
		}
	}
}

func TestAppendLineFromManyGoroutines(t *testing.T) {
	var all sync.WaitGroup
	for stage, p := range payloads {
		want := strings.TrimSuffix(lineOf(t, event(p)), "\n")
		all.Go(func() {
			for range 200 {
				if got := string(AppendLine(nil, event(p))); got != want {
					t.Errorf("%s: %s", stage, got)
				}
			}
		})
	}
	all.Wait()
}

func TestCode(t *testing.T) {
	for code, want := range map[string]string{
		"": "", "not_found": "not_found", "e404": "e404", "jane@example.org": "other", "No": "other",
		strings.Repeat("a", 64): strings.Repeat("a", 64), strings.Repeat("a", 65): "other", "über": "other",
	} {
		if got := Code(code); got != want {
			t.Errorf("Code(%q) = %q, want %q", code, got, want)
		}
	}
}
