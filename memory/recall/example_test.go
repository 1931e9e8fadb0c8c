package recall_test

import (
	"context"
	"fmt"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/recall"
)

// A second session finds what was said in the first.
func Example() {
	ctx, store := context.Background(), inmem.New(nil)
	first := memory.Key{UserID: "rosa", AgentID: "helper", SessionID: "monday"}
	session, err := memory.NewConversations(store, 8).ForSession(ctx, first)
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Date(2025, 3, 3, 9, 0, 0, 0, time.UTC)
	session.Append(memory.Message{Role: memory.User, Text: "For authentication we take passkeys.", Timestamp: now})
	session.Append(memory.Message{Role: memory.Agent, Text: "Noted.", Timestamp: now})
	if err := session.Commit(ctx, now); err != nil {
		fmt.Println(err)
		return
	}

	tier := recall.New(store, &recall.Options{CrossSession: recall.CrossSession{Enabled: true, Always: true}})
	request := memory.Request{
		Key: memory.Key{UserID: "rosa", AgentID: "helper", SessionID: "tuesday"}, NextSeq: 1,
		Text: "What did we discuss about authentication?",
	}
	known, err := memory.Assemble(ctx, []memory.Tier{tier}, request)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range known.Recalled {
		fmt.Println(r.Key.SessionID, r.Message.Text)
	}
	// Output: monday For authentication we take passkeys.
}
