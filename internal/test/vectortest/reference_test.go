package vectortest_test

import (
	"testing"

	"github.com/slotway/slotway/internal/test/vectortest"
	"github.com/slotway/slotway/memory/recall"
)

func TestReference(t *testing.T) {
	vectortest.Run(t, func(*testing.T) recall.VectorStore { return &vectortest.Reference{} }, &vectortest.Options{Cosine: 1e-9})
	rows := vectortest.RecallRows(1_000)
	var v vectortest.Reference
	if err := vectortest.Fill(t.Context(), &v, vectortest.RecallSet(), rows); err != nil {
		t.Fatal(err)
	}
	vectortest.Recall(t, &v, rows, 1)
}

func TestTier(t *testing.T) { vectortest.Tier(t, &vectortest.Reference{}) }
