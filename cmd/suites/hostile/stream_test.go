package hostile

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/internal/test/programtest"
	"github.com/slotway/slotway/internal/test/runtimetest"
)

// slowModel is an OpenAI-compatible server that streams the words of its answer. It waits for goOn
// after the second word.
type slowModel struct {
	words []string
	goOn  chan struct{}
}

func (m *slowModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || !strings.Contains(string(body), `"stream":true`) {
		w.WriteHeader(http.StatusTeapot) // a request without a stream gets no answer here
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

// eventReader reads the names and data of server-sent events.
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

// TestWordsComeAsTheModelSaysThem: the words of a generate step reach the client while the model is
// still writing and before anything is durable. The committed reply ends them.
func TestWordsComeAsTheModelSaysThem(t *testing.T) {
	model := &slowModel{words: []string{"So ", "it ", "does."}, goOn: make(chan struct{})}
	thinking := httptest.NewServer(model)
	defer thinking.Close()
	r := runtimetest.Open(t, runtimetest.Config{
		Set:     []string{"memory.storage=inmem", "telemetry.log=none", "server.limits.rate=0", "models.chat.model=small", "models.chat.base_url=" + thinking.URL + "/v1"},
		Options: slotway.Options{Agent: runtimetest.CompanionAgent(t)},
	})
	service := httptest.NewServer(runtimetest.Serve(r))
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

// TestADeathWhileWordsCome: when the process dies while the words of a reply arrive, nothing of the
// turn is stored, and the same message runs the turn again.
func TestADeathWhileWordsCome(t *testing.T) {
	model := &slowModel{words: []string{"So ", "it ", "does."}, goOn: make(chan struct{})}
	server := httptest.NewServer(model)
	defer server.Close()
	service := programtest.Start(t, t.TempDir(), "--agent", runtimetest.CompanionFile(t),
		"--set", "models.chat.model=small", "--set", "models.chat.base_url="+server.URL+"/v1")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, service.URL+"/chat", strings.NewReader(streamed))
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
	service.Kill()
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
	service.Restart(t)
	res, err = http.Post(service.URL+"/chat", "application/json", strings.NewReader(streamed))
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
	same := service.Chat(t, strings.Replace(streamed, `,"stream":true`, "", 1))
	if diff := cmp.Diff("So it does.", same["reply"]); diff != "" || same["turn"] != 1.0 {
		t.Errorf("the message once more: %v", same)
	}
}
