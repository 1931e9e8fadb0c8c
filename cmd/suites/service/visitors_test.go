package service

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// here is an address that a service without keys answers to.
const here = "http://127.0.0.1:8080"

// admit lets a visitor into a service and keeps the token as a key called "visitor".
func admit(t *testing.T, s *runtimetest.Service) (token string) {
	t.Helper()
	var visit struct{ Token string }
	if err := json.Unmarshal([]byte(s.Post(t, "", here+"/widget/visits", "")), &visit); err != nil {
		t.Fatal(err)
	}
	return visit.Token
}

// known reports whether a service takes a visitor's token, and the conversation that it leads to.
func known(t *testing.T, s *runtimetest.Service, token string) (conversation string, is bool) {
	t.Helper()
	if s.Keys == nil {
		s.Keys = map[string]string{}
	}
	s.Keys["visitor"] = token
	w := s.Ask(t, "visitor", http.MethodGet, here+"/widget/messages", "")
	var view struct {
		ConversationID string `json:"conversation_id"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &view); err != nil {
		t.Fatal(err)
	}
	return view.ConversationID, w.Code == http.StatusOK
}

// TestReplicasKnowVisitors: replicas that share a key know each other's visitors. Others refuse them.
func TestReplicasKnowVisitors(t *testing.T) {
	t.Setenv("VISIT_KEY", strings.Repeat("key of the whole service ", 2))
	serve := func(set ...string) *runtimetest.Service {
		return runtimetest.ServeWithKeys(t, append([]string{"memory.storage=inmem", "server.widget.visitors=true"}, set...), "a=alice chat")
	}
	one, two, own := serve("server.widget.key_env=VISIT_KEY"), serve("server.widget.key_env=VISIT_KEY"), serve()
	token := admit(t, one)
	if _, is := known(t, two, token); !is {
		t.Error("a replica with the same key refuses a visitor")
	}
	if _, is := known(t, own, token); is {
		t.Error("a service with another key takes the visitor")
	}
}

// TestVisitorsSurviveARestart: the key is in the data folder. Without any keys visitors are let in, too,
// and none of them is the user that everybody else is.
func TestVisitorsSurviveARestart(t *testing.T) {
	dir := t.TempDir()
	open := func() (*runtimetest.Runtime, *runtimetest.Service) {
		r := runtimetest.Open(t, runtimetest.Config{Data: dir, Set: []string{"telemetry.log=none"}})
		return r, runtimetest.Serve(r)
	}
	first, s := open()
	token := admit(t, s)
	s.Keys = map[string]string{"visitor": token}
	s.Post(t, "visitor", here+"/widget/messages", `{"text": "how much is shipping", "message_id": "1"}`)
	before, is := known(t, s, token)
	other, _ := known(t, s, admit(t, s))
	local := s.Get(t, "", here+"/widget/messages")
	if !is || before == other || strings.Contains(local, before) {
		t.Errorf("visitors have the conversations %s and %s; without a token: %s", before, other, local)
	}
	first.Close()
	_, s = open()
	if after, is := known(t, s, token); !is || after != before {
		t.Errorf("after a restart the visitor's conversation is %q, before it was %q", after, before)
	}
	if got := s.Get(t, "visitor", here+"/widget/messages"); !strings.Contains(got, "how much is shipping") {
		t.Errorf("after a restart the conversation is %s", got)
	}
}

func TestBadVisitKey(t *testing.T) {
	t.Setenv("VISIT_KEY", "canary")
	_, err := runtimetest.Try(t.Context(), runtimetest.Config{Data: t.TempDir(), Set: []string{"server.widget.key_env=VISIT_KEY", "memory.storage=inmem"}})
	if err == nil || !strings.Contains(err.Error(), "server.widget.key_env is VISIT_KEY") || strings.Contains(err.Error(), "canary") {
		t.Errorf("a short key: %v, want an error that names the setting and not the value", err)
	}
}
