package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// Phases of a run. Each answer counts for the phase in which it came.
const (
	whole int32 = iota // the standby follows
	ahead              // the primary has turns that will be lost
	alone              // the standby is dead, and the primary should wait for it
	after              // the failover is over
)

// answer is an acknowledged turn.
type answer struct {
	session, id, reply string
	turn               int64
	phase              int32
}

const (
	// findOut is the time in which replicas must detect a dead standby, on a busy machine.
	findOut = 5 * time.Second
	// longWait is longer than an immediate refusal takes.
	longWait = 2 * time.Second
)

// linesOf is the number of messages in a conversation.
const linesOf = 8

// converse holds conversations, one after the other, until the load ends.
func (f *field) converse(ctx context.Context, client int) {
	rng, next := rand.New(rand.NewPCG(1, uint64(client))), client
	for n := 0; ; n++ {
		session := fmt.Sprintf("s%d-%d", client, n)
		for line := range linesOf {
			text := "when are you open"
			if line%2 == 0 {
				text = fmt.Sprintf("jot note N-%d down", f.notes.Add(1))
			}
			for {
				if f.over.Load() || ctx.Err() != nil {
					return
				}
				next++
				if f.post(ctx, f.replicas[next%len(f.replicas)], session, fmt.Sprintf("%s-m%d", session, line), text) {
					break
				}
				if harness.Pause(ctx, time.Duration(10+rng.IntN(90))*time.Millisecond) != nil {
					return
				}
			}
		}
	}
}

// post sends a message once and reports whether it was acknowledged.
func (f *field) post(ctx context.Context, r *replica, session, id, text string) bool {
	asked, known := time.Now(), f.known.Load()
	res, err := r.client.Try(ctx, http.MethodPost, "/chat", harness.Message{Text: text, Session: session, ID: id}, nil)
	if known != nil && asked.After(*known) && time.Since(asked) > longWait {
		f.statuses.waited.Add(1)
	}
	if err != nil {
		return false
	}
	defer res.Body.Close()
	var told struct {
		Reply string `json:"reply"`
		Turn  int64  `json:"turn"`
	}
	answered, err := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusOK || err != nil || json.Unmarshal(answered, &told) != nil {
		f.statuses.note(res.StatusCode)
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	a := answer{session, id, told.Reply, told.Turn, f.phase.Load()}
	if f.answers = append(f.answers, a); a.phase == after && f.first.IsZero() {
		f.first = time.Now()
	}
	return true
}
