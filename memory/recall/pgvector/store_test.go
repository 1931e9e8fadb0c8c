package pgvector

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/slotway/slotway/internal/test/postgrestest"
	"github.com/slotway/slotway/internal/test/vectortest"
	"github.com/slotway/slotway/memory/recall"
)

const dsnVariable = "SLOTWAY_TEST_PGVECTOR_DSN"

// dsn is the test server's.
func dsn(t testing.TB) string {
	t.Helper()
	return postgrestest.Server(t, dsnVariable)
}

// open gives an empty store whose tables are dropped in the end.
func open(t testing.TB) *Store {
	t.Helper()
	s, err := Open(t.Context(), dsn(t), fmt.Sprintf("test_%d_%d", os.Getpid(), rand.Uint32()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx := context.Background()
		if _, err := s.pool.Exec(ctx, "DROP TABLE IF EXISTS "+s.messages+", "+s.documents); err != nil {
			t.Error(err)
		}
		s.Close()
		s.Close()
	})
	return s
}

func TestStore(t *testing.T) {
	vectortest.Run(t, func(t *testing.T) recall.VectorStore { return open(t) }, nil)
}

func TestTier(t *testing.T) { vectortest.Tier(t, open(t)) }

func TestDocuments(t *testing.T) { vectortest.Documents(t, open(t)) }
