package main

import (
	"testing"

	"github.com/slotway/slotway/internal/test/faulttest"
)

// TestConversationsWithAFaultyModelServer: conversations that are recorded without a model server
// play word for word the same with a faulty one, whatever the fault.
func TestConversationsWithAFaultyModelServer(t *testing.T) {
	for _, fault := range faulttest.Faults() {
		t.Run(fault.Name, func(t *testing.T) {
			t.Parallel()
			server := faulttest.Start(t, fault, nil)
			r := newReplayer(&flags{set: []string{
				"models.chat.model=small", "models.chat.base_url=" + server.URL + "/v1", "models.chat.timeout=" + fault.Limit().String(),
			}})
			turns := 0
			for _, result := range r.file(t.Context(), conversations+"/dialogue/no_model_server.yaml", nil) {
				for _, f := range result.Failures {
					t.Errorf("%s:%d: turn %d: %s", result.File, f.Line, f.Turn, f.Diff)
				}
				turns += result.Turns
			}
			if turns == 0 || fault.Arrives && server.Asked() == 0 {
				t.Errorf("%d turns, and the server was asked %d times: this shows nothing", turns, server.Asked())
			}
		})
	}
}
