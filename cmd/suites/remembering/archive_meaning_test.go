package remembering

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
)

// TestArchiveComparesByServer: with an embedding server, archived conversations are found by their
// meaning, in a turn and by a plan's tool, for their own user alone. While the server is down they
// are found by their words. A restart does not request the vectors again.
func TestArchiveComparesByServer(t *testing.T) {
	server, dir := runtimetest.NewMeaningServer(t), t.TempDir()
	set := []string{"memory.compression.archive_conversations=true", "memory.rag.enabled=false"}
	d := runtimetest.OpenCompanion(t, server, dir, set...)
	d.SayAndArchive("ada", "one", "The zorbly is kept in the cellar.")
	d.SayAndArchive("bob", "one", "The zorbly is kept in the attic.")
	ask := func(user, text string) string { d.Say(user, "now", text); return server.Last() }
	if told := ask("ada", "Tell me of my quanderling!"); !strings.Contains(told, "cellar") || strings.Contains(told, "attic") {
		t.Errorf("ada was told %s", told)
	}
	if told := ask("ada", "Tell me of my marvock!"); strings.Contains(told, "cellar") {
		t.Errorf("something that nobody spoke of: %s", told)
	}
	find := func(text string) int {
		t.Helper()
		found, err := d.Archives().Search(t.Context(), archive.Query{Key: memory.Key{UserID: "ada", AgentID: "companion"}, Text: text, Exclude: "now"})
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	if n := find("quanderling"); n != 1 {
		t.Errorf("a search found %d, want one", n)
	}
	d.AwaitJobs()
	d.Close()
	server.Mu.Lock()
	before := len(server.Embedded)
	server.Mu.Unlock()
	d = runtimetest.OpenCompanion(t, server, dir, set...)
	if n := find("quanderling"); n != 1 {
		t.Errorf("after a restart a search found %d, want one", n)
	}
	server.Mu.Lock()
	for _, text := range server.Embedded[before:] {
		if strings.Contains(text, "cellar") {
			t.Errorf("embedded again: %q", text)
		}
	}
	server.Mu.Unlock()
	server.SetDown(true)
	if n, m := find("quanderling"), find("where is the zorbly"); n != 0 || m != 1 {
		t.Errorf("without the server: %d by meaning and %d by words, want 0 and 1", n, m)
	}
}

// TestRerankedContext: the reranking model orders the recalled messages and documents of a turn.
// While it is down, their order stays.
func TestRerankedContext(t *testing.T) {
	for _, down := range []bool{false, true} {
		server := runtimetest.NewMeaningServer(t)
		server.Judge = func(text string) string {
			if strings.Contains(text, "third") {
				return "9"
			}
			return "1"
		}
		d := runtimetest.OpenCompanion(t, server, t.TempDir(), "memory.knowledge_base.rerank_provider=chat", "memory.knowledge_base.rerank_model=judge", "memory.knowledge_base.relevance_threshold=0",
			"memory.rag.top_k=1", "memory.rag.min_similarity=0", "memory.compression.archive_conversations=true")
		for session, text := range map[string]string{"one": "The lamp, the lamp, the lamp of the first.", "two": "The lamp of the second.", "three": "The lamp and the bed and the chair of the third."} {
			d.SayAndArchive("ada", session, text)
		}
		d.AwaitJobs()
		server.Mu.Lock()
		server.Judged = nil
		server.Mu.Unlock()
		if down {
			server.Mu.Lock()
			server.Judge = func(string) string { return "nonsense" }
			server.Mu.Unlock()
		}
		d.Say("ada", "now", "lamp")
		told := server.Last()
		if !strings.Contains(told, "lamp") {
			t.Fatalf("told nothing: %s", told)
		}
		first, third := strings.Index(told, "lamp of the first"), strings.Index(told, "of the third")
		server.Mu.Lock()
		asked := len(server.Judged)
		server.Mu.Unlock()
		if asked == 0 || (third >= 0 && (first < 0 || third < first)) == down {
			t.Errorf("down: %t; judged %d times, the third at %d, the first at %d: %s", down, asked, third, first, told)
		}
	}
}
