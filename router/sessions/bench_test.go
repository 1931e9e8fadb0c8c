package sessions

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router/telemetry"
)

// BenchmarkLongSession masks a page of a hundred messages of a session of two thousand
// turns, in each of which the redacted param had another value.
func BenchmarkLongSession(b *testing.B) {
	b.Run("whole", func(b *testing.B) { benchmarkMask(b, false) })
	b.Run("kept", func(b *testing.B) { benchmarkMask(b, true) })
}

func benchmarkMask(b *testing.B, keep bool) {
	def, err := config.Parse("a.yaml", []byte(agentYAML), "")
	if err != nil {
		b.Fatal(err)
	}
	r, store := telemetry.NewRedactor(def), inmem.New(nil)
	conversations := memory.NewConversations(store, 0)
	for i := range 2000 {
		s, err := conversations.ForSession(b.Context(), key)
		if err != nil {
			b.Fatal(err)
		}
		s.Append(memory.Message{Role: memory.User, Text: fmt.Sprintf("it is value-%d, as I said", i), Timestamp: noon})
		s.Append(memory.Message{Role: memory.Agent, Text: "Thank you. Which city do you want to go to?", Timestamp: noon})
		s.SetState(memory.State{Params: map[string]any{"name": fmt.Sprintf("value-%d", i)}})
		s.RecordTurn(memory.Turn{RequestID: fmt.Sprint(i), Outcome: "waiting", Response: json.RawMessage(`{}`)})
		if err := s.Commit(b.Context(), noon); err != nil {
			b.Fatal(err)
		}
	}
	kept := NewMaskCache(store, nil)
	for b.Loop() {
		masks := NewMasks(store, r)
		if keep {
			masks = kept.Masks(r)
		}
		mask, err := masks.Of(b.Context(), key)
		if err != nil {
			b.Fatal(err)
		}
		page, err := store.Messages(b.Context(), key, memory.Page{Limit: 100, Last: true})
		if err != nil {
			b.Fatal(err)
		}
		mask.Messages(page)
	}
}
