package sessions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/summary"
	"github.com/slotway/slotway/router/telemetry"
)

const agentYAML = `
version: 1
agent: {id: a}
params:
  name: {type: text, prompt: "?"}
  city: {type: text, prompt: "?"}
intents:
  - id: x
    examples: [one, two, three]
    params: {required: [name, city]}
    plan:
      - call: act
        with: {who: $name}
      - respond: done
tools:
  act: {kind: go, effect: read}
responses: {done: "Done."}
redaction: {params: [name], patterns: [email], mask: "<{name}>"}
`

var (
	key  = memory.Key{UserID: "u", AgentID: "a", SessionID: "s"}
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

func redactor(t *testing.T) *telemetry.Redactor {
	t.Helper()
	def, err := config.Parse("a.yaml", []byte(agentYAML), "")
	if err != nil {
		t.Fatal(err)
	}
	return telemetry.NewRedactor(def)
}

// told commits turns, each with a param as it stood after it, and a message.
func told(t *testing.T, store memory.Backend, turns ...memory.Message) {
	t.Helper()
	for i, m := range turns {
		s, err := memory.NewConversations(store, 0).ForSession(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		m.Timestamp = noon
		s.Append(m)
		s.SetState(memory.State{Params: map[string]any{"name": fmt.Sprintf("value-%d", i+1)}})
		s.RecordTurn(memory.Turn{RequestID: fmt.Sprint("r", i), Outcome: "responded", Response: json.RawMessage(`{"reply":"ok","params":{}}`)})
		if err := s.Commit(t.Context(), noon); err != nil {
			t.Fatal(err)
		}
	}
}

// A mask hides what a reply offered as a redacted param's value, and what could have been one
// and was left over: neither stands in any state.
func TestMaskKnowsWhatWasOfferedAndLeftOver(t *testing.T) {
	store := inmem.New(nil)
	s, err := memory.NewConversations(store, 0).ForSession(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	s.Append(memory.Message{Role: memory.User, Text: "for Zaphod in Bonn", Timestamp: noon})
	s.RecordTurn(memory.Turn{RequestID: "r", Outcome: "waiting", Response: json.RawMessage(
		`{"reply":"Trillian or Ford? For Zaphod?","params":{},"options":[{"title":"Trillian, of Earth","say":"Trillian","param":"name"},{"title":"Bonn","say":"Bonn","param":"city"}],` +
			`"unheard":[{"text":"Zaphod","told":false,"param":"name"},{"text":"for Zaphod","told":true}]}`)})
	if err := s.Commit(t.Context(), noon); err != nil {
		t.Fatal(err)
	}
	mask, err := NewMasks(store, redactor(t)).Of(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := mask.Text("Trillian and Zaphod in Bonn"), "<name> and <name> in Bonn"; got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
	var out bytes.Buffer
	if err := Export(t.Context(), store, key, redactor(t), true, &out); err != nil {
		t.Fatal(err)
	}
	for _, canary := range []string{"Trillian", "Zaphod"} {
		if strings.Contains(out.String(), canary) {
			t.Errorf("the export tells %s:\n%s", canary, out.String())
		}
	}
	if !strings.Contains(out.String(), `"unheard":[{"param":"name","text":"<name>","told":false}`) {
		t.Errorf("the export lost what was unheard:\n%s", out.String())
	}
}

// A mask hides what a param was after any turn, what went to a tool under another name, and
// what patterns find.
func TestMaskKnowsThePast(t *testing.T) {
	store := inmem.New(nil)
	told(
		t, store,
		memory.Message{Role: memory.User, Text: "value-1"},
		memory.Message{Role: memory.Agent, Text: "calling", ToolCalls: []memory.ToolCall{{ID: "1", Tool: "act", Args: json.RawMessage(`{"who":"handed \"over\"","n":12345678901234567890}`)}}},
		memory.Message{Role: memory.Tool, Text: `{"for":"handed \"over\"","city":"Bonn"}`},
	)
	mask, err := NewMasks(store, redactor(t)).Of(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	const text = `value-1 value-2 value-3 value-4 handed "over" a@example.org Bonn`
	if got, want := mask.Text(text), "<name> <name> <name> value-4 <name> <email> Bonn"; got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
	list, err := store.Messages(t.Context(), key, memory.Page{})
	if err != nil {
		t.Fatal(err)
	}
	list = mask.Messages(list)
	if got, want := string(list[1].ToolCalls[0].Args), `{"n":12345678901234567890,"who":"<name>"}`; got != want {
		t.Errorf("arguments %s, want %s", got, want)
	}
	if got, want := list[2].Text, `{"city":"Bonn","for":"<name>"}`; got != want {
		t.Errorf("a tool's result %s, want %s", got, want)
	}
	facts := mask.Summary(summary.Summary{Narrative: "of value-1", Facts: []memory.Fact{{Key: "name", Value: "unheard of", Sensitive: true}, {Key: "x", Value: "value-2"}}})
	if facts.Narrative != "of <name>" || facts.Facts[0].Value != "name" || facts.Facts[1].Value != "<name>" {
		t.Errorf("summary %+v", facts)
	}
	if got := Reveal().Text(text); got != text || Reveal().Params(nil) == nil {
		t.Error("Reveal does not show everything")
	}
}

func TestExportIsMaskedAndNoSession(t *testing.T) {
	store := inmem.New(nil)
	told(t, store, memory.Message{Role: memory.User, Text: "I am value-1, a@example.org"}, memory.Message{Role: memory.Tool, Text: `{"who":"value-2","n":1.50}`})
	if err := store.Describe(t.Context(), key, memory.About{Title: "value-1"}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Export(t.Context(), store, key, redactor(t), true, &out); err != nil {
		t.Fatal(err)
	}
	for _, hidden := range []string{"value-1", "value-2", "a@example.org"} {
		if strings.Contains(out.String(), hidden) {
			t.Errorf("the export tells %s:\n%s", hidden, &out)
		}
	}
	for _, kept := range []string{`"text":"I am <name>, <email>"`, `"n\":1.50`, `{"end":`, `"slotway_session_masked":1`, `"title":"<name>"`} {
		if !strings.Contains(out.String(), kept) {
			t.Errorf("the export lacks %s:\n%s", kept, &out)
		}
	}
	if _, err := Import(t.Context(), inmem.New(nil), key, out.Bytes()); !errors.Is(err, memory.ErrBadExport) {
		t.Errorf("a masked export is imported: %v", err)
	} else if !strings.Contains(err.Error(), "it is masked") {
		t.Errorf("the error does not say that the export is masked: %v", err)
	}
	if err := Export(t.Context(), inmem.New(nil), key, redactor(t), true, &out); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("export of nothing: %v", err)
	}
}

func TestImportReadsBeforeItWrites(t *testing.T) {
	from := inmem.New(nil)
	told(t, from, memory.Message{Role: memory.User, Text: "hi"})
	var export bytes.Buffer
	if err := from.Export(t.Context(), key, &export); err != nil {
		t.Fatal(err)
	}
	second := strings.Replace(export.String(), `"session_id":"s"`, `"session_id":"s2"`, 1)
	gone := inmem.New(nil)
	cases := []struct {
		name, text string
		into       *inmem.Store
		want       error
		n          int
	}{
		{"two", export.String() + second, inmem.New(nil), nil, 2},
		{"over itself", export.String(), from, nil, 0},
		{"a foreign one last", second + strings.Replace(export.String(), `"user_id":"u"`, `"user_id":"v"`, 1), gone, ErrForeign, 0},
		{"cut short", second + export.String()[:export.Len()-9], gone, memory.ErrBadExport, 0},
		{"nothing", "", gone, nil, 0},
	}
	for _, c := range cases {
		if n, err := Import(t.Context(), c.into, key, []byte(c.text)); n != c.n || !errors.Is(err, c.want) {
			t.Errorf("%s: %d, %v, want %d, %v", c.name, n, err, c.n, c.want)
		}
	}
	told(t, gone, memory.Message{Role: memory.User, Text: "other"}, memory.Message{Role: memory.User, Text: "and on"})
	if n, err := Import(t.Context(), gone, key, []byte(second+export.String())); n != 0 || !errors.Is(err, memory.ErrConflict) {
		t.Errorf("over another version: %d, %v", n, err)
	}
	if list, err := gone.Sessions(t.Context(), memory.Query{}); err != nil || len(list) != 1 {
		t.Errorf("%d sessions are there (%v)", len(list), err)
	}
}

func TestClearAndUndoOfNothing(t *testing.T) {
	store := inmem.New(nil)
	if _, err := Clear(t.Context(), store, key, noon); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("Clear: %v", err)
	}
	if _, err := Undo(t.Context(), store, key, noon); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("Undo: %v", err)
	}
	told(t, store, memory.Message{Role: memory.User, Text: "hi"})
	if got, err := Undo(t.Context(), store, key, noon); err != nil || cmp.Diff(Undone{Turn: 1}, got) != "" {
		t.Errorf("Undo: %+v, %v", got, err)
	}
	if _, err := Undo(t.Context(), store, key, noon); !errors.Is(err, memory.ErrNoSnapshot) {
		t.Errorf("Undo again: %v", err)
	}
}

func TestMasksOfSeveralSessions(t *testing.T) {
	store := inmem.New(nil)
	told(t, store, memory.Message{Role: memory.User, Text: "value-1"})
	masks := NewMasks(store, redactor(t))
	other := key
	other.SessionID = "unknown"
	found := []memory.Recalled{
		{Key: key, Message: memory.Message{Text: "value-1"}, Before: []memory.Message{{Text: "of value-1"}}},
		{Key: other, Message: memory.Message{Text: "value-1"}},
	}
	got, err := masks.Recalled(t.Context(), found)
	if err != nil || got[0].Message.Text != "<name>" || got[0].Before[0].Text != "of <name>" || got[1].Message.Text != "value-1" {
		t.Errorf("Recalled: %+v, %v", got, err)
	}
	if found[0].Message.Text != "value-1" || found[0].Before[0].Text != "of value-1" {
		t.Error("Recalled changes what it was given")
	}
	a, _ := masks.Of(t.Context(), key)
	if b, _ := masks.Of(t.Context(), key); a != b {
		t.Error("a mask is made twice")
	}
}

// A mask that was forgotten hides everything, and Reveal nothing.
func TestNoMaskHidesEverything(t *testing.T) {
	var none *Masks
	msg := memory.Message{Role: memory.User, Text: "O-12345", ToolCalls: []memory.ToolCall{{Tool: "find", Args: []byte(`{"order_id":"O-12345"}`)}}, Metadata: map[string]string{"about": "O-12345"}}
	for _, masks := range []*Masks{none, {}} {
		m, err := masks.Of(t.Context(), memory.Key{})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []*Mask{m, {}} {
			shown := m.Message(msg)
			all := fmt.Sprint(m.Text("O-12345"), m.Value("O-12345"), m.Params(map[string]any{"a": "O-12345"}), string(m.JSON([]byte(`["O-12345"]`))),
				shown.Text, string(shown.ToolCalls[0].Args), shown.Metadata, m.Facts([]memory.Fact{{Key: "order", Value: "O-12345"}}))
			if strings.Contains(all, "O-12345") || m.Shows("O-12345", "O-") {
				t.Errorf("shown: %s", all)
			}
		}
	}
	m, err := RevealAll().Of(t.Context(), memory.Key{})
	if shown := m.Message(msg); err != nil || m.Text("O-12345") != "O-12345" || shown.Text != msg.Text || string(m.JSON([]byte(`["O-12345"]`))) != `["O-12345"]` {
		t.Errorf("revealed: %+v, %v", shown, err)
	}
}
