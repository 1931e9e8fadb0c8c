package hostile

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/internal/test/canary"
	"github.com/slotway/slotway/internal/test/programtest"
	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/gotool"
)

// What is planted: values of redacted params, ids that hold such values, and secrets of the
// environment.
var (
	plantedValues  = []string{"Quixzotlma Brevander", "Ostrivex Palquin", "C-904177315", "quixzotlma@brevander.example", "+491709041773", "73190528.5", "the violet ferret hums", "Brindlewax Cormoyle"}
	plantedIDs     = []string{"C-731905284", "aquilzo@vextrum.example"}
	plantedSecrets = []string{"sk-vexillopathzry", "904177399"}
)

// safeBuffer is a buffer for several writers at once.
type safeBuffer struct {
	mu sync.Mutex // guards b
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) Bytes() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.b.Bytes())
}

// canaryAgent returns the agent of scripts/canary and sets its secrets in the environment.
func canaryAgent(t *testing.T) string {
	t.Helper()
	t.Setenv("CANARY_URL", "http://127.0.0.1:1")
	t.Setenv("CANARY_SECRET", plantedSecrets[0])
	t.Setenv("CANARY_NUMBER", plantedSecrets[1])
	t.Setenv("CANARY_KEY", base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)))
	return filepath.Join("..", "..", "..", "scripts", "harness", "agents", "canary.yaml")
}

// hostileTools returns tools that answer, fail and panic with their arguments.
func hostileTools() map[string]tools.Tool {
	calls := 0
	find := func(_ context.Context, call tools.Call) (any, error) {
		given := fmt.Sprint(call.Args)
		switch calls++; calls {
		case 1:
			return map[string]any{"text": "of " + given, given: 1}, nil
		case 2:
			return nil, errors.New("no " + given)
		case 3:
			return nil, &tools.Error{Code: tools.Code(given), Tool: call.Tool, Detail: "at " + given, Err: errors.New(given)}
		}
		panic(given)
	}
	save := func(_ context.Context, call tools.Call) (any, error) {
		return map[string]any{"for": call.Args["who"]}, nil
	}
	return map[string]tools.Tool{"find_case": gotool.Func(find), "save_case": gotool.Func(save)}
}

// wild is a classifier that panics with the text of the message.
type wild struct{}

func (wild) Classify(_ context.Context, in classifier.Input) (message.Result, error) {
	panic("cannot read " + in.Text)
}

// canaryWalk is a conversation that holds all planted values.
var canaryWalk = []string{
	"open a case", plantedValues[0], plantedValues[3], plantedValues[4], plantedValues[5], plantedValues[6],
	"find " + plantedValues[2], "find " + plantedValues[2], "find my case " + plantedValues[2], "find " + plantedValues[2],
	"check " + plantedValues[2], "quandered " + plantedValues[0] + " flumps",
	"who is on duty", // it offers two of them, and nobody chooses
}

