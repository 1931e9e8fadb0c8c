package vectortest_test

import (
	"testing"

	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/recall/vectortest"
)

func TestReference(t *testing.T) {
	vectortest.Run(t, func(*testing.T) recall.Vectors { return &vectortest.Reference{} }, &vectortest.Options{Cosine: 1e-9, Rows: 1_000, Recall: 1})
}
