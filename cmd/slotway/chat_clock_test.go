package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const visitAgent = `version: 1
agent: {id: visits, description: Books visits, timezone: Europe/Berlin}
params:
  day: {type: date, prompt: "Which day?"}
intents:
  - id: book_visit
    examples: [book a visit, I want to visit you, a visit please, come and see you]
    params: {required: [day]}
    plan: [{respond: booked}]
responses: {booked: "Until {day}."}
`

// TestChatClock: days are counted from the clock of --clock, in the agent's time zone, also when a
// session goes on on another day.
func TestChatClock(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "agent.yaml")
	if err := os.WriteFile(file, []byte(visitAgent), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ clock, want string }{
		{"2026-03-02T22:30:00Z", "Until Tuesday, 3 March 2026."},
		{"2026-03-02T23:30:00Z", "Until Wednesday, 4 March 2026."}, // it is Tuesday in Berlin
		{"2027-01-01T00:30:00+01:00", "Until Saturday, 2 January 2027."},
	} {
		code, out, errs := chatWith(t, "book a visit tomorrow\n", "--data", dir, "--agent", file, "chat", "--session", "s", "--clock", step.clock)
		if code != exitOK || !strings.Contains(out, step.want) {
			t.Errorf("%s: exit code %d, want %s in %s\n%s", step.clock, code, step.want, out, errs)
		}
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"chat", "--clock", "2026-03-02"}, "2006-01-02T15:04:05Z"},
		{[]string{"chat", "--clock", "2026-03-02T22:30:00Z", "--url", "http://127.0.0.1:1"}, "--clock does not go with --url"},
	} {
		if code, _, errs := chatWith(t, "hi\n", test.args...); code != exitUsage || !strings.Contains(errs, test.want) {
			t.Errorf("%v: exit code %d, %q, want %q", test.args, code, errs, test.want)
		}
	}
}