// TestCanaries: no output of a service holds a value that was planted in its input, except the
// replies to the person who said it.
func TestCanaries(t *testing.T) {
	file, dir := canaryAgent(t), t.TempDir()
	spansSeen := runtimetest.NewSpanCollector(t)
	collector := httptest.NewServer(spansSeen)
	defer collector.Close()
	set := []string{
		"server.limits.rate=0", "telemetry.log=stderr", "telemetry.level=debug", "telemetry.otlp_endpoint=" + collector.URL,
		"memory.encryption_key_env=CANARY_KEY", "memory.summary.enabled=true", "memory.summary.trigger_message_count=6",
		"memory.summary.recent_message_count=2",
	}
	var log safeBuffer
	a := runtimetest.Open(t, runtimetest.Config{File: file, Data: dir, Set: set, Options: slotway.Options{Stderr: &log, Tools: hostileTools()}})
	s := runtimetest.Serve(a)
	var all, values canary.Set // the ids are keys of the store, and names in the API
	all.Add(append(append(plantedIDs, plantedSecrets...), plantedValues...)...)
	values.Add(append(plantedSecrets, plantedValues...)...)
	search := func(set *canary.Set, what string, data []byte) {
		t.Helper()
		if len(data) == 0 {
			t.Errorf("%s: there is nothing to search", what)
		}
		for _, hit := range set.Find(data) {
			t.Errorf("%s holds %q (%s)", what, hit.Value, hit.Form)
		}
	}
	ask := func(method, path, body string) (int, []byte) {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Host = "127.0.0.1:8080"
		r.Header.Set("Cookie", "who="+strings.ReplaceAll(plantedValues[0], " ", "-"))
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code, w.Body.Bytes()
	}
	replied := 0
	for i, text := range canaryWalk {
		code, answer := ask(http.MethodPost, "/chat", fmt.Sprintf(`{"message": %q, "conversation_id": %q, "message_id": "%d%s"}`, text, plantedIDs[0], i, plantedIDs[1]))
		if code != http.StatusOK {
			search(&values, text+": an error answer", answer)
		}
		replied += len(values.Find(answer))
	}
	if _, answer := ask(http.MethodGet, "/v1/sessions/"+plantedIDs[0]+"/turns?last=true", ""); !bytes.Contains(answer, []byte(`"options":[{"title":"name, first desk","say":"name","param":"name"}`)) {
		t.Errorf("nothing is offered, or it is not masked: %s", answer)
	}
	if replied == 0 {
		t.Error("no reply has a value: the test looks at nothing")
	}
	parts := a.Router().Deps()
	parts.Classifier, parts.Reader = wild{}, nil
	if _, err := a.Router().Swap(parts); err != nil {
		t.Fatal(err)
	}
	code, answer := ask(http.MethodPost, "/chat", fmt.Sprintf(`{"message": %q, "conversation_id": %q}`, plantedValues[0], plantedIDs[0]))
	if search(&values, "the answer to a panic", answer); code != http.StatusInternalServerError {
		t.Errorf("a panic is answered with %d", code)
	}
	for _, path := range []string{"", "/messages", "/state", "/turns", "/export", "/context?text=name", "/trace"} {
		code, answer := ask(http.MethodGet, "/v1/sessions/"+plantedIDs[0]+path, "")
		if search(&values, "GET "+path, answer); code != http.StatusOK {
			t.Errorf("GET %s: %d %s", path, code, answer)
		}
	}
	_, answer = ask(http.MethodPost, "/v1/memory/search", `{"query": "case name"}`)
	search(&values, "search", answer)
	for _, path := range []string{"/metrics", "/v1/agent", "/v1/nowhere/" + plantedIDs[0], "/v1/sessions/none?q=" + plantedIDs[1]} {
		_, answer := ask(http.MethodGet, path, "")
		search(&all, path, answer)
	}
	if _, shown := ask(http.MethodGet, "/v1/sessions/"+plantedIDs[0]+"/messages?reveal=true", ""); len(values.Find(shown)) == 0 {
		t.Error("even revealed there is no value: the test looks at nothing")
	}
	a.Close()
	search(&all, "stderr", log.Bytes())
	search(&all, "spans", spansSeen.Text())
	if programtest.Heavy() {
		searchCommands(t, dir, file, set, search, &values)
	}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if len(data) > 0 {
			search(&values, path, data)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// searchCommands searches the output of the commands that show a session.
func searchCommands(t *testing.T, dir, file string, set []string, search func(*canary.Set, string, []byte), values *canary.Set) {
	t.Helper()
	var common []string
	for _, kv := range set {
		if strings.HasPrefix(kv, "memory.") {
			common = append(common, "--set", kv)
		}
	}
	common = append(common, "--agent", file, "--data", dir)
	id := plantedIDs[0]
	for _, args := range [][]string{
		{"sessions", "list"},
		{"sessions", "show", id},
		{"sessions", "export", id},
		{"memory", "context", id, "--text", "name"},
		{"memory", "search", "case name"},
		{"memory", "summarize", id},
		{"memory", "documents"},
		{"memory", "stats"},
		{"memory", "archive", id},
		{"check", file},
		{"graph"},
		{"config", "show"},
		{"record", id},
	} {
		out, code := programtest.Run(t, "", append(args, common...)...)
		what := strings.Join(args, " ")
		if code != 0 {
			t.Errorf("%s: exit %d: %s", what, code, out)
		}
		if args[0] == "record" || out == "" {
			continue // a recorded conversation is made to be played again: it has what was said
		}
		search(values, what, []byte(out))
	}
}
