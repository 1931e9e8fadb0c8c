package vectortest_test

import (
	"context"
	"fmt"
	"time"

	"github.com/slotway/slotway/internal/test/vectortest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/embed"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/recall"
)

// A tier whose vectors are kept elsewhere: pgvector.Open or chromadb.Open stand where the
// reference does.
func Example() {
	ctx, vectors := context.Background(), &vectortest.Reference{}
	static, err := embed.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	store := recall.CascadeDeletes(inmem.New(nil), vectors) // deletions reach the vectors
	tier := recall.New(store, &recall.Options{Embedders: []recall.Embedder{static}, Vectors: vectors})

	key := memory.Key{UserID: "rosa", AgentID: "helper", SessionID: "monday"}
	session, err := memory.NewConversations(store, 8).ForSession(ctx, key)
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Date(2025, 3, 3, 9, 0, 0, 0, time.UTC)
	session.Append(memory.Message{Role: memory.User, Text: "My puppy chews on every shoe.", Timestamp: now})
	if err := session.Commit(ctx, now); err != nil {
		fmt.Println(err)
		return
	}
	if err := tier.Work(ctx, memory.Job{Key: key, Target: 1}); err != nil { // as the runner of jobs does
		fmt.Println(err)
		return
	}
	found, err := tier.Similar(ctx, recall.Query{Key: key, Text: "What does the dog do?", K: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found[0].Message.Text)
	// Output: My puppy chews on every shoe.
}
