package main

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/internal/test/runtimetest"
)

// returning is an agent with a task that asks.
const returning = `version: 1
params:
  order_id: {type: order, prompt: "Which order number does it have?"}
types:
  order: {patterns: ['O-\d{5}']}
redaction: {params: [order_id]}
intents:
  - id: return_order
    examples: [I want to return a lamp, return an order, send something back, "return [O-12345](order_id)"]
    params: {required: [order_id]}
    plan: [{respond: returned}]
  - id: hours
    examples: [what are your opening hours, when do you open, are you open on Sunday]
    plan: [{respond: hours}]
responses:
  returned: "Your return is on its way."
  hours: "We open at nine."
`

// archivedLine is a line of 'memory documents --json'.
type archivedLine struct {
	Title     string
	Decisions []string
	Questions []string
}

func (s *shell) digest(session string, more ...string) archivedLine {
	s.Helper()
	s.run(0, "", append([]string{"memory", "archive", session}, more...)...)
	for line := range strings.Lines(s.run(0, "", append([]string{"memory", "documents", "--json"}, more...)...)) {
		var l struct {
			Session string `json:"session_id"`
			archivedLine
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			s.Fatal(err)
		}
		if l.Session == session {
			return l.archivedLine
		}
	}
	s.Fatalf("no document of %s", session)
	return archivedLine{}
}

// TestArchivedOpenQuestions: a task's question is open until it is answered or the task ends, on
// every store.
func TestArchivedOpenQuestions(t *testing.T) {
	asked := []string{"Which order number does it have?"}
	onEveryStore(t, returning, func(s *shell) {
		for session, test := range map[string]struct {
			said []string
			want []string
		}{
			"left":     {[]string{"I want to return a lamp"}, asked},
			"answered": {[]string{"I want to return a lamp", "O-12345"}, nil},
			"given-up": {[]string{"I want to return a lamp", "cancel"}, nil},
		} {
			s.run(0, strings.Join(test.said, "\n"), "chat", "--session", session)
			if diff := cmp.Diff(test.want, s.digest(session).Questions); diff != "" {
				s.Errorf("open questions of %s (-want +got):\n%s", session, diff)
			}
		}
	})
}

// TestArchivedByModel: the model server makes the digest of an archived conversation. It never
// receives a redacted value.
func TestArchivedByModel(t *testing.T) {
	model := &runtimetest.ModelServer{Answers: map[string]string{"What do I pay": `{"summary":"The user wants to return <order_id:1>.","topics":["return"],"entities":[],` +
		`"decisions":["The user returns a lamp."],"questions":["What does the user pay for the parcel?"]}`}}
	server := httptest.NewServer(model)
	defer server.Close()
	s := newShell(t)
	s.write("agent.yaml", returning)
	said := "I want to return a lamp\nO-12345\nWhat do I pay for the parcel?"
	s.run(0, said, "chat", "--session", "one")
	with := []string{"--set", "models.chat.base_url=" + server.URL + "/v1", "--set", "models.chat.model=small"}
	got := s.digest("one", with...)
	want := archivedLine{Title: got.Title, Decisions: []string{"The user returns a lamp."}, Questions: []string{"What do I pay for the parcel?"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	sent := strings.Join(model.Requests(), "\n")
	if len(model.Requests()) != 1 || strings.Contains(sent, "O-12345") || !strings.Contains(sent, "order_id:1") {
		t.Errorf("the model was sent %q", sent)
	}
}

// TestArchivedByModelLater: while the model server does not answer, rules make the digest. Once it
// answers again, the model does.
func TestArchivedByModelLater(t *testing.T) {
	model := &runtimetest.ModelServer{Status: 500, Answers: map[string]string{"return a lamp": `{"summary":"","topics":[],"entities":[],` +
		`"decisions":["The user wants to return a lamp."],"questions":[]}`}}
	server := httptest.NewServer(model)
	defer server.Close()
	s := newShell(t)
	s.write("agent.yaml", returning)
	s.run(0, "I want to return a lamp\nO-12345", "chat", "--session", "one")
	with := []string{"--set", "models.chat.base_url=" + server.URL + "/v1", "--set", "models.chat.model=small"}
	if diff := cmp.Diff([]string{"I want to return a lamp"}, s.digest("one", with...).Decisions); diff != "" {
		t.Errorf("while it is down (-want +got):\n%s", diff)
	}
	model.Status = 0
	for _, want := range []string{"1 documents made", "0 documents made"} {
		if got := s.run(0, "", append([]string{"memory", "archive", "one"}, with...)...); got != want {
			t.Errorf("archive: %q, want %q", got, want)
		}
	}
	if diff := cmp.Diff([]string{"The user wants to return a lamp."}, s.digest("one", with...).Decisions); diff != "" {
		t.Errorf("once it is back (-want +got):\n%s", diff)
	}
	out := s.run(0, "", "memory", "documents", "--json")
	for _, want := range []string{`"messages":4`, `"summary":"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
}
