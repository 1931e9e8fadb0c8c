package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/internal/test/telemetrytest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/replay"
	"github.com/slotway/slotway/router/telemetry"
)

// conversations is the folder of the replays of the default agent.
const conversations = "../../router/testdata"

// TestReplays plays every conversation as `slotway replay` does. What differs on purpose is
// written by `go run ./cmd/slotway replay --update router/testdata`.
func TestReplays(t *testing.T) {
	r := newReplayer(&flags{})
	for _, file := range replayFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			t.Parallel()
			for _, result := range r.file(t.Context(), file, nil) {
				t.Run(result.Name, func(t *testing.T) {
					for _, f := range result.Failures {
						t.Errorf("%s:%d: turn %d: %s", result.File, f.Line, f.Turn, f.Diff)
					}
				})
			}
		})
	}
}

func replayFiles(t *testing.T) []string {
	t.Helper()
	files, err := replay.Find([]string{conversations})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no replays in %s", conversations)
	}
	return files
}

// TestReplaysLeakNothing plays every conversation again and looks for every value that was
// said, known, sent to a tool or returned by one in the telemetry of its conversation.
func TestReplaysLeakNothing(t *testing.T) {
	r := newReplayer(&flags{})
	for _, file := range replayFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			played, err := replay.Parse(file, data)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range played {
				c.Telemetry = ""
				s := &spy{values: map[string]bool{}, names: map[string]bool{}}
				var lines bytes.Buffer
				replay.Run(t.Context(), c, s.watch(r.open), &replay.Options{Sink: telemetrytest.Checked(t, telemetry.NewLog(&lines, telemetry.LevelDebug))})
				if lines.Len() == 0 || len(s.values) == 0 {
					t.Errorf("%s: %d bytes of telemetry, %d values to look for", c.Name, lines.Len(), len(s.values))
				}
				for name := range s.names {
					delete(s.values, name)
				}
				for _, leak := range leaks(lines.Bytes(), s.values) {
					t.Errorf("%s: %s", c.Name, leak)
				}
			}
		})
	}
}

// TestALeakIsSeen plants values where they must never be.
func TestALeakIsSeen(t *testing.T) {
	values := map[string]bool{"O-12345": true, "ana@example.com": true, "73301": true, "Rome": true}
	for name, c := range map[string]struct {
		event telemetry.Event
		want  int
	}{
		"clean":     {telemetry.Event{Payload: telemetry.Plan{Step: "call", StepID: "call.find_orders"}}, 0},
		"step":      {telemetry.Event{Payload: telemetry.Plan{Step: "call", StepID: "O-12345"}}, 1},
		"case":      {telemetry.Event{Payload: telemetry.Plan{Intent: "say o-12345"}}, 1},
		"session":   {telemetry.Event{SessionID: "ana@example.com", Payload: telemetry.Plan{}}, 1},
		"number":    {telemetry.Event{Payload: telemetry.Received{TextLength: 73301}}, 1},
		"no number": {telemetry.Event{Payload: telemetry.Classify{Confidence: 0.7330112}}, 0},
		"message":   {telemetry.Event{Payload: telemetry.Failure{Message: telemetry.Scrub("to Rome with 73301", nil)}}, 2},
		"scrubbed":  {telemetry.Event{Payload: telemetry.Failure{Message: telemetry.Scrub("to Rome", []string{"Rome"})}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var lines bytes.Buffer
			telemetry.NewLog(&lines, telemetry.LevelDebug).Record(c.event)
			if got := leaks(lines.Bytes(), values); len(got) != c.want {
				t.Errorf("leaks = %q in %s", got, lines.String())
			}
		})
	}
}

// leaks lists the values that stand in telemetry lines, in any case. A number counts where
// it is not part of a longer one.
func leaks(lines []byte, values map[string]bool) []string {
	var found []string
	text := strings.ToLower(clock.ReplaceAllString(string(lines), ""))
	for v := range values {
		v = strings.ToLower(v)
		if !strings.Contains(text, v) {
			continue
		}
		form := regexp.QuoteMeta(v)
		if numeral.MatchString(v) {
			form = `(?:^|[^\d.])` + form + `(?:[^\d.]|$)`
		}
		leak := regexp.MustCompile(form)
		for line := range strings.Lines(text) {
			if leak.MatchString(line) {
				found = append(found, "a value stands in "+strings.TrimSpace(line))
			}
		}
	}
	return found
}

// clock is the time of a line. It is the replay's clock, which an agent may read as a value.
var clock = regexp.MustCompile(`"time":"[^"]*",?`)

var numeral = regexp.MustCompile(`^[\d.]+$`)

// spy collects the values of a conversation.
type spy struct {
	mu     sync.Mutex // guards values
	values map[string]bool
	names  map[string]bool // words of the definition: a state such as "cancelled" is one too
}

// watch opens runtimes that tell the spy.
func (s *spy) watch(open replay.Open) replay.Open {
	return func(ctx context.Context, setup replay.Setup) (replay.Runtime, error) {
		runtime, err := open(ctx, setup)
		if err != nil {
			return nil, err
		}
		for response := range runtime.(*slotway.Runtime).Agent().Responses {
			for word := range strings.SplitSeq(response, "_") {
				s.names[word] = true
			}
		}
		return &watched{Runtime: runtime.(*slotway.Runtime), spy: s, keys: map[memory.Key]bool{}}, nil
	}
}

// minValue is the length of the shortest value that is looked for, in code points: "no" is
// a part of half of all words.
const minValue = 4

func (s *spy) add(values ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range values {
		if utf8.RuneCountInString(v) >= minValue {
			s.values[v] = true
		}
	}
}

