package httpapi

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config/source"
)

// The last load of the agent's files is shown with its problems, to admins only.
func TestAgentTellsOfItsReload(t *testing.T) {
	at := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	w := newFixture(t)
	if got := object(t, w.ask("GET", "/v1/agent", "")); got["reload"] != nil {
		t.Errorf("an agent whose files are not watched: reload %v", got["reload"])
	}
	wrong := source.Problems{{Pos: source.Position{File: "agent.yaml", Line: 3, Column: 5}, Path: "intents[0].id", Message: "is empty", Hint: "name it"}}
	last := NewReload(at, wrong, nil)
	last.Tests = &Tests{At: at, Passed: 2, Failed: 1, Failures: []TestFailure{{File: "t.yaml", Line: 7, Conversation: "c", Turn: 2, Diff: "-a\n+b"}}}
	w.api.opts.Reload = func() *Reload { return last }
	want := map[string]any{
		"at": "2026-01-05T09:00:00Z", "error": "agent.yaml:3:5: intents[0].id: is empty; name it",
		"problems": []any{map[string]any{"file": "agent.yaml", "line": 3.0, "column": 5.0, "path": "intents[0].id", "message": "is empty", "hint": "name it", "severity": "error"}},
		"tests": map[string]any{
			"at": "2026-01-05T09:00:00Z", "running": false, "passed": 2.0, "failed": 1.0,
			"failures": []any{map[string]any{"file": "t.yaml", "line": 7.0, "conversation": "c", "turn": 2.0, "diff": "-a\n+b"}},
		},
	}
	if diff := cmp.Diff(want, object(t, w.ask("GET", "/v1/agent", ""))["reload"]); diff != "" {
		t.Errorf("reload (-want +got)\n%s", diff)
	}
	if got := object(t, w.ask("GET", "/v1/agent", "", "X-Test-Scopes", "read")); got["reload"] != nil {
		t.Errorf("a reader sees the reload: %v", got["reload"])
	}
}

func TestNewReload(t *testing.T) {
	at := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	warned := source.Problems{{Message: "is never asked", Severity: source.SeverityWarning}}
	loaded := &Reload{At: at, Problems: []ReloadProblem{{Message: "is never asked", Severity: source.SeverityWarning}}}
	if diff := cmp.Diff(loaded, NewReload(at, nil, warned)); diff != "" {
		t.Errorf("a load with a warning (-want +got)\n%s", diff)
	}
	gone := &Reload{At: at, Error: "no such file", Problems: []ReloadProblem{}}
	if diff := cmp.Diff(gone, NewReload(at, errors.New("no such file"), warned)); diff != "" {
		t.Errorf("a load without a file (-want +got)\n%s", diff)
	}
}
