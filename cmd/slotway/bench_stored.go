package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/memory"
)

// storedWriters is how many sessions are written at a time: the store commits them together.
const storedWriters = 128

// storeOthers fills the store with sessions of other users, of one finished order lookup each, that
// nobody talks to during the measurement.
func (b *benchFlags) storeOthers(ctx context.Context, cmd *cobra.Command, a *slotway.Runtime) error {
	bar := countBar(cmd, "stored", b.stored)
	defer bar.finish()
	now := memory.Moment(time.Now())
	var next atomic.Int64
	var all sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for range storedWriters {
		all.Go(func() {
			for i := next.Add(1); i <= int64(b.stored) && ctx.Err() == nil; i = next.Add(1) {
				err := a.Store().Commit(ctx, b.storedSession(a, i, now))
				mu.Lock()
				if bar.add(1); err != nil && failed == nil {
					failed = fmt.Errorf("store a session: %w", err)
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	all.Wait()
	if failed == nil {
		failed = ctx.Err()
	}
	return failed
}

// storedSession is the whole of a session in one commit.
func (b *benchFlags) storedSession(a *slotway.Runtime, i int64, now time.Time) *memory.Delta {
	key := memory.Key{UserID: fmt.Sprintf("%s-%d", benchUser, i%1000), AgentID: a.Agent().ID, SessionID: fmt.Sprintf("stored-%d", i)}
	reply := "Order " + benchOrder + ", wool blanket, is pending. Expected arrival: Friday."
	d := &memory.Delta{
		Key: key, At: now,
		State: memory.State{Params: map[string]any{"order_id": benchOrder}, LastIntentID: "order_status"},
		Turn: &memory.Turn{
			RequestID: fmt.Sprintf("request-%016x", uint64(i)*0x9e3779b97f4a7c15), Number: 1, Intent: "order_status", Outcome: "responded",
			Response: []byte(`{"session_id":"` + key.SessionID + `","turn":1,"intent":"order_status","reply":"` + reply + `","params":{"order_id":"` + benchOrder + `"}}`), At: now,
		},
	}
	for n, text := range []string{benchQuestion, "What's your order number?", benchAnswer, reply} {
		role := memory.User
		if n%2 == 1 {
			role = memory.Agent
		}
		d.Messages = append(d.Messages, memory.Message{Seq: int64(n + 1), Turn: 1, Role: role, Text: text, Timestamp: now})
	}
	return d
}
