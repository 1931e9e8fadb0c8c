package runtimetest

import (
	"context"
	_ "embed"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
)

//go:embed companion.yaml
var companionSource string

// CompanionAgent parses the definition of the companion: an agent without tasks, for which a model
// answers from the memory in its prompt. More lines, such as "language: de", go below the key
// agent.
func CompanionAgent(t testing.TB, lines ...string) *config.Agent {
	t.Helper()
	source := companionSource
	for _, line := range lines {
		source = strings.Replace(source, "agent:\n", "agent:\n  "+line+"\n", 1)
	}
	parsed, err := config.Parse("companion.yaml", []byte(source), "")
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// CompanionFile writes the definition of the companion to a file and returns its path.
func CompanionFile(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "companion.yaml")
	if err := os.WriteFile(path, []byte(companionSource), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Companion is the companion over a SQLite file, with a model server for its answers and vectors.
type Companion struct {
	*Runtime

	Service *Service
	Log     *strings.Builder // warnings; read it after Close
}

// OpenCompanion opens the companion over the file memory.db of a folder.
func OpenCompanion(t testing.TB, server *MeaningServer, dir string, set ...string) *Companion {
	t.Helper()
	set = append([]string{
		"memory.storage=sqlite", "memory.durability=relaxed", "memory.storage_path=" + filepath.Join(dir, "memory.db"), "models.chat.model=small", "models.chat.base_url=" + server.URL,
		"models.embed.provider=openai", "models.embed.model=thinker", "models.embed.base_url=" + server.URL,
		"memory.knowledge_base.enable_cross_session_context=true", "memory.knowledge_base.search_always=true", "telemetry.log=none",
	}, set...)
	c := &Companion{Log: &strings.Builder{}}
	c.Runtime = Open(t, Config{Data: dir, Set: set, Options: slotway.Options{Agent: CompanionAgent(t), Stderr: c.Log, Probe: 5 * time.Millisecond}})
	c.Service = Serve(c.Runtime)
	return c
}

// Ready returns the answer of /readyz.
func (c *Companion) Ready() (status int, body string) {
	c.t.Helper()
	w := c.Service.Ask(c.t, "", http.MethodGet, "http://127.0.0.1:8080/readyz", "")
	return w.Code, w.Body.String()
}

// Until waits for something that the background brings about.
func (c *Companion) Until(what string, holds func() bool) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	for !holds() {
		select {
		case <-ctx.Done():
			_, body := c.Ready()
			c.t.Fatalf("never: %s; /readyz says %s", what, body)
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// AwaitJobs waits until the background has no job left but those that it gave up.
func (r *Runtime) AwaitJobs() {
	r.t.Helper()
	for {
		left, err := r.Store().Jobs(r.t.Context(), memory.JobQuery{})
		if err != nil {
			r.t.Fatal(err)
		}
		if !slices.ContainsFunc(left, func(j memory.Job) bool { return !j.Dead }) {
			return
		}
		select {
		case <-r.t.Context().Done():
			r.t.Fatal("the jobs do not end")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Archives returns the archive.
func (r *Runtime) Archives() *archive.Tier {
	r.t.Helper()
	tier, err := memory.TierOf[*archive.Tier](r.Tiers())
	if err != nil {
		r.t.Fatal(err)
	}
	return tier
}

// Archive makes documents of a session.
func (r *Runtime) Archive(user, session string) {
	r.t.Helper()
	if _, err := r.Archives().Archive(r.t.Context(), memory.Key{UserID: user, AgentID: r.Agent().ID, SessionID: session}); err != nil {
		r.t.Fatal(err)
	}
}

// SayAndArchive sends a message to a session, archives the session and makes the vectors of its
// documents, as the background job does.
func (r *Runtime) SayAndArchive(user, session, text string) {
	r.t.Helper()
	r.Say(user, session, text)
	r.Archive(user, session)
	job := memory.Job{Key: memory.Key{UserID: user, AgentID: r.Agent().ID, SessionID: session}, Kind: archive.Kind}
	if err := r.Archives().Work(r.t.Context(), job); err != nil {
		r.t.Fatal(err)
	}
}
