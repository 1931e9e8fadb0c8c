package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
)

// at finds a part of a JSON answer: names of fields and indexes of lists.
func at(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			o, _ := v.(map[string]any)
			v = o[step]
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				return nil
			}
			v = list[step]
		}
	}
	return v
}

func sessionIDs(v map[string]any) string {
	var ids []string
	list, _ := v["sessions"].([]any)
	for _, s := range list {
		ids = append(ids, fmt.Sprint(at(s, "session_id")))
	}
	return strings.Join(ids, " ")
}

func TestListSessions(t *testing.T) {
	w := newFixture(t)
	for _, id := range []string{"one", "two", "three"} {
		w.say(t, id, "badge please")
	}
	object(t, w.ask("PATCH", "/v1/sessions/two", `{"title":"A Lamp","tags":["b","a","b"]}`))
	cases := []struct {
		query, want string
		next        any
	}{
		{"", "three two one", nil},
		{"?limit=2", "three two", 2.0},
		{"?limit=2&offset=2", "one", nil},
		{"?text=LAMP", "two", nil},
		{"?tag=a", "two", nil},
		{"?tag=c", "", nil},
		{"?offset=5", "", nil},
	}
	for _, c := range cases {
		got := object(t, w.ask("GET", "/v1/sessions"+c.query, ""))
		if ids := sessionIDs(got); ids != c.want || got["next_offset"] != c.next {
			t.Errorf("GET /v1/sessions%s: %q, next %v, want %q, %v", c.query, ids, got["next_offset"], c.want, c.next)
		}
	}
	got := object(t, w.ask("GET", "/v1/sessions/two", ""))
	delete(got, "created_at")
	delete(got, "updated_at")
	want := map[string]any{
		"session_id": "two", "title": "A Lamp", "tags": []any{"a", "b"}, "turns": 1.0, "history_count": 2.0,
		"waiting_for_param": "name", "version": 1.0, "handoff": nil,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("GET /v1/sessions/two (-want +got)\n%s", diff)
	}
}

func TestDescribeSession(t *testing.T) {
	w := newFixture(t)
	w.say(t, "s", "badge please")
	object(t, w.ask("PATCH", "/v1/sessions/s", `{"title":"first","tags":["x"]}`))
	cases := []struct {
		body  string
		title any
		tags  []any
	}{
		{`{"title":"second"}`, "second", []any{"x"}},
		{`{"tags":[],"title":null}`, "second", []any{}},
		{`{}`, "second", []any{}},
		{`{"title":""}`, "", []any{}},
	}
	for _, c := range cases {
		got := object(t, w.ask("PATCH", "/v1/sessions/s", c.body))
		if diff := cmp.Diff([]any{c.title, c.tags}, []any{got["title"], got["tags"]}); diff != "" {
			t.Errorf("PATCH %s (-want +got)\n%s", c.body, diff)
		}
	}
	for body, code := range map[string]string{
		`{"title":1}`: "wrong_type", `{"tags":"x"}`: "wrong_type", `{"tags":[""]}`: "bad_field", `{"name":"x"}`: "unknown_field",
		`{"title":"` + strings.Repeat("ä", 201) + `"}`: "bad_field", `[]`: "bad_json",
	} {
		wantProblem(t, w.ask("PATCH", "/v1/sessions/s", body), 400, code)
	}
}

// Queries are read strictly: whatever is not known, or out of range, is named.
func TestQueriesAreStrict(t *testing.T) {
	w := newFixture(t)
	w.say(t, "s", "badge please")
	cases := []struct{ path, named string }{
		{"/v1/sessions?limit=0", "limit"},
		{"/v1/sessions?limit=201", "limit"},
		{"/v1/sessions?limit=ten", "limit"},
		{"/v1/sessions?limit=", "limit"},
		{"/v1/sessions?offset=-1", "offset"},
		{"/v1/sessions?user_id=bob", "user_id"},
		{"/v1/sessions?text=a&text=b", "text"},
		{"/v1/sessions?text=%ff", "text"},
		{"/v1/sessions?tag=" + strings.Repeat("x", 65), "tag"},
		{"/v1/sessions?reveal=yes", "reveal"},
		{"/v1/sessions/s?limit=1", "limit"},
		{"/v1/sessions/s/messages?inactive=1", "inactive"},
		{"/v1/sessions/s/messages?limit=501", "limit"},
		{"/v1/sessions/s/messages?after=9007199254740993", "after"},
		{"/v1/sessions/s/turns?limit=201", "limit"},
		{"/v1/sessions/s/state?turn=1", "turn"},
		{"/v1/sessions/s/trace?turn=0", "turn"},
		{"/v1/sessions/s/context?q=" + secret, "q"},
		{"/v1/events?session=s", "session"},
		{"/v1/agent?x=" + secret, "x"},
	}
	for _, c := range cases {
		p := wantProblem(t, w.ask("GET", c.path, ""), 400, "bad_query")
		if !strings.Contains(p.Detail, `"`+c.named+`"`) {
			t.Errorf("GET %s: detail %q does not name %s", c.path, p.Detail, c.named)
		}
	}
	wantProblem(t, w.ask("GET", "/v1/sessions?a=%zz", ""), 400, "bad_query")
	wantProblem(t, w.ask("POST", "/v1/sessions/s/clear?x=1", ""), 400, "bad_query")
	wantProblem(t, w.ask("DELETE", "/v1/sessions/s?x=1", ""), 400, "bad_query")
}

