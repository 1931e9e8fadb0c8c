package authoring

import (
	"net/http"

	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/replay"
)

// replay answers with a session as a replay file.
func (s *server) replay(w http.ResponseWriter, r *http.Request) {
	key, mask, err := s.api.SessionOf(r)
	var text []byte
	if err == nil {
		text, err = replay.FromStore(r.Context(), s.api.Memory().Store, key, s.opts.AgentFile, mask)
	}
	if err != nil {
		httpapi.WriteProblem(w, httpapi.Explain(err))
		return
	}
	w.Header().Set("Content-Type", "application/yaml")
	w.Header().Set("Content-Disposition", `attachment; filename="conversation.yaml"`)
	_, _ = w.Write(text)
}
