package chromadb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"testing"

	"github.com/slotway/slotway/internal/test/vectortest"
	"github.com/slotway/slotway/memory/recall"
)

const addressVariable = "SLOTWAY_TEST_CHROMA_URL"

// open gives an empty store whose collections are dropped in the end. ChromaDB takes long to
// install and to answer, so its tests are run where its address is given, and never required.
func open(t testing.TB) *Store {
	t.Helper()
	address := os.Getenv(addressVariable)
	if address == "" {
		t.Skip(addressVariable + " is not set: run scripts/services.sh start chromadb")
	}
	s, err := Open(address, fmt.Sprintf("test_%d_%d", os.Getpid(), rand.Uint32()), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx := context.Background()
		all, err := s.kinds(ctx)
		if err != nil {
			t.Error(err)
		}
		for _, k := range all {
			if err := ignoreMissing(s.client.call(ctx, http.MethodDelete, "/"+url.PathEscape(s.nameOf(k)), nil, nil)); err != nil {
				t.Error(err)
			}
		}
		s.Close()
		s.Close()
	})
	return s
}

func TestStore(t *testing.T) {
	vectortest.Run(t, func(t *testing.T) recall.VectorStore { return open(t) }, nil)
}

// TestRecall measures its index.
func TestRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds an index of 5,000 rows")
	}
	rows, s := vectortest.RecallRows(5_000), open(t)
	if err := vectortest.Fill(t.Context(), s, vectortest.RecallSet(), rows); err != nil {
		t.Fatal(err)
	}
	vectortest.Recall(t, s, rows, .95)
}

func TestTier(t *testing.T) { vectortest.Tier(t, open(t)) }

func TestDocuments(t *testing.T) { vectortest.Documents(t, open(t)) }
