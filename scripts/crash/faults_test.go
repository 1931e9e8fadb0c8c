package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFaultLists(t *testing.T) {
	for list, want := range map[string]faults{
		"all": allFaults, "none": {}, "points": {points: true}, "clock,pauses": {clock: true, pauses: true},
	} {
		var got faults
		if err := got.Set(list); err != nil || got != want {
			t.Errorf("%s: %+v, %v", list, got, err)
		}
	}
	var f faults
	if f.Set("clock,storms") == nil {
		t.Error("a fault that there is not is taken")
	}
	if allFaults.String() != "clients,clock,pauses,points,rivals,tools" {
		t.Error(allFaults.String())
	}
}

func TestLongRunMustMeetEveryFault(t *testing.T) {
	all := allFaults.wanted()
	r := report{Cycles: longRun, wanted: all, Harms: map[string]int{}}
	for _, name := range all[1:] {
		r.Harms[name] = 1
	}
	if diff := cmp.Diff(1, len(r.missing())); diff != "" {
		t.Errorf("%q", r.missing())
	}
	if r.Cycles--; len(r.missing()) > 0 {
		t.Error("a short run need not meet everything")
	}
}

// books of a tools' service, and an address where it answers with one fault.
func openTools(t *testing.T) (*books, *toolService) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "books.txt")
	b, err := openBooks(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.file.Close() })
	return b, &toolService{path: path}
}

func TestToolsKeepKeysWhereTheyShould(t *testing.T) {
	b, service := openTools(t)
	server := httptest.NewServer(toolHandler(b, false))
	defer server.Close()
	for _, path := range []string{"/post?entry=P-1", "/pledge?entry=G-1"} {
		for range 2 {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Idempotency-Key", "k"+path[1:3])
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
		}
	}
	got, err := service.read()
	if err != nil {
		t.Fatal(err)
	}
	if len(got.effects["P-1"]) != 2 || len(got.effects["G-1"]) != 1 || len(got.effects) != 2 {
		t.Errorf("%v", got.effects)
	}
	again, err := openBooks(service.path) // after a kill
	if err != nil {
		t.Fatal(err)
	}
	defer again.file.Close()
	again.act("kpl", "G-1", true)
	if got, err := service.read(); err != nil || len(got.effects["G-1"]) != 1 {
		t.Errorf("%v, %v", got.effects, err)
	}
}

func TestFaultsDoWhatTheySay(t *testing.T) {
	for fault, want := range map[string]struct {
		acted  bool
		status int // 0: no whole answer
		json   bool
	}{
		"":             {true, 200, true},
		"lost_before":  {false, 0, false},
		"lost_after":   {true, 0, false},
		"half_answer":  {true, 0, false},
		"no_json":      {true, 200, false},
		"error_before": {false, 500, false},
		"error_after":  {true, 500, false},
		"too_many":     {false, 429, false},
	} {
		t.Run(fault, func(t *testing.T) {
			acted := false
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				answerWrongly(w, fault, func() { acted = true })
			}))
			status, text := 0, []byte(nil)
			if res, err := http.Get(server.URL); err == nil {
				if text, err = io.ReadAll(res.Body); err == nil {
					status = res.StatusCode
				}
				res.Body.Close()
			}
			server.Close() // waits for the handler
			if acted != want.acted || status != want.status || status == 200 && json.Valid(text) != want.json {
				t.Errorf("acted %v, status %d, answer %q", acted, status, text)
			}
		})
	}
}

func TestCallsThatMustBeAskedFor(t *testing.T) {
	b, service := openTools(t)
	for line := range strings.FieldsSeq(`
		called,k1,P-1
		called,k2,P-2 called,k2,P-2
		called,k3,P-3 fault:too_many,k3,P-3 called,k4,P-3
		called,k5,G-1 called,k5,G-1
		called,k6,G-2 called,k7,G-2`) {
		f := strings.Split(line, ",")
		b.write(f[0], f[1], f[2])
	}
	e, err := service.read()
	if err != nil {
		t.Fatal(err)
	}
	for entry, want := range map[string]int{"P-1": 1, "P-2": 2, "P-3": 1, "P-4": 0, "G-1": 1, "G-2": 2} {
		if got := e.made(entry); len(got) != want || !slices.IsSorted(got) {
			t.Errorf("%s: %v, want %d", entry, got, want)
		}
	}
}

// Of two yeses at once the second is one only where its question was asked again.
func TestSecondYes(t *testing.T) {
	question := "post"
	s := &session{turns: []said{
		{reply: reply{Turn: 1, Confirming: &question}}, {reply: reply{Turn: 2}}, {reply: reply{Turn: 3, Confirming: &question}}, {reply: reply{Turn: 4}},
	}}
	for turn, want := range map[int64]bool{2: true, 3: false, 4: true, 9: false} {
		if got := (&write{session: s, turn: turn}).asked(); got != want {
			t.Errorf("turn %d: %v", turn, got)
		}
	}
}

func TestUnknownMustBeTold(t *testing.T) {
	for _, c := range []struct {
		status, reply string
		want          bool
	}{
		{"ok", "P-1 is paid.", false},
		{"unknown", "I " + unknownTold + ".", false},
		{"unknown", "P-1 is paid.", true},
	} {
		var r reply
		text, _ := json.Marshal(map[string]any{"reply": c.reply, "tool_calls": []map[string]string{{"tool": "post", "status": c.status}}})
		if err := json.Unmarshal(text, &r); err != nil || r.hidesUnknown() != c.want {
			t.Errorf("%s, %q: %v, %v", c.status, c.reply, r.hidesUnknown(), err)
		}
	}
}

// One turn reads the same whichever way it came.
func TestTakeIsTheSameEveryWay(t *testing.T) {
	turn := `"session_id":"s","turn":3,"reply":"r","asked":null,"confirming":null,"tool_calls":[],"params":{"a":1}`
	var first string
	for way, text := range map[string]string{
		viaChat:        `{` + turn + `,"conversation_id":"s","model":"m","provider":"p"}`,
		viaStream:      ": working\n\nevent: reply\ndata: r\n\nevent: done\ndata: {" + turn + `,"conversation_id":"s","model":"m","provider":"p"}` + "\n\n",
		viaCompletions: `{"id":"c","slotway":{` + turn + `,"history":"named"}}`,
	} {
		p := &post{}
		if _, err := p.take(way, []byte(text)); err != nil || p.reply.Turn != 3 || p.reply.Reply != "r" {
			t.Errorf("%s: %+v, %v", way, p.reply, err)
		}
		if first == "" {
			first = p.reply.raw
		}
		if diff := cmp.Diff(first, p.reply.raw); diff != "" {
			t.Errorf("%s: %s", way, diff)
		}
	}
	if again, err := (&post{}).take(viaStream, []byte("event: reply\ndata: r\n\n")); err == nil || !again {
		t.Error("a stream that was cut off counts as an answer")
	}
}
