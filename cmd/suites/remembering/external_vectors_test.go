package remembering

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
)

// kept is an archived text in an external vector store.
type kept struct {
	Content  string
	Metadata map[string]any
}

// externalStores read the texts of a collection.
var externalStores = map[string]struct {
	variable string
	set      func(address string) []string
	read     func(t *testing.T, address, collection string) []kept
}{
	"pgvector": {"SLOTWAY_TEST_PGVECTOR_DSN", func(dsn string) []string { return []string{"memory.dsn=" + dsn} }, readTable},
	"chromadb": {"SLOTWAY_TEST_CHROMA_URL", func(url string) []string { return []string{"memory.vector_store.url=" + url} }, readCollection},
}

func readTable(t *testing.T, dsn, collection string) []kept {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), "SELECT content, metadata || jsonb_build_object('namespace', namespace, 'doc_type', doc_type, 'start', metadata #> '{date_range,start}') FROM "+collection)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (k kept, err error) { return k, row.Scan(&k.Content, &k.Metadata) })
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func readCollection(t *testing.T, address, collection string) []kept {
	t.Helper()
	call := func(method, path string, in, out any) {
		t.Helper()
		body, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		req, err := http.NewRequestWithContext(t.Context(), method, address+"/api/v2/tenants/default_tenant/databases/default_database/collections/"+path, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if err := json.NewDecoder(res.Body).Decode(out); err != nil || res.StatusCode >= 300 {
			t.Fatalf("%s %s: %d, %v", method, path, res.StatusCode, err)
		}
	}
	var c struct{ ID string }
	call(http.MethodGet, collection, nil, &c)
	var got struct {
		Documents []string
		Metadatas []map[string]any
	}
	call(http.MethodPost, c.ID+"/get", map[string]any{"include": []string{"documents", "metadatas"}}, &got)
	var all []kept
	for i := range got.Documents {
		got.Metadatas[i]["start"] = got.Metadatas[i]["date_range_start"]
		all = append(all, kept{got.Documents[i], got.Metadatas[i]})
	}
	return all
}

// TestArchiveOutside: with an external vector store, archived conversations and added documents are
// kept there too, in the configured collection and with their metadata. They are found by meaning,
// by their own user alone, and are deleted with their session.
func TestArchiveOutside(t *testing.T) {
	for backend, place := range externalStores {
		t.Run(backend, func(t *testing.T) {
			address := os.Getenv(place.variable)
			if address == "" {
				t.Skip(place.variable + " is not set: run scripts/services.sh start " + backend)
			}
			server, collection := runtimetest.NewMeaningServer(t), fmt.Sprintf("archive_%d_%d", os.Getpid(), rand.Uint32())
			set := append(place.set(address), "memory.vector_store.backend="+backend, "memory.vector_store.collection_name="+collection,
				"memory.compression.archive_conversations=true", "memory.rag.enabled=false")
			d := runtimetest.OpenCompanion(t, server, t.TempDir(), set...)
			d.SayAndArchive("ada", "one", "The zorbly is kept in the cellar.")
			d.SayAndArchive("bob", "one", "The zorbly is kept in the attic.")
			if _, err := d.Archives().Add(t.Context(), "companion", archive.Source{Name: "manual.md", Text: "# Manual\n\nA flumpish is wiped with a cloth."}); err != nil {
				t.Fatal(err)
			}
			d.AwaitJobs()
			found := map[string]bool{}
			for _, k := range place.read(t, address, collection) {
				m := k.Metadata
				found[fmt.Sprint(m["namespace"], " ", m["doc_type"], " ", m["session_id"], " ", m["agent_id"], " ", m["message_count"])] = true
				if fmt.Sprint(m["start"]) == "" || m["namespace"] == "conversations:ada" && (!strings.Contains(k.Content, "## Summary") || !strings.Contains(k.Content, "cellar") || m["conversation_topics"] == nil) {
					t.Errorf("kept: %+v", k)
				}
			}
			for _, want := range []string{"conversations:ada conversation one companion 2", "conversations:bob conversation one companion 2", "documents:companion document manual.md companion 1"} {
				if !found[want] || len(found) != 3 {
					t.Errorf("kept are %v, want %s among three", found, want)
				}
			}
			search := func(user, text string) (out []string) {
				t.Helper()
				results, err := d.Archives().Search(t.Context(), archive.Query{Key: memory.Key{UserID: user, AgentID: "companion"}, Text: text})
				if err != nil {
					t.Fatal(err)
				}
				for i := range results {
					out = append(out, results[i].Text)
				}
				return out
			}
			for user, want := range map[string]string{"ada": "cellar", "bob": "attic"} {
				if got := search(user, "quanderling"); len(got) != 1 || !strings.Contains(got[0], want) {
					t.Errorf("%s finds %q", user, got)
				}
			}
			if got := search("ada", "wexited"); len(got) != 1 || !strings.Contains(got[0], "cloth") {
				t.Errorf("of the manual ada finds %q", got)
			}
			d.Say("ada", "now", "Tell me of my quanderling!")
			if !strings.Contains(server.Last(), "cellar") {
				t.Errorf("a turn is told %s", server.Last())
			}
			for _, key := range []memory.Key{{UserID: "ada", AgentID: "companion", SessionID: "one"}, {UserID: archive.Owner, AgentID: "companion", SessionID: "manual.md"}} {
				if err := d.Store().Delete(t.Context(), key); err != nil {
					t.Fatal(err)
				}
			}
			if left := place.read(t, address, collection); len(left) != 1 || left[0].Metadata["namespace"] != "conversations:bob" {
				t.Errorf("after deleting there are left %+v", left)
			}
		})
	}
}
