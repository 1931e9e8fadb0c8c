package turnset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sketchLine = `{"agent": "a", "tasks": [{"id": "move", "title": "move house", "writes": true, "params": [
	{"name": "day", "type": "date"}, {"name": "boxes", "type": "integer"}, {"name": "rooms", "type": "list"}, {"name": "van", "type": {"values": ["small", "large"]}},
	{"name": "hours", "type": "duration"}, {"name": "call", "type": "phone"}, {"name": "slot", "type": "datetime"}, {"name": "code", "type": "code"}]},
	{"id": "price", "title": "say the price", "writes": false, "params": []}]}`

// parse reads a file of the sketch and the lines.
func parse(t *testing.T, lines ...string) (*File, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "turns.jsonl")
	text := strings.ReplaceAll(sketchLine, "\n", " ") + "\n" + strings.Join(lines, "\n")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Read(path)
}

func TestBadFiles(t *testing.T) {
	for _, c := range []struct{ line, says string }{
		{`{`, "turns.jsonl:2: not JSON"},
		{`{"agent": "b", "message": "x", "commands": [{"do": "yes"}]}`, `agent "b" has no sketch`},
		{`{"agent": "a", "message": "x", "commands": []}`, "commands: there are none"},
		{`{"agent": "a", "state": {"task": "fly"}, "message": "x", "commands": [{"do": "yes"}]}`, `state.task: the sketch has no task "fly"`},
		{`{"agent": "a", "state": {"open": {"kind": "riddle"}}, "message": "x", "commands": [{"do": "yes"}]}`, `state.open.kind: "riddle" is none of`},
		{`{"agent": "a", "state": {"known": {"cat": 1}}, "message": "x", "commands": [{"do": "yes"}]}`, `state.known: the sketch has no param "cat"`},
		{`{"agent": "a", "state": {}, "message": "x", "commands": [{"do": "yes"}, {"do": "set", "param": "cat"}]}`, `commands[1]: the sketch has no param "cat"`},
		{`{"agent": "a", "state": {}, "message": "x", "commands": [{"do": "choose", "option": "1"}]}`, `commands[0]: the question has no option "1"`},
		{`{"agent": "a", "state": {}, "message": "x", "commands": [{"do": "ask", "about": "rain"}]}`, `commands[0]: about "rain"`},
		{`{"agent": "a", "state": {}, "message": "x", "commands": [{"do": "dance"}]}`, `commands[0]: no command "dance"`},
	} {
		if _, err := parse(t, c.line); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got error %v, want one that says %q", c.line, err, c.says)
		}
	}
}

// turn is a turn of the sketch in a state.
func turn(t *testing.T, state string) *Turn {
	t.Helper()
	file, err := parse(t, `{"agent": "a", "state": `+state+`, "message": "x", "commands": [{"do": "unclear"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	return file.Turns[0]
}

func TestNormal(t *testing.T) {
	for _, c := range []struct {
		name, state string
		given, want []Command
	}{
		{"a read task is asked by beginning it", `{}`, []Command{{Do: Ask, About: "price"}}, []Command{{Do: Start, Task: "price"}}},
		{"a writing task is asked about", `{}`, []Command{{Do: Ask, About: "move"}}, []Command{{Do: Ask, About: "move"}}},
		{"what was offered is a yes, once", `{"open": {"kind": "offer", "text": "?", "task": "move"}}`, []Command{{Do: Start, Task: "move"}, {Do: Yes}}, []Command{{Do: Yes}}},
		{"the task under way is not begun", `{"task": "move", "known": {}}`, []Command{{Do: Start, Task: "move"}, {Do: Hold}}, []Command{{Do: Hold}}},
		{
			"an option that is set is chosen", `{"task": "move", "open": {"kind": "choice", "text": "?", "param": "van", "options": ["small", "large"]}}`,
			[]Command{{Do: Set, Param: "van", Value: "large"}},
			[]Command{{Do: Choose, Option: "large"}},
		},
		{"a value that is known says nothing", `{"task": "move", "known": {"boxes": 3}}`, []Command{{Do: Yes}, {Do: Set, Param: "boxes", Value: 3.0}}, []Command{{Do: Yes}}},
		{
			"a list that is set adds and removes", `{"task": "move", "known": {"rooms": ["hall", "attic"]}}`,
			[]Command{{Do: Set, Param: "rooms", Value: []any{"hall", "cellar"}}},
			[]Command{{Do: Add, Param: "rooms", Value: "cellar"}, {Do: Remove, Param: "rooms", Value: "attic"}},
		},
		{
			"a change after the end begins the task again", `{"last": {"task": "move", "reply": "Done."}}`,
			[]Command{{Do: Set, Param: "boxes", Value: 3.0}},
			[]Command{{Do: Start, Task: "move"}, {Do: Set, Param: "boxes", Value: 3.0}},
		},
	} {
		if diff := cmp.Diff(c.want, Normal(turn(t, c.state), c.given)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestSameValue(t *testing.T) {
	at := turn(t, `{}`)
	for _, c := range []struct {
		param string
		a, b  any
		same  bool
	}{
		{"boxes", 3.0, 3.0, true},
		{"boxes", 3.0, 30.0, false},
		{"hours", "PT90M", "PT1H30M", true},
		{"hours", "P2W", "P14D", true},
		{"hours", "PT1H", "P1D", false},
		{"call", "0171 5550192", "+491715550192", true},
		{"call", "0171 5550192", "+491715550193", false},
		{"call", "192", "+491715550192", false},
		{"slot", "2026-12-02T13:00", "2026-12-02T13:00:00", true},
		{"slot", "2026-12-02T13:00", "2026-12-02T13:30:00", false},
		{"code", "AB 12-3", "ab123", true},
		{"rooms", "The Hall.", "the hall", true},
		{"rooms", "the hall", "hall", false},
	} {
		if got := sameElement(*at.Sketch.Param(c.param), c.a, c.b); got != c.same {
			t.Errorf("%s: %v and %v are the same: got %v, want %v", c.param, c.a, c.b, got, c.same)
		}
	}
}

func TestHits(t *testing.T) {
	file, err := parse(t, `{"agent": "a", "state": {}, "message": "x", "commands": [{"do": "unclear"}], "never": ["yes", {"do": "set", "param": "boxes"}, {"do": "set", "param": "day", "value": "2026-12-01"}, {"do": "start", "task": "move"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	at := file.Turns[0]
	for _, c := range []struct {
		got  Command
		hits int
	}{
		{Command{Do: Yes}, 1},
		{Command{Do: No}, 0},
		{Command{Do: Set, Param: "boxes", Value: 7.0}, 1},
		{Command{Do: Set, Param: "day", Value: "2026-12-01"}, 1},
		{Command{Do: Set, Param: "day", Value: "2026-12-02"}, 0},
		{Command{Do: Start, Task: "move"}, 1},
		{Command{Do: Start, Task: "price"}, 0},
	} {
		hits := 0
		for _, f := range at.Never {
			if at.Hits(f, c.got) {
				hits++
			}
		}
		if hits != c.hits {
			t.Errorf("%+v: got %d hits, want %d", c.got, hits, c.hits)
		}
	}
}
