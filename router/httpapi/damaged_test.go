package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/router/telemetry"
)

// spoilt is a store with one session that cannot be read.
type spoilt struct{ memory.Backend }

func (s spoilt) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	if key.SessionID == "bad" {
		return nil, fmt.Errorf("row 7: %w", memory.ErrCorrupt)
	}
	return s.Backend.Load(ctx, key, opts)
}

// A session that cannot be read fails alone: a listing shows that it is there, without a title
// that may have to be masked, a search finds what the others say, and the log is told.
func TestASpoiltSessionFailsAlone(t *testing.T) {
	w := newFixture(t)
	w.say(t, "bad", "lamp please")
	w.say(t, "good", "lamp please")
	for _, id := range []string{"bad", "good"} {
		object(t, w.ask("PATCH", "/v1/sessions/"+id, `{"title":"about `+id+`"}`))
	}
	log := &telemetry.Recorder{}
	store := spoilt{w.store}
	w.api.opts.Sink = log
	w.api.opts.Memory.Store, w.api.kept = store, sessions.NewMaskCache(store, nil)
	w.api.opts.Memory.Search = recall.New(store, nil).Search
	titles := map[any]any{}
	for _, line := range object(t, w.ask("GET", "/v1/sessions", ""))["sessions"].([]any) {
		info := line.(map[string]any)
		titles[info["session_id"]] = info["title"]
	}
	if titles["good"] != "about good" || titles["bad"] != "" || len(titles) != 2 {
		t.Errorf("the listing has %v", titles)
	}
	if !slices.ContainsFunc(log.Events(), func(e telemetry.Event) bool {
		f, ok := e.Payload.(telemetry.Failure)
		return ok && f.Code == "corrupt" && e.SessionID == "bad"
	}) {
		t.Errorf("the log is told %v", log.Events())
	}
	found := object(t, w.ask("POST", "/v1/memory/search", `{"query":"lamp"}`))["results"].([]any)
	if len(found) == 0 || found[0].(map[string]any)["session_id"] != "good" {
		t.Errorf("found %v", found)
	}
	if res := w.ask("GET", "/v1/sessions/bad/messages", ""); res.StatusCode != http.StatusInternalServerError {
		t.Errorf("its own messages: %d", res.StatusCode)
	}
}
