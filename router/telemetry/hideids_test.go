package telemetry

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/config"
)

// An id in which a client has put what is redacted is told by its digest, the same each time;
// another id is told as it is.
func TestHideIDs(t *testing.T) {
	r := NewRedactor(agentWith(nil))
	key := []byte("k")
	show := func(r *Redactor, key []byte, session, interaction string) (string, string) {
		t.Helper()
		var kept Recorder
		sink := HideIDs(&kept, func() *Redactor { return r }, key)
		sink.Record(Event{SessionID: session, InteractionID: interaction})
		sink.Record(Event{SessionID: session, InteractionID: interaction})
		e := kept.Events()
		if e[0].SessionID != e[1].SessionID || e[0].InteractionID != e[1].InteractionID {
			t.Errorf("two events of %q differ", session)
		}
		return e[0].SessionID, e[0].InteractionID
	}
	for _, id := range []string{"s1", "demo", "0198b2f0-7a1c-7e3d-9c58-2f6a1b0d4e77", "order-status", ""} {
		if got, other := show(r, key, id, id); got != id || other != id {
			t.Errorf("%q is told as %q and %q", id, got, other)
		}
	}
	seen := map[string]string{}
	for _, id := range []string{"O-12345", "case O-12346", "ana@example.org", "4111 1111 1111 1111", "DE89370400440532013000", "+49 170 1234567"} {
		session, interaction := show(r, key, id, id)
		if session != interaction || !strings.HasPrefix(session, IDPrefix) || len(session) != len(IDPrefix)+2*digestBytes {
			t.Errorf("%q is told as %q and %q, want one digest", id, session, interaction)
		}
		if other, ok := seen[session]; ok {
			t.Errorf("%q and %q have one digest", id, other)
		}
		seen[session] = id
		if other, _ := show(r, []byte("another"), id, id); other == session {
			t.Errorf("the digest of %q does not depend on the key", id)
		}
	}
	if got, _ := show(NewRedactor(&config.Agent{}), key, "O-12345", ""); got != "O-12345" {
		t.Errorf("an agent that redacts nothing hides the id as %q", got)
	}
}