func TestMessagesArePaged(t *testing.T) {
	w := newFixture(t)
	w.finished(t, "s")
	var seqs []any
	next := any(0.0)
	for range 10 {
		page := object(t, w.ask("GET", fmt.Sprintf("/v1/sessions/s/messages?limit=5&after=%v", next), ""))
		list, _ := page["messages"].([]any)
		for _, m := range list {
			seqs = append(seqs, at(m, "seq"))
		}
		if next = page["next_after"]; next == nil {
			break
		}
	}
	info := object(t, w.ask("GET", "/v1/sessions/s", ""))
	if float64(len(seqs)) != info["history_count"] || seqs[len(seqs)-1] != info["history_count"] {
		t.Errorf("read messages %v, of %v", seqs, info["history_count"])
	}
	last := object(t, w.ask("GET", "/v1/sessions/s/messages?limit=2&last=true", ""))
	if at(last, "messages", 1, "seq") != info["history_count"] || last["next_after"] != nil {
		t.Errorf("the last messages: %v", last)
	}
}

func TestClearAndUndo(t *testing.T) {
	w := newFixture(t)
	w.say(t, "s", "badge please", canaryName, canaryPin, "yes")
	got := object(t, w.ask("POST", "/v1/sessions/s/undo", ""))
	want := map[string]any{"turn": 4.0, "calls": []any{map[string]any{"tool": "make_badge", "status": "done"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("undo (-want +got)\n%s", diff)
	}
	state := object(t, w.ask("GET", "/v1/sessions/s/state", ""))
	if state["confirming"] != "make_badge" || at(state, "plan", "question", "kind") != "confirm" || at(state, "plan", "active", "intent") != "badge" {
		t.Errorf("after the undo: %v", state)
	}
	turns := object(t, w.ask("GET", "/v1/sessions/s/turns?last=true&limit=2", ""))
	if at(turns, "turns", 1, "undone") != true || at(turns, "turns", 0, "state", "confirming") != "make_badge" {
		t.Errorf("the timeline: %v", turns)
	}
	said := object(t, w.ask("GET", "/v1/sessions/s/messages?inactive=true", ""))["messages"].([]any)
	for _, m := range said {
		if undone := at(m, "turn") == 4.0; at(m, "active") == undone {
			t.Errorf("after the undo, a message is shown as %v", m)
		}
	}
	if len(said) != 9 {
		t.Errorf("%d messages after the undo, want 9", len(said))
	}
	if got := object(t, w.ask("POST", "/v1/sessions/s/clear", "")); got["cleared"] != 6.0 {
		t.Errorf("cleared %v messages, want 6", got["cleared"])
	}
	list := object(t, w.ask("GET", "/v1/sessions/s/messages?inactive=true", ""))
	for _, m := range list["messages"].([]any) {
		if at(m, "active") != false {
			t.Errorf("still active: %v", m)
		}
	}
	if got := object(t, w.ask("GET", "/v1/sessions/s/messages", "")); len(got["messages"].([]any)) != 0 {
		t.Errorf("still listed: %v", got)
	}
	w.say(t, "new", "badge please")
	object(t, w.ask("POST", "/v1/sessions/new/undo", ""))
	wantProblem(t, w.ask("POST", "/v1/sessions/new/undo", ""), 409, "nothing_to_undo")
}

// racing is a store in which another process is faster, some times.
type racing struct {
	memory.Backend
	left atomic.Int64
}

func (r *racing) Commit(ctx context.Context, d *memory.Delta) error {
	if r.left.Add(-1) >= 0 {
		return memory.ErrConflict
	}
	return r.Backend.Commit(ctx, d)
}

// A change by hand that meets a turn begins anew, and says so when there is no end to it.
func TestChangesAreSerialWithTurns(t *testing.T) {
	w := newFixture(t)
	w.say(t, "s", "badge please", canaryName)
	store := &racing{Backend: w.store}
	w.api.opts.Memory.Store = store
	for _, c := range []struct {
		path string
		lost int64
		want int
	}{{"undo", 3, 200}, {"clear", 3, 200}, {"undo", 1000, 409}, {"clear", 1000, 409}} {
		store.left.Store(c.lost)
		if c.path == "undo" && c.want == 409 {
			store.left.Store(0)
			w.say(t, "s", "badge please", canaryName)
			store.left.Store(c.lost)
		}
		res := w.ask("POST", "/v1/sessions/s/"+c.path, "")
		if res.StatusCode != c.want {
			t.Errorf("%s after %d conflicts: %d %s", c.path, c.lost, res.StatusCode, readAll(t, res))
			continue
		}
		if c.want == 409 {
			wantProblem(t, res, 409, "conflict")
		}
	}
}

func TestDeleteErasesASession(t *testing.T) {
	w := newFixture(t)
	w.finished(t, "s")
	if res := w.ask("DELETE", "/v1/sessions/s", ""); res.StatusCode != http.StatusNoContent || len(readAll(t, res)) != 0 {
		t.Errorf("status %d", res.StatusCode)
	}
	for _, path := range []string{"", "/messages", "/state", "/turns", "/export", "/context", "/trace"} {
		wantProblem(t, w.ask("GET", "/v1/sessions/s"+path, ""), 404, "session_not_found")
	}
	if got := object(t, w.ask("POST", "/v1/memory/search", `{"query":"badge"}`)); len(got["results"].([]any)) != 0 {
		t.Errorf("still found: %v", got)
	}
	if left := w.recent.Trace("ann", "s", 1); len(left) != 0 {
		t.Errorf("%d events of it are kept", len(left))
	}
}

func (w *fixture) importing(body []byte, headers ...string) *http.Response {
	return w.ask("POST", "/v1/sessions/import", string(body), append([]string{"Content-Type", ndjson}, headers...)...)
}

func TestExportAndImport(t *testing.T) {
	w := newFixture(t)
	w.finished(t, "one")
	w.finished(t, "two")
	var export []byte
	for _, id := range []string{"one", "two"} {
		export = append(export, readAll(t, w.ask("GET", "/v1/sessions/"+id+"/export?reveal=true", ""))...)
	}
	before := readAll(t, w.ask("GET", "/v1/sessions/one/turns?reveal=true", ""))
	if got := object(t, w.importing(export)); got["imported"] != 0.0 {
		t.Errorf("imported %v sessions over themselves", got["imported"])
	}
	w.ask("DELETE", "/v1/sessions/one", "")
	if got := object(t, w.importing(export)); got["imported"] != 1.0 {
		t.Errorf("imported %v sessions, want 1", got["imported"])
	}
	if after := readAll(t, w.ask("GET", "/v1/sessions/one/turns?reveal=true", "")); !bytes.Equal(before, after) {
		t.Errorf("a session is another after export and import:\n%s\n%s", before, after)
	}

	masked := readAll(t, w.ask("GET", "/v1/sessions/one/export", ""))
	wantProblem(t, w.importing(masked), 400, "bad_export")
	wantProblem(t, w.importing(export[:len(export)-20]), 400, "bad_export")
	wantProblem(t, w.importing(bytes.Repeat([]byte(" "), 1<<20+1)), 413, "body_too_large")
	wantProblem(t, w.importing(export, "Content-Type", "application/json"), 415, "unsupported_media_type")
	wantProblem(t, w.importing(export, "X-Test-Scopes", "chat,read"), 403, "forbidden")

	w.ask("DELETE", "/v1/sessions/two", "")
	w.say(t, "one", "track my parcels") // it went on
	wantProblem(t, w.importing(export), 409, "conflict")
}

// One foreign session in an import, and nothing of it is taken.
func TestForeignImport(t *testing.T) {
	w := newFixture(t)
	w.say(t, "own", "badge please")
	export := readAll(t, w.ask("GET", "/v1/sessions/own/export?reveal=true", ""))
	w.ask("DELETE", "/v1/sessions/own", "")
	for name, other := range map[string][]byte{
		"another user":  bytes.Replace(export, []byte(`"user_id":"ann"`), []byte(`"user_id":"bob"`), 1),
		"another agent": bytes.Replace(export, []byte(`"agent_id":"desk"`), []byte(`"agent_id":"bank"`), 1),
	} {
		if bytes.Equal(other, export) {
			t.Fatal("the export does not name its owner")
		}
		wantProblem(t, w.importing(append(bytes.Clone(export), other...)), 403, "foreign_session")
		list, err := w.store.Sessions(t.Context(), memory.Query{})
		if err != nil || len(list) != 0 {
			t.Errorf("%s: %d sessions were taken (%v)", name, len(list), err)
		}
	}
}
