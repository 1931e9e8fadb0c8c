package remembering

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/internal/test/runtimetest"
)

// TestStartWithoutServers: slotway starts without its embedding server and reranking model. It
// warns the operator, /readyz names the settings but no host, and slotway uses both as soon as they
// answer.
func TestStartWithoutServers(t *testing.T) {
	server := runtimetest.NewMeaningServer(t)
	server.SetDown(true)
	d := runtimetest.OpenCompanion(t, server, t.TempDir(), "memory.knowledge_base.rerank_provider=chat", "memory.knowledge_base.rerank_model=judge")
	has := func(parts ...string) func() bool {
		return func() bool {
			status, body := d.Ready()
			for _, part := range parts {
				if !strings.Contains(body, part) {
					return false
				}
			}
			return status == http.StatusOK && strings.Contains(body, `"ready"`)
		}
	}
	d.Until("/readyz tells of both", has(`"models.embed"`, `"memory.knowledge_base.rerank_provider"`))
	if _, body := d.Ready(); strings.Contains(body, "127.0.0.1") || strings.Contains(body, "judge") {
		t.Errorf("/readyz tells too much: %s", body)
	}
	d.Say("ada", "one", "my zorbly is green")
	server.SetDown(false)
	d.Until("/readyz tells of none", func() bool { _, body := d.Ready(); return !strings.Contains(body, "degraded") })
	d.AwaitJobs()
	d.Until("vectors are made by it", func() bool {
		b := build.ReadBackfill(filepath.Dir(d.Settings().Memory.StoragePath))
		return b != nil && b.Finished
	})
	d.Say("ada", "one", "the brindlow is blue")
	d.AwaitJobs()
	d.Close()
	for _, want := range []string{"warning: models.embed: the embedding server does not answer", "rerank_provider: the model does not answer", "models.embed: it answers again"} {
		if !strings.Contains(d.Log.String(), want) {
			t.Errorf("the operator was not told %q: %s", want, d.Log)
		}
	}
}

// TestServerRefuses: the warning for a server that refuses differs from that for a server that does
// not answer, and names the setting to look at. /readyz shows neither host nor key.
func TestServerRefuses(t *testing.T) {
	for status, want := range map[int][2]string{
		http.StatusUnauthorized: {"refuses the key", "models.chat.api_key_env"},
		http.StatusForbidden:    {"refuses the key", "models.chat.api_key_env"},
		http.StatusNotFound:     {"does not know the address or the model", "base_url"},
	} {
		server := runtimetest.NewMeaningServer(t)
		server.Refusal = status
		d := runtimetest.OpenCompanion(t, server, t.TempDir())
		if _, body := d.Ready(); !strings.Contains(body, "the embedding server "+want[0]) || strings.Contains(body, "127.0.0.1") {
			t.Errorf("%d: /readyz says %s", status, body)
		}
		d.Close()
		if told := d.Log.String(); !strings.Contains(told, "models.embed: the embedding server "+want[0]) || !strings.Contains(told, want[1]) {
			t.Errorf("%d: the operator was told %s", status, told)
		}
	}
}

// TestOllamaWithoutPath: the address of an Ollama server needs no /v1, on any port.
func TestOllamaWithoutPath(t *testing.T) {
	server := runtimetest.NewMeaningServer(t)
	d := runtimetest.OpenCompanion(t, server, t.TempDir(), "models.embed.provider=ollama", "models.embed.base_url="+strings.TrimSuffix(server.URL, "/v1"))
	if _, body := d.Ready(); strings.Contains(body, "degraded") || len(server.Embedded) == 0 {
		t.Errorf("/readyz says %s", body)
	}
}

// chromaAPI answers as a ChromaDB server without collections, or is down.
type chromaAPI struct{ up atomic.Bool }

