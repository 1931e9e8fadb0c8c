package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/slotway/slotway/internal/build"
)

// TestStartWithoutServers: an embedding server and a rerank model that are not there do not
// stop a start; the operator is told, /readyz tells which settings are meant and no host, and
// both are taken up by themselves once they answer.
func TestStartWithoutServers(t *testing.T) {
	server := newThinker(t)
	server.set(true)
	d := server.app(t, t.TempDir(), "memory.knowledge_base.rerank_provider=chat", "memory.knowledge_base.rerank_model=judge")
	has := func(parts ...string) func() bool {
		return func() bool {
			status, body := d.ready()
			for _, part := range parts {
				if !strings.Contains(body, part) {
					return false
				}
			}
			return status == http.StatusOK && strings.Contains(body, `"ready"`)
		}
	}
	d.until("/readyz tells of both", has(`"models.embed"`, `"memory.knowledge_base.rerank_provider"`))
	if _, body := d.ready(); strings.Contains(body, "127.0.0.1") || strings.Contains(body, "judge") {
		t.Errorf("/readyz tells too much: %s", body)
	}
	d.say("ada", "one", "my zorbly is green")
	server.set(false)
	d.until("/readyz tells of none", func() bool { _, body := d.ready(); return !strings.Contains(body, "degraded") })
	waitForJobs(t, d.app)
	d.until("vectors are made by it", func() bool {
		b := build.ReadBackfill(dataDir(d.app.Settings()))
		return b != nil && b.Finished
	})
	d.say("ada", "one", "the brindlow is blue")
	waitForJobs(t, d.app)
	d.close()
	for _, want := range []string{"warning: models.embed: the embedding server does not answer", "rerank_provider: the model does not answer", "models.embed: it answers again"} {
		if !strings.Contains(d.log.String(), want) {
			t.Errorf("the operator was not told %q: %s", want, d.log)
		}
	}
}

// TestServerRefuses: a server that is there and refuses is told apart from one that is not, with
// what to look at; /readyz has neither host nor key.
func TestServerRefuses(t *testing.T) {
	for status, want := range map[int][2]string{
		http.StatusUnauthorized: {"refuses the key", "models.chat.api_key_env"},
		http.StatusForbidden:    {"refuses the key", "models.chat.api_key_env"},
		http.StatusNotFound:     {"does not know the address or the model", "base_url"},
	} {
		server := newThinker(t)
		server.refusal = status
		d := server.app(t, t.TempDir())
		if _, body := d.ready(); !strings.Contains(body, "the embedding server "+want[0]) || strings.Contains(body, "127.0.0.1") {
			t.Errorf("%d: /readyz says %s", status, body)
		}
		d.close()
		if told := d.log.String(); !strings.Contains(told, "models.embed: the embedding server "+want[0]) || !strings.Contains(told, want[1]) {
			t.Errorf("%d: the operator was told %s", status, told)
		}
	}
}