// heard takes what a message may hold of value: itself, unless it is a word or two that may
// be a name too, and what looks like an id, a number or an address in it.
func (s *spy) heard(text string) {
	const sentence = 12
	if utf8.RuneCountInString(text) >= sentence {
		s.add(text)
	}
	for word := range strings.FieldsSeq(text) {
		if strings.ContainsAny(word, "@0123456789") {
			s.add(strings.Trim(word, ".,?!"))
		}
	}
}

// watched is a runtime whose values are collected.
type watched struct {
	*slotway.Runtime
	spy  *spy
	keys map[memory.Key]bool
}

func (w *watched) Handle(ctx context.Context, in router.Interaction) (router.Reply, error) {
	reply, err := w.Runtime.Handle(ctx, in)
	w.keys[memory.Key{UserID: in.Context.UserID, AgentID: w.Agent().ID, SessionID: in.Context.SessionID}] = true
	w.spy.heard(in.Text)
	w.spy.add(telemetry.Values(reply.Params)...)
	if utf8.RuneCountInString(reply.Reply) > minValue*minValue {
		w.spy.add(reply.Reply)
	}
	return reply, err
}

// Close reads arguments and results from the history before the store is gone.
func (w *watched) Close() error {
	for key := range w.keys {
		var export bytes.Buffer
		if err := w.Store().Export(context.Background(), key, &export); err != nil {
			return err
		}
		err := transfer.ReadArchives(&export, func(a *transfer.Archive) error {
			for _, m := range a.Messages {
				w.spy.calls(m)
			}
			for _, s := range a.Steps {
				w.spy.json(s.Args, s.Result)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return w.Runtime.Close()
}

func (s *spy) calls(m memory.Message) {
	for _, c := range m.ToolCalls {
		s.json(c.Args)
	}
	if m.Role == memory.Tool {
		s.json([]byte(m.Text))
	}
}

// json takes the scalars of JSON texts; what is no JSON is an error code.
func (s *spy) json(texts ...[]byte) {
	for _, text := range texts {
		var v any
		if json.Unmarshal(text, &v) == nil {
			s.add(telemetry.Values(map[string]any{"": v})...)
		}
	}
}

// TestReplayCommand runs the command as a user does.
func TestReplayCommand(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.yaml")
	writeTestFile(t, file, "conversation: shipping\nturns: [{user: how much is shipping, expect: {intent: nothing}}]\n")
	junit := filepath.Join(dir, "out.xml")
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"fails", []string{dir, "--junit", junit}, exitCheck, "0 passed, 1 failed"},
		{"json", []string{file, "--json"}, exitCheck, `"failed":1`},
		{"update", []string{file, "--update"}, exitOK, "1 passed, 0 failed"},
		{"passes", []string{file}, exitOK, "1 passed, 0 failed"},
		{"missing", []string{filepath.Join(dir, "gone.yaml")}, exitCheck, "gone.yaml"},
		{"none", []string{t.TempDir()}, exitCheck, "no conversation found"},
		{"usage", nil, exitUsage, "expected a replay file or a folder"},
		{"flag", []string{"--updat"}, exitUsage, "unknown flag"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, code := runCommand(t, append([]string{"replay"}, c.args...)...)
			if code != c.code || !strings.Contains(out, c.want) {
				t.Errorf("exit %d, want %d with %q:\n%s", code, c.code, c.want, out)
			}
		})
	}
	if data, err := os.ReadFile(junit); err != nil || !bytes.Contains(data, []byte(`failures="1"`)) {
		t.Errorf("junit %v: %s", err, data)
	}
	if data, err := os.ReadFile(file); err != nil || !bytes.Contains(data, []byte("intent: shipping_cost")) {
		t.Errorf("updated %v: %s", err, data)
	}
}

func TestReplayRefusesUnknownTools(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.yaml")
	writeTestFile(t, file, "conversation: x\ntools: {find_order: [{error: timeout}]}\nturns: [{user: hi}]\n")
	if out, code := runCommand(t, "replay", file); code != exitCheck || !strings.Contains(out, `no tool "find_order"`) {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// TestRecordThenReplay records a session that was talked for real, and plays it.
func TestRecordThenReplay(t *testing.T) {
	dir := t.TempDir()
	a, err := runtimetest.Try(t.Context(), runtimetest.Config{Data: dir, Options: slotway.Options{NoHTTP: true, Sink: telemetrytest.Checked(t), Now: func() time.Time { return time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC) }}})
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"I want to check my order", "It's O-12345", "cancel it", "yes"} {
		if _, err := a.Router().Handle(t.Context(), router.Interaction{Text: said, Context: router.Context{SessionID: "s1"}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "recorded.yaml")
	if out, code := runCommand(t, "--data", dir, "record", "s1", "-o", file); code != exitOK {
		t.Fatalf("record: exit %d:\n%s", code, out)
	}
	if out, code := runCommand(t, "replay", file); code != exitOK || !strings.Contains(out, "1 passed, 0 failed") {
		data, _ := os.ReadFile(file)
		t.Errorf("replay: exit %d:\n%s\n%s", code, out, data)
	}
	if out, code := runCommand(t, "--data", dir, "record", "nobody"); code != exitCheck || !strings.Contains(out, "not found") {
		t.Errorf("record of an unknown session: exit %d:\n%s", code, out)
	}
}

// runCommand runs the command line and gives its output, both streams, and its exit code.
func runCommand(t *testing.T, args ...string) (string, int) {
	t.Helper()
	var out bytes.Buffer
	code := run(t.Context(), args, strings.NewReader(""), &out, io.Writer(&out))
	telemetrytest.Lines(t, out.Bytes())
	return out.String(), code
}

func writeTestFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