func (c *chromaAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case !c.up.Load():
		w.WriteHeader(http.StatusBadGateway)
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/collections"):
		_, _ = io.WriteString(w, "[]")
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// TestStartWithoutVectorStore: slotway starts without its vector store. It warns the operator and
// names the setting, /readyz lists the store without its address, memory stats says what the
// vectors wait for, and slotway uses the store as soon as it answers.
func TestStartWithoutVectorStore(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	for backend, set := range map[string]string{
		"chromadb": "memory.vector_store.url=" + closed.URL,
		"pgvector": "memory.dsn=postgres://u:p@" + strings.TrimPrefix(closed.URL, "http://") + "/d",
	} {
		server, dir := runtimetest.NewMeaningServer(t), t.TempDir()
		d := runtimetest.OpenCompanion(t, server, dir, "models.embed.provider=static")
		d.Say("ada", "one", "my zorbly is green")
		d.Close()
		d = runtimetest.OpenCompanion(t, server, dir, "memory.vector_store.backend="+backend, set, "models.embed.provider=static")
		d.Say("ada", "one", "my zorbly is blue")
		status, body := d.Ready()
		if status != http.StatusOK || !strings.Contains(body, `"part":"memory.vector_store"`) || strings.Contains(body, "127.0.0.1") {
			t.Errorf("%s: /readyz says %d %s", backend, status, body)
		}
		d.Until("the vectors wait", func() bool { b := build.ReadBackfill(dir); return b != nil && b.Waiting })
		if told := build.ReadBackfill(dir).String(); !strings.HasSuffix(told, "waiting for the vector store") {
			t.Errorf("%s: memory stats tells %q", backend, told)
		}
		d.Close()
		name, _, _ := strings.Cut(set, "=")
		if want := "warning: memory.vector_store: the vector store does not answer: texts are compared by words; start it, or look at " + name; !strings.Contains(d.Log.String(), want) {
			t.Errorf("%s: the operator was not told %q: %s", backend, want, d.Log)
		}
	}
	chroma := &chromaAPI{}
	place := httptest.NewServer(chroma)
	defer place.Close()
	d := runtimetest.OpenCompanion(t, runtimetest.NewMeaningServer(t), t.TempDir(), "memory.vector_store.backend=chromadb", "memory.vector_store.url="+place.URL)
	chroma.up.Store(true)
	degraded := func() bool { _, body := d.Ready(); return strings.Contains(body, "degraded") }
	d.Until("it is taken up", func() bool { return !degraded() })
	chroma.up.Store(false)
	d.Say("ada", "one", "my zorbly is green")
	d.Until("/readyz tells that it is gone", degraded)
	d.Close()
	if !strings.Contains(d.Log.String(), "memory.vector_store: it answers again") {
		t.Errorf("the operator was not told of the end: %s", d.Log)
	}
}

// TestWordsAlone: with memory.vector_store.enabled: false slotway compares nothing by meaning, with
// any backend, and asks no embedding server.
func TestWordsAlone(t *testing.T) {
	for _, enabled := range []string{"true", "false"} {
		server := runtimetest.NewMeaningServer(t)
		d := runtimetest.OpenCompanion(t, server, t.TempDir(), "memory.vector_store.enabled="+enabled, "memory.max_turns=1", "memory.rag.min_similarity=0.5", "memory.knowledge_base.enable_cross_session_context=false")
		d.Say("ada", "one", "My car broke down on the motorway yesterday.")
		for range 4 {
			d.Say("ada", "one", "What shall I say.")
		}
		d.AwaitJobs()
		d.Say("ada", "one", "Was there an automobile accident?")
		if found := strings.Contains(server.Last(), "motorway"); found != (enabled == "true") {
			t.Errorf("enabled: %s; recalled: %t: %s", enabled, found, server.Last())
		}
		server.Mu.Lock()
		if asked := len(server.Embedded) > 0; asked != (enabled == "true") {
			t.Errorf("enabled: %s; the server embedded %q", enabled, server.Embedded)
		}
		server.Mu.Unlock()
	}
}
