package recall

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/window"
)

func TestContribute(t *testing.T) {
	w := newFixture(t, &Options{CrossSession: CrossSession{Enabled: true, Triggers: []string{"Last time", "", "?"}}, K: 3, Neighbours: -1})
	w.say("u/a/old", "user: the kite is in the attic")
	for range 3 {
		w.say("u/a/s", "user: my kite broke", "agent: sorry")
	}
	ask := func(text string) []string {
		t.Helper()
		s, err := memory.NewConversations(w.store, 2).ForSession(w.ctx, keyOf("u/a/s"))
		if err != nil {
			t.Fatal(err)
		}
		c, err := memory.Assemble(w.ctx, []memory.Tier{window.New(window.Limits{}), w.tier}, s.Request(text, w.clock, 0))
		if err != nil || len(c.Failed) > 0 {
			t.Fatalf("assemble: %v, failed %v", err, c.Failed)
		}
		for _, r := range c.Recalled {
			for _, m := range c.Recent {
				if r.Key == keyOf("u/a/s") && r.Message.Seq == m.Seq {
					t.Errorf("message %d is recalled and recent", m.Seq)
				}
			}
		}
		return names(c.Recalled)
	}
	here := []string{"s:my kite broke", "s:sorry"} // each was said twice
	if diff := cmp.Diff(here, ask("what about the kite")); diff != "" {
		t.Errorf("the session alone (-want +got):\n%s", diff)
	}
	everywhere := append([]string{"old:the kite is in the attic"}, here...)
	if diff := cmp.Diff(everywhere, ask("and the kite LAST  time?")); diff != "" {
		t.Errorf("with a trigger (-want +got):\n%s", diff)
	}
	if got := ask("the blast timer"); len(got) != 0 {
		t.Errorf("recalled %v for nothing", got)
	}
	if got := ask(" "); len(got) != 0 {
		t.Errorf("recalled %v for no text", got)
	}

	// A turn that begins the session afresh has not committed that yet.
	var fresh memory.Context
	again := memory.Request{Key: keyOf("u/a/s"), Text: "what about the kite", Epoch: 1, Floor: 5, NextSeq: 7}
	if err := w.tier.Contribute(w.ctx, again, &fresh); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"s:my kite broke", "s:sorry"}, names(fresh.Recalled)); diff != "" {
		t.Errorf("from the fifth message on (-want +got):\n%s", diff)
	}

	wide := New(w.store, &Options{CrossSession: CrossSession{Enabled: true, Always: true}})
	var c memory.Context
	req := memory.Request{Key: keyOf("u/a/new"), Text: "where is the kite?", NextSeq: 1}
	if err := wide.Contribute(w.ctx, req, &c); err != nil || len(c.Recalled) == 0 {
		t.Errorf("a new session recalls %v, %v", c.Recalled, err)
	}
	c, req.Budget = memory.Context{}, 8
	if err := wide.Contribute(w.ctx, req, &c); err != nil || len(c.Recalled) != 0 {
		t.Errorf("with two tokens: %v, %v", c.Recalled, err)
	}
}

// TestContributeAsksNoServer: a turn waits for no embedder.
func TestContributeAsksNoServer(t *testing.T) {
	remote := &server{model: "remote"}
	w := newFixture(t, &Options{Embedders: []Embedder{remote}, CrossSession: CrossSession{Enabled: true, Always: true}})
	w.say("u/a/s", "user: the kite")
	if err := w.tier.Work(w.ctx, memory.Job{Key: keyOf("u/a/s"), Kind: Kind, Target: 1}); err != nil {
		t.Fatal(err)
	}
	asked := remote.asked
	var c memory.Context
	if err := w.tier.Contribute(w.ctx, memory.Request{Key: keyOf("u/a/t"), Text: "kite", NextSeq: 1}, &c); err != nil || len(c.Recalled) != 1 {
		t.Errorf("recalled %v, %v", c.Recalled, err)
	}
	if remote.asked != asked {
		t.Error("a turn asked the embedder")
	}
	if w.find(scoped("kite")); remote.asked == asked {
		t.Error("a search by hand did not ask the embedder")
	}
}

func TestBoundedMemory(t *testing.T) {
	w := newFixture(t, &Options{MaxScopes: 2})
	for i := range 5 {
		w.say(fmt.Sprintf("u%d/a/s", i), "user: kite")
		q := Query{Key: memory.Key{UserID: fmt.Sprintf("u%d", i), AgentID: "a"}, Text: "kite"}
		w.want("found", q, "s:kite")
	}
	if s := w.tier.Stats(); s.Scopes != 2 || s.Messages != 2 || s.Bytes <= 0 {
		t.Errorf("stats %+v, want two scopes", s)
	}
	w.tier.Drop("u4")
	if s := w.tier.Stats(); s.Scopes != 1 {
		t.Errorf("stats %+v, want one scope", s)
	}
	tight := New(w.store, &Options{MaxBytes: 1})
	for i := range 3 {
		if _, err := tight.Search(w.ctx, Query{Key: memory.Key{UserID: fmt.Sprintf("u%d", i), AgentID: "a"}, Text: "kite"}); err != nil {
			t.Fatal(err)
		}
	}
	if s := tight.Stats(); s.Scopes != 1 {
		t.Errorf("stats %+v, want one scope", s)
	}
}

// TestConcurrent searches while others talk, embed, clear and let go of indexes.
func TestConcurrent(t *testing.T) {
	w := newFixture(t, &Options{Embedders: []Embedder{clusters{}, &server{model: "remote"}}, MaxScopes: 2})
	w.say("u/a/s", "user: kitten")
	now := w.clock
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			path := fmt.Sprintf("u%d/a/s", n%3)
			for i := range 40 {
				s, err := memory.NewConversations(w.store, 4).ForSession(w.ctx, keyOf(path))
				if err != nil {
					t.Error(err)
					return
				}
				if i%10 == 9 {
					_, _ = s.Clear()
				}
				s.Append(memory.Message{Role: memory.User, Text: fmt.Sprintf("kitten %d", i), Timestamp: now})
				if err := s.Commit(w.ctx, now); errors.Is(err, memory.ErrConflict) {
					continue
				} else if err != nil {
					t.Error(err)
				}
				if i%20 == 0 {
					w.tier.Drop("")
				}
			}
		})
		wg.Go(func() {
			for i := range 40 {
				q := Query{Key: memory.Key{UserID: fmt.Sprintf("u%d", i%3), AgentID: "a"}, Text: "kitty", K: 5, Explain: true}
				found, err := w.tier.Search(w.ctx, q)
				if err != nil {
					t.Error(err)
				}
				for _, r := range found {
					if r.Key.UserID != q.Key.UserID {
						t.Errorf("%s found a message of %s", q.Key.UserID, r.Key.UserID)
					}
				}
				w.tier.Stats()
			}
		})
	}
	wg.Wait()
}
