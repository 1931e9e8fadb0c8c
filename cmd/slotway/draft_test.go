package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
)

// slowModel is an OpenAI-compatible server that streams the words of its answer, and goes on
// behind the second one when it is let.
type slowModel struct {
	words []string
	goOn  chan struct{}
}

func (m *slowModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || !strings.Contains(string(body), `"stream":true`) {
		w.WriteHeader(http.StatusTeapot) // whoever asks for no stream gets no answer here
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for i, word := range m.words {
		if i == 2 {
			select {
			case <-m.goOn:
			case <-r.Context().Done():
				return
			}
		}
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", word)
		_ = http.NewResponseController(w).Flush()
	}
	fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
}

// events reads server-sent events: the name and the data of each, without comments.
type eventReader struct{ lines *bufio.Scanner }

func newEventReader(r io.Reader) *eventReader { return &eventReader{bufio.NewScanner(r)} }

func (e *eventReader) next() (name, data string, err error) {
	for e.lines.Scan() {
		switch line := e.lines.Text(); {
		case strings.HasPrefix(line, "event: "):
			name = line[len("event: "):]
		case strings.HasPrefix(line, "data: "):
			data += line[len("data: "):]
		case line == "" && name != "":
			return name, data, nil
		}
	}
	return "", "", io.EOF
}

const streamed = `{"message":"photography matters to me","conversation_id":"c","message_id":"m1","stream":true}`

// The words of a generate step reach the client while the model still thinks, before anything is
// durable; the committed reply closes them.
func TestWordsComeAsTheModelSaysThem(t *testing.T) {
	agent, err := config.Load("testdata/companion.yaml")
	if err != nil {
		t.Fatal(err)
	}
	model := &slowModel{words: []string{"So ", "it ", "does."}, goOn: make(chan struct{})}
	service := httptest.NewServer(servedWith(t, agent, model))
	defer service.Close()
	history := func() string {
		res, err := http.Get(service.URL + "/v1/sessions/c/messages")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	res, err := http.Post(service.URL+"/chat", "application/json", strings.NewReader(streamed))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	events, draft := newEventReader(res.Body), ""
	for draft != "So it " {
		name, data, err := events.next()
		if err != nil || name != "draft" {
			t.Fatalf("event %s, %v, with %q drafted", name, err, draft)
		}
		draft += data
	}
	if said := history(); strings.Contains(said, "So it") {
		t.Errorf("a draft is in the history: %s", said)
	}
	close(model.goOn)
	for {
		name, data, err := events.next()
		if err != nil {
			t.Fatal("no reply came")
		}
		if name == "draft" {
			draft += data
			continue
		}
		if name != "reply" || data != "So it does." || !strings.HasPrefix(data, draft) {
			t.Errorf("%s: %q after the draft %q", name, data, draft)
		}
		break
	}
	name, data, err := events.next()
	if err != nil || name != "done" || !strings.Contains(data, `"model":"small"`) {
		t.Errorf("the last event is %s: %s, %v", name, data, err)
	}
	if said := history(); strings.Count(said, "So it does.") != 1 {
		t.Errorf("the history has not the reply: %s", said)
	}
}

// serveProcess runs the service as a process of its own.
func serveProcess(t *testing.T, binary, data, model string) (url string, kill func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, "--agent", "testdata/companion.yaml", "--data", data, "--set", "telemetry.log=none",
		"--set", "models.chat.model=small", "--set", "models.chat.base_url="+model+"/v1", "serve", "--addr", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), "HOME="+data)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if found, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			url = found
			break
		}
	}
	if url == "" {
		t.Fatalf("the service did not start: %v", cmd.Wait())
	}
	go func() { _, _ = io.Copy(io.Discard, stderr) }()
	return url, func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // by the signal
	}
}

// The process dies while the words of a reply come: nothing of the turn is there, and the message
// that comes again runs it.
func TestADeathWhileWordsCome(t *testing.T) {
	binary, data := buildBinary(t), t.TempDir()
	model := &slowModel{words: []string{"So ", "it ", "does."}, goOn: make(chan struct{})}
	server := httptest.NewServer(model)
	defer server.Close()
	url, kill := serveProcess(t, binary, data, server.URL)
	defer func() { kill() }()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/chat", strings.NewReader(streamed))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	events := newEventReader(res.Body)
	if name, _, err := events.next(); err != nil || name != "draft" {
		t.Fatalf("event %s, %v, want a draft", name, err)
	}
	kill()
	for {
		name, _, err := events.next()
		if err != nil {
			break
		}
		if name != "draft" {
			t.Errorf("event %s of a turn that was not committed", name)
		}
	}
	close(model.goOn)
	url, kill = serveProcess(t, binary, data, server.URL)
	res, err = http.Post(url+"/chat", "application/json", strings.NewReader(streamed))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	reply, turn := "", ""
	for again := newEventReader(res.Body); ; {
		name, data, err := again.next()
		if err != nil {
			break
		}
		switch name {
		case "reply":
			reply = data
		case "done":
			turn = data
		}
	}
	if reply != "So it does." || !strings.Contains(turn, `"turn":1,`) {
		t.Errorf("after the death: %q, %s, want the reply of turn 1", reply, turn)
	}
	same := chatOver(t, url, strings.Replace(streamed, `,"stream":true`, "", 1))
	if diff := cmp.Diff("So it does.", same["reply"]); diff != "" || same["turn"] != 1.0 {
		t.Errorf("the message once more: %v", same)
	}
}
