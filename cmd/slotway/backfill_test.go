package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
)

// TestBackfillForEverybody: after a change of the embedding model the background makes new vectors
// for all users, even if the server comes later than the service. memory stats shows the progress,
// and memory reindex finds nothing left.
func TestBackfillForEverybody(t *testing.T) {
	server, dir := runtimetest.NewMeaningServer(t), t.TempDir()
	users := []string{"ada", "bob", "cleo"}
	archives := "memory.compression.archive_conversations=true"
	d := runtimetest.OpenCompanion(t, server, dir, archives)
	for i, user := range users {
		d.SayAndArchive(user, "one", fmt.Sprintf("The zorbly number %d is green.", i))
	}
	d.AwaitJobs()
	d.Close()
	stats := func() (s memoryStats) {
		t.Helper()
		if err := json.Unmarshal([]byte(withOtherModel(t, server, dir, "memory", "stats", "--json")), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := stats(); s.Vectors == nil || s.Vectors.Finished || s.Vectors.Model != "openai/other" {
		t.Errorf("before the service knows of the change: %+v", s.Vectors)
	}
	server.SetDown(true)
	server.Mu.Lock()
	server.Embedded = nil
	server.Mu.Unlock()
	d = runtimetest.OpenCompanion(t, server, dir, archives, "models.embed.model=other")
	d.Until("the work waits for the server", func() bool { b := build.ReadBackfill(dir); return b != nil && b.Waiting })
	server.SetDown(false)
	d.Until("everybody's vectors are made", func() bool { return build.ReadBackfill(dir).Finished })
	tier, err := memory.TierOf[*recall.Tier](d.Tiers())
	if err != nil {
		t.Fatal(err)
	}
	for i, user := range users {
		found, err := tier.Similar(t.Context(), recall.Query{Key: memory.Key{UserID: user, AgentID: "companion"}, Text: "my quanderling", K: 1})
		if want := fmt.Sprintf("number %d", i); err != nil || len(found) != 1 || !strings.Contains(found[0].Message.Text, want) {
			t.Errorf("%s finds %v, %v, want %q", user, found, err, want)
		}
		server.Mu.Lock()
		if n := strings.Count(strings.Join(server.Embedded, "\n"), fmt.Sprintf("number %d is", i)); n < 2 {
			t.Errorf("what %s said was embedded %d times, want the message and the document", user, n)
		}
		server.Mu.Unlock()
	}
	d.Close()
	s := stats()
	if v := s.Vectors; v == nil || !v.Finished || v.Done != 3 || v.Total != 3 || v.Made == 0 {
		t.Errorf("in the end: %+v", s.Vectors)
	}
	if out := withOtherModel(t, server, dir, "memory", "stats"); !strings.Contains(out, "openai/other: 3 of 3 sessions") {
		t.Errorf("memory stats tells\n%s", out)
	}
	out := withOtherModel(t, server, dir, "memory", "reindex")
	if !strings.Contains(out, "0 messages have new vectors") || !strings.Contains(out, "0 archived texts") {
		t.Errorf("memory reindex tells\n%s", out)
	}
}

// TestReindexTells: without a terminal memory reindex prints its progress in lines. It covers all
// users unless one is named.
func TestReindexTells(t *testing.T) {
	server, dir := runtimetest.NewMeaningServer(t), t.TempDir()
	d := runtimetest.OpenCompanion(t, server, dir)
	for i := range 12 {
		d.Say(fmt.Sprint("user", i), "one", "The zorbly is green.")
	}
	d.AwaitJobs()
	d.Close()
	if out := withOtherModel(t, server, dir, "memory", "reindex", "--user", "user3"); !strings.Contains(out, "2 messages have new vectors") {
		t.Errorf("of one user:\n%s", out)
	}
	out := withOtherModel(t, server, dir, "memory", "reindex")
	for _, want := range []string{"sessions: 2 of 12\n", "sessions: 6 of 12\n", "sessions: 12 of 12\n", "22 messages have new vectors"} {
		if !strings.Contains(out, want) {
			t.Errorf("of all, %q is missing:\n%s", want, out)
		}
	}
}

// withOtherModel runs a command with another embedding model than that of the service.
func withOtherModel(t *testing.T, server *runtimetest.MeaningServer, dir string, args ...string) string {
	t.Helper()
	global := []string{"--agent", runtimetest.CompanionFile(t), "--data", dir}
	for _, set := range []string{
		"memory.storage=sqlite", "memory.storage_path=" + filepath.Join(dir, "memory.db"), "telemetry.log=none",
		"models.embed.provider=openai", "models.embed.model=other", "models.embed.base_url=" + server.URL, "memory.compression.archive_conversations=true",
	} {
		global = append(global, "--set", set)
	}
	out, code := runCommand(t, append(global, args...)...)
	if code != exitOK {
		t.Fatalf("%v: exit code %d\n%s", args, code, out)
	}
	return out
}
