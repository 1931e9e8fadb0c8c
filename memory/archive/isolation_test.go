package archive

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/memory"
)

// Whatever two users say, each finds only their own.
func TestIsolation(t *testing.T) {
	words := []string{"lamp", "kettle", "refund", "order", "bridge", "violin", "garden"}
	rapid.Check(t, func(r *rapid.T) {
		w := newFixture(t, &Options{MaxScopes: rapid.IntRange(1, 4).Draw(r, "scopes")})
		users := []string{"ada", "bob", "ada/x", "Owner"}
		key := func() memory.Key {
			return memory.Key{
				UserID: rapid.SampledFrom(users).Draw(r, "user"), AgentID: rapid.SampledFrom([]string{"shop", "bank"}).Draw(r, "agent"),
				SessionID: rapid.SampledFrom([]string{"s1", "s2"}).Draw(r, "session"),
			}
		}
		for range rapid.IntRange(1, 12).Draw(r, "steps") {
			k := key()
			s, err := memory.NewConversations(w.store, 2).ForSession(w.ctx, k)
			if err != nil {
				r.Fatal(err)
			}
			text := rapid.SampledFrom(words).Draw(r, "word") + " " + rapid.SampledFrom(words).Draw(r, "word")
			s.Append(memory.Message{Role: memory.User, Text: text, Timestamp: w.clock})
			if err := s.Commit(w.ctx, w.clock); err != nil {
				r.Fatal(err)
			}
			if _, err := w.tier.Archive(w.ctx, k); err != nil {
				r.Fatal(err)
			}
			asks := key()
			for _, typ := range []Type{All, Conversations, Documents} {
				found, err := w.tier.Search(w.ctx, Query{Key: asks, Type: typ, Text: strings.Join(words, " "), Threshold: new(float64(0)), Limit: 50, Exclude: asks.SessionID})
				if err != nil {
					r.Fatal(err)
				}
				for _, f := range found {
					if f.Key.UserID != asks.UserID || f.Key.AgentID != asks.AgentID || f.Key.SessionID == asks.SessionID || typ == Documents {
						r.Fatalf("%v found %v", asks, f.Key)
					}
				}
			}
		}
	})
}

func TestReservedUserFindsNothing(t *testing.T) {
	w := newFixture(t, nil)
	if _, err := w.tier.Search(w.ctx, Query{Key: memory.Key{UserID: Owner, AgentID: "shop"}, Text: "x"}); err == nil {
		t.Error("a search for the reserved user is possible")
	}
	if _, err := w.tier.Archive(w.ctx, memory.Key{UserID: Owner, AgentID: "shop", SessionID: "x"}); err == nil {
		t.Error("a document can be archived as a conversation")
	}
	if !memory.Reserved(Owner) || memory.Reserved("ada") {
		t.Error("Reserved is wrong")
	}
}
