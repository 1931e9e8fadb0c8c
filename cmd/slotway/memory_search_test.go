package main

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// recaller is a store with a conversation, for commands.
type recaller struct {
	*runtimetest.Companion

	server *runtimetest.MeaningServer
	dir    string
}

// lamps holds a conversation in which "the lamp of the third" is the least similar to "lamp".
func lamps(t *testing.T, set ...string) *recaller {
	t.Helper()
	server, dir := runtimetest.NewMeaningServer(t), t.TempDir()
	server.Judge = func(text string) string {
		if strings.Contains(text, "third") {
			return "9"
		}
		return "1"
	}
	r := &recaller{runtimetest.OpenCompanion(t, server, dir, set...), server, dir}
	for _, text := range []string{"The lamp, the lamp, the lamp of the first.", "The lamp of the second.", "The lamp and the bed and the chair of the third."} {
		r.Say("local", "one", text)
	}
	r.AwaitJobs()
	return r
}

// memory runs a memory command over the store.
func (r *recaller) memory(t *testing.T, args ...string) (string, int) {
	t.Helper()
	return runCommand(t, append([]string{
		"--agent", runtimetest.CompanionFile(t), "--data", r.dir, "--set", "memory.storage_path=" + filepath.Join(r.dir, "memory.db"),
		"--set", "models.chat.model=small", "--set", "models.chat.base_url=" + r.server.URL, "--set", "models.embed.provider=openai",
		"--set", "models.embed.model=thinker", "--set", "models.embed.base_url=" + r.server.URL, "memory", "--user", "local",
	}, args...)...)
}

// TestSearchIsReranked: the reranking model orders the results of a search by command and over
// HTTP. Without its answer their order stays.
func TestSearchIsReranked(t *testing.T) {
	judging := []string{"memory.knowledge_base.rerank_provider=chat", "memory.knowledge_base.rerank_model=judge"}
	r := lamps(t, judging...)
	search := func() (byCommand, byHTTP string) {
		t.Helper()
		var flags []string
		for _, s := range judging {
			flags = append(flags, "--set", s)
		}
		byCommand, code := r.memory(t, append(flags, "search", "lamp", "--role", "user", "-k", "1")...)
		if code != exitOK {
			t.Fatalf("exit code %d: %s", code, byCommand)
		}
		w := httptest.NewRecorder()
		req := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8080/v1/memory/search", strings.NewReader(`{"query":"lamp","role":"user","limit":1}`))
		req.Header.Set("Content-Type", "application/json")
		r.Service.ServeHTTP(w, req)
		return byCommand, w.Body.String()
	}
	for _, found := range func() []string { a, b := search(); return []string{a, b} }() {
		if !strings.Contains(found, "third") || strings.Contains(found, "first") {
			t.Errorf("found %s", found)
		}
	}
	r.server.Mu.Lock()
	asked := 0
	for _, texts := range r.server.Judged { // a probe's among them
		if strings.Contains(strings.Join(texts, " "), "lamp") {
			asked++
		}
	}
	if asked != 2 {
		t.Errorf("judged %d times, want 2", asked)
	}
	r.server.Judge = func(string) string { return "nonsense" }
	r.server.Mu.Unlock()
	for _, found := range func() []string { a, b := search(); return []string{a, b} }() {
		if strings.Contains(found, "third") || !strings.Contains(found, "first") && !strings.Contains(found, "second") {
			t.Errorf("without a judgement found %s", found)
		}
	}
}

// TestSearchLeastSimilarity: without --min-similarity a search shows weak results too, and marks
// them.
func TestSearchLeastSimilarity(t *testing.T) {
	r := lamps(t)
	out, code := r.memory(t, "search", "lamp brindlow", "--role", "user")
	if code != exitOK || !strings.Contains(out, "third") || !strings.Contains(out, "less similar than memory.rag.min_similarity (0.7)") {
		t.Errorf("exit code %d: %s", code, out)
	}
	if out, code := r.memory(t, "search", "lamp", "--min-similarity", "1"); code != exitOK || out != "" {
		t.Errorf("exit code %d: %s", code, out)
	}
	for _, args := range [][]string{{"--min-similarity", "2"}, {"--min-similarity", "x"}, {"--role", "tool"}, {"--role", "system"}} {
		if out, code := r.memory(t, append([]string{"search", "lamp"}, args...)...); code != exitUsage {
			t.Errorf("%v: exit code %d: %s", args, code, out)
		}
	}
}

// TestReindexOff: memory reindex says so if vectors are switched off.
func TestReindexOff(t *testing.T) {
	r := lamps(t)
	if out, code := r.memory(t, "reindex", "--set", "memory.vector_store.enabled=false"); code == exitOK || !strings.Contains(out, "memory.vector_store.enabled is false") {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// TestReindexInterrupted: an interrupted memory reindex says how far it came, and that the next one
// continues there.
func TestReindexInterrupted(t *testing.T) {
	r := lamps(t)
	r.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	place := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err == nil && strings.Contains(string(body), "lamp") { // no longer the start
			stop()
			<-req.Context().Done()
			return
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		r.server.ServeHTTP(w, req)
	}))
	defer place.Close()
	r.server.URL = place.URL + "/v1"
	var out strings.Builder
	code := run(ctx, []string{
		"--agent", runtimetest.CompanionFile(t), "--data", r.dir, "--set", "memory.storage_path=" + filepath.Join(r.dir, "memory.db"),
		"--set", "models.embed.provider=openai", "--set", "models.embed.model=other", "--set", "models.embed.base_url=" + r.server.URL, "memory", "reindex",
	}, strings.NewReader(""), io.Discard, &out)
	if code == exitOK || !strings.Contains(out.String(), "interrupted: 0 messages") || !strings.Contains(out.String(), "goes on from there") {
		t.Errorf("exit code %d: %s", code, out.String())
	}
}

// TestStatsOfDamage: memory stats counts what it can read, and says what it cannot read and what to
// run.
func TestStatsOfDamage(t *testing.T) {
	server, dir := runtimetest.NewMeaningServer(t), t.TempDir()
	r := &recaller{runtimetest.OpenCompanion(t, server, dir), server, dir}
	r.Say("local", "one", "The lamp is green.")
	r.AwaitJobs()
	server.SetDown(true)
	r.Say("local", "two", "The bed is blue.") // its job waits for the server
	r.Say("local", "three", "The chair is red.")
	r.Close()
	db, err := sql.Open("sqlite", filepath.Join(dir, "memory.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, c := range []struct{ what, damage, counted string }{
		{"recall", "UPDATE views SET up_to = up_to + 1 WHERE tier = 'recall'", "recall 0 views"},
	} {
		if _, err := db.ExecContext(t.Context(), c.damage); err != nil {
			t.Fatal(err)
		}
		out, code := r.memory(t, "stats")
		out = strings.Join(strings.Fields(out), " ")
		for _, want := range []string{"sessions 3", c.counted, "vectors openai/thinker: ", "not everything can be read of " + c.what + ":", "slotway db check", "sessions forget"} {
			if code == exitOK || !strings.Contains(out, want) {
				t.Errorf("exit code %d, %q is missing:\n%s", code, want, out)
			}
		}
	}
}
