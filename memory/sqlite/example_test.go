package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlite"
)

func ExampleOpen() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "slotway")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(ctx, filepath.Join(dir, "memory.db"), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()

	conversations := memory.NewConversations(store, 20)
	key := memory.Key{UserID: "ada", AgentID: "shop", SessionID: "s1"}
	now := time.Now()

	// One turn: load, change, commit once.
	s, err := conversations.ForTurn(ctx, key, "request-1", false)
	if err != nil {
		log.Fatal(err)
	}
	s.Append(memory.Message{Role: memory.User, Text: "where is my parcel?", Timestamp: now})
	s.Append(memory.Message{Role: memory.Agent, Text: "Which order is it?", Timestamp: now})
	s.SetWaiting("order_id")
	s.RecordTurn(memory.Turn{RequestID: "request-1", Intent: "order_status", Outcome: "waiting", Response: []byte(`{"reply":"Which order is it?"}`)})
	if err := s.Commit(ctx, now); err != nil {
		log.Fatal(err)
	}

	// The same request again gets the same answer and runs nothing.
	s, err = conversations.ForTurn(ctx, key, "request-1", false)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Replay().Outcome, string(s.Replay().Response))

	// Two turns on one version: the second has to load again.
	other, err := conversations.ForSession(ctx, key)
	if err != nil {
		log.Fatal(err)
	}
	s.Merge(map[string]any{"order_id": "O-12345"})
	other.SetWaiting("")
	fmt.Println(s.Commit(ctx, now), errors.Is(other.Commit(ctx, now), memory.ErrConflict))
	// Output:
	// waiting {"reply":"Which order is it?"}
	// <nil> true
}
