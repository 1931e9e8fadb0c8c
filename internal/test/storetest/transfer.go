package storetest

import (
	"bytes"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
)

func (s *suite) export(store memory.Backend, key memory.Key) string {
	s.Helper()
	var b bytes.Buffer
	if err := store.Export(s.Context(), key, &b); err != nil {
		s.Fatalf("Export: %v", err)
	}
	return b.String()
}

func (s *suite) archive(key memory.Key) *transfer.Archive {
	s.Helper()
	var got *transfer.Archive
	if err := transfer.ReadArchives(strings.NewReader(s.export(s.Backend, key)), func(a *transfer.Archive) error {
		got = a
		return nil
	}); err != nil {
		s.Fatal(err)
	}
	return got
}

// rich fills a session with everything that an export must carry.
func (s *suite) rich(key memory.Key) {
	s.talk(key, 2)
	s.start(key, 2, step("open"))
	d := turn(s.load(key, memory.LoadOptions{}))
	d.Clear = true
	d.State.PlanExecution, d.State.LastResult = []byte(`{"v":1}`), []byte(`["<&>",1]`)
	d.State.WaitingForParam = "order_id"
	d.Messages[0].Metadata = map[string]string{"a": "<b>"}
	d.Messages[1].ToolCalls = []memory.ToolCall{{ID: "c", Tool: "t", Args: []byte(`{"a":"<"}`)}}
	closed := step("closed")
	closed.Status, closed.Result, closed.EndedAt = memory.StepDone, []byte(`1`), t0
	d.Steps = []memory.Step{closed}
	s.commit(d)
}

func exportImport(s *suite) {
	two := ada
	two.SessionID = "two"
	s.rich(ada)
	s.rich(two)
	text := s.export(s.Backend, ada) + "\n" + s.export(s.Backend, two)

	other := opened(s.T, s.open)
	for i, want := range []int{2, 0} { // the second time there is nothing to do
		if n, err := other.Import(s.Context(), strings.NewReader(text)); n != want || err != nil {
			s.Fatalf("Import %d = %d, %v; want %d", i, n, err, want)
		}
	}
	s.same("export of the import", s.export(s.Backend, ada), s.export(other, ada))
	for _, key := range []memory.Key{ada, two} {
		want := s.load(key, memory.LoadOptions{Recent: 100, RequestID: "r2"})
		got, err := other.Load(s.Context(), key, memory.LoadOptions{Recent: 100, RequestID: "r2"})
		if err != nil {
			s.Fatal(err)
		}
		s.same("session", want, got)
		if err := other.Commit(s.Context(), turn(got)); err != nil { // and it goes on
			s.Errorf("Commit after Import: %v", err)
		}
	}
	if n, err := other.Import(s.Context(), strings.NewReader(text)); n != 0 {
		s.wantErr("Import over a session that has moved on", err, memory.ErrConflict)
	}
}

func importRefusals(s *suite) {
	s.rich(ada)
	text := s.export(s.Backend, ada)
	lines := strings.SplitAfter(text, "\n")
	other := opened(s.T, s.open)
	for name, bad := range map[string]string{
		"no JSON":         "hello\n",
		"cut short":       strings.Join(lines[:3], ""),
		"no header":       strings.Join(lines[1:], ""),
		"message missing": strings.Join(append(append([]string{}, lines[:2]...), lines[3:]...), ""),
		"state missing":   lines[0] + strings.Join(lines[2:], ""),
		"two states":      lines[0] + lines[1] + strings.Join(lines[1:], ""),
		"twice begun":     lines[0] + text,
		"other form":      strings.Replace(text, `"slotway_session":1`, `"slotway_session":99`, 1),
		"unknown line":    lines[0] + `{"what":1}` + "\n" + strings.Join(lines[1:], ""),
		"bad key":         strings.Replace(text, `"user_id":"ada"`, `"user_id":""`, 1),
		"bad counter":     strings.Replace(text, `"next_seq":7`, `"next_seq":9`, 1),
		"bad floor":       strings.Replace(text, `"floor_seq":5`, `"floor_seq":50`, 1),
		"bad role":        strings.Replace(text, `"role":"user"`, `"role":"root"`, 1),
		"doubled request": strings.Replace(text, `"request_id":"r2"`, `"request_id":"r1"`, 1),
		"doubled step":    strings.Replace(text, `"idempotency_key":"open"`, `"idempotency_key":"closed"`, 1),
	} {
		if bad == text {
			s.Fatalf("%s: the export was not changed", name)
		}
		n, err := other.Import(s.Context(), strings.NewReader(bad))
		s.wantErr(name, err, memory.ErrBadExport)
		if n != 0 {
			s.Errorf("%s: %d sessions were imported", name, n)
		}
		if err != nil && strings.Contains(err.Error(), "question") {
			s.Errorf("%s: the error quotes the content", name)
		}
	}
}
