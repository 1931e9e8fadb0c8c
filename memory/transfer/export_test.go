package transfer_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
)

// FuzzReadArchives: an import never panics, refuses with ErrBadExport only, and what it
// accepts is written and read back unchanged.
func FuzzReadArchives(f *testing.F) {
	head := `{"slotway_session":1,"key":{"user_id":"u","agent_id":"a","session_id":"s"},` +
		`"head":{"version":1,"epoch":0,"next_seq":2,"floor_seq":1,"turns":1},"created_at":"2026-03-01T12:00:00Z","updated_at":"2026-03-01T12:00:00Z"}`
	whole := strings.Join([]string{
		head,
		`{"state":{"params":{"a":[1,{"b":null}]},"waiting_for_param":"x","version":1}}`,
		`{"message":{"seq":1,"turn":1,"role":"user","text":"hi","timestamp":"2026-03-01T12:00:00Z"}}`,
		`{"turn":{"request_id":"r","turn":1,"intent":"i","outcome":"waiting","response":{"x":1},"at":"2026-03-01T12:00:00Z"}}`,
		`{"step":{"idempotency_key":"k","turn":1,"plan":"p","step":"s","tool":"t","status":"started","attempts":1,"started_at":"2026-03-01T12:00:00Z"}}`,
		`{"end":{"messages":1,"turns":1,"steps":1}}`,
	}, "\n")
	f.Add(whole)
	f.Add(whole + "\n" + whole)
	f.Add(head)
	f.Add(`{"slotway_session":1}`)
	f.Add(`{"end":{}}`)
	f.Add(`{"slotway_session":1,"key":null,"head":{}}` + "\n" + `{"state":null}`)
	f.Fuzz(func(t *testing.T, text string) {
		var first bytes.Buffer
		var archives []*transfer.Archive
		err := transfer.ReadArchives(strings.NewReader(text), func(a *transfer.Archive) error {
			archives = append(archives, a)
			return a.Write(&first)
		})
		if err != nil && !errors.Is(err, memory.ErrBadExport) {
			t.Fatalf("ReadArchives: %v", err)
		}
		i := 0
		if err := transfer.ReadArchives(&first, func(a *transfer.Archive) error {
			var want, got bytes.Buffer
			if err := errors.Join(archives[i].Write(&want), a.Write(&got)); err != nil {
				return err
			}
			if diff := cmp.Diff(want.String(), got.String()); diff != "" {
				t.Errorf("session %d (-written +read back):\n%s", i, diff)
			}
			i++
			return nil
		}); err != nil {
			t.Fatalf("what was accepted is not read back: %v", err)
		}
	})
}