// TestOllamaWithoutPath: the address of an Ollama server needs no /v1, at whatever port it is.
func TestOllamaWithoutPath(t *testing.T) {
	server := newThinker(t)
	d := server.app(t, t.TempDir(), "models.embed.provider=ollama", "models.embed.base_url="+strings.TrimSuffix(server.url, "/v1"))
	if _, body := d.ready(); strings.Contains(body, "degraded") || len(server.embedded) == 0 {
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

// TestStartWithoutVectorStore: a vector store that is not there does not stop a start; the operator
// is told which setting to look at, /readyz lists it without its address, memory stats names what
// the vectors wait for, and the store is taken up once it answers.
func TestStartWithoutVectorStore(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	for backend, set := range map[string]string{
		"chromadb": "memory.vector_store.url=" + closed.URL,
		"pgvector": "memory.dsn=postgres://u:p@" + strings.TrimPrefix(closed.URL, "http://") + "/d",
	} {
		server, dir := newThinker(t), t.TempDir()
		d := server.app(t, dir, "models.embed.provider=static")
		d.say("ada", "one", "my zorbly is green")
		d.close()
		d = server.app(t, dir, "memory.vector_store.backend="+backend, set, "models.embed.provider=static")
		d.say("ada", "one", "my zorbly is blue")
		status, body := d.ready()
		if status != http.StatusOK || !strings.Contains(body, `"part":"memory.vector_store"`) || strings.Contains(body, "127.0.0.1") {
			t.Errorf("%s: /readyz says %d %s", backend, status, body)
		}
		d.until("the vectors wait", func() bool { b := build.ReadBackfill(dir); return b != nil && b.Waiting })
		if told := build.ReadBackfill(dir).String(); !strings.HasSuffix(told, "waiting for the vector store") {
			t.Errorf("%s: memory stats tells %q", backend, told)
		}
		d.close()
		name, _, _ := strings.Cut(set, "=")
		if want := "warning: memory.vector_store: the vector store does not answer: texts are compared by words; start it, or look at " + name; !strings.Contains(d.log.String(), want) {
			t.Errorf("%s: the operator was not told %q: %s", backend, want, d.log)
		}
	}
	chroma := &chromaAPI{}
	place := httptest.NewServer(chroma)
	defer place.Close()
	d := newThinker(t).app(t, t.TempDir(), "memory.vector_store.backend=chromadb", "memory.vector_store.url="+place.URL)
	chroma.up.Store(true)
	degraded := func() bool { _, body := d.ready(); return strings.Contains(body, "degraded") }
	d.until("it is taken up", func() bool { return !degraded() })
	chroma.up.Store(false)
	d.say("ada", "one", "my zorbly is green")
	d.until("/readyz tells that it is gone", degraded)
	d.close()
	if !strings.Contains(d.log.String(), "memory.vector_store: it answers again") {
		t.Errorf("the operator was not told of the end: %s", d.log)
	}
}

// TestRerankProviderRefused: one that does not exist is told with file, line and field, by
// check and at the start.
func TestRerankProviderRefused(t *testing.T) {
	for provider, want := range map[string]string{
		"olama": `unknown provider "olama"`,
		"chat":  "models.chat.base_url names no server",
	} {
		file := filepath.Join(t.TempDir(), "slotway.yaml")
		if err := os.WriteFile(file, []byte("memory:\n  storage: inmem\n  knowledge_base:\n    rerank_provider: "+provider+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"check", "--no-nlu"}, {"chat"}} {
			out, code := runCommand(t, append([]string{"--config", file, "--data", t.TempDir()}, args...)...)
			if code == exitOK || !strings.Contains(out, file+":4:") || !strings.Contains(out, "memory.knowledge_base.rerank_provider") || !strings.Contains(out, want) {
				t.Errorf("%v with %s: exit code %d\n%s", args, provider, code, out)
			}
		}
	}
}

// TestWordsAlone: with memory.vector_store.enabled: false nothing is compared by meaning,
// whatever the backend, and no embedding server is asked.
func TestWordsAlone(t *testing.T) {
	for _, enabled := range []string{"true", "false"} {
		server := newThinker(t)
		d := server.app(t, t.TempDir(), "memory.vector_store.enabled="+enabled, "memory.max_turns=1", "memory.rag.min_similarity=0.5", "memory.knowledge_base.enable_cross_session_context=false")
		d.say("ada", "one", "My car broke down on the motorway yesterday.")
		for range 4 {
			d.say("ada", "one", "What shall I say.")
		}
		waitForJobs(t, d.app)
		d.say("ada", "one", "Was there an automobile accident?")
		if found := strings.Contains(server.last(), "motorway"); found != (enabled == "true") {
			t.Errorf("enabled: %s; recalled: %t: %s", enabled, found, server.last())
		}
		server.mu.Lock()
		if asked := len(server.embedded) > 0; asked != (enabled == "true") {
			t.Errorf("enabled: %s; the server embedded %q", enabled, server.embedded)
		}
		server.mu.Unlock()
	}
}
