package archive

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/memory"
)

// sharing opens the tier of an agent that shares, or does not.
func (w *fixture) sharing(on bool) *fixture {
	w.open(&Options{Shared: on, Pseudonyms: func(context.Context, memory.Key) (hide, restore func(string) string, err error) {
		return strings.NewReplacer("O-12345", "<order:1>").Replace, nil, nil
	}})
	return w
}

// ask is what an agent finds for a user, as agent/session.
func (w *fixture) ask(user, agent, text string) (places, texts []string) {
	w.Helper()
	for _, r := range w.search(Query{Key: memory.Key{UserID: user, AgentID: agent, SessionID: "now"}, Text: text, Threshold: new(float64(0)), Exclude: "now", Limit: 20}) {
		places = append(places, r.Key.UserID+"/"+r.Key.AgentID+"/"+r.Key.SessionID)
		texts = append(texts, r.Text)
	}
	slices.Sort(places)
	return places, texts
}

// Both agents must share; another user never finds anything; what one agent hides the other
// does not see.
func TestSharedBetweenAgents(t *testing.T) {
	w := newFixture(t, nil)
	w.sharing(true).talk("ada/shop/one", "I want a violin for O-12345.", "The violin is shipped.")
	w.archive("ada/shop/one")
	w.talk("ada/shop/now", "My violin has no strings.", "I see.") // as the session that asks is called
	w.archive("ada/shop/now")
	if _, err := w.tier.Add(w.ctx, "shop", Source{Name: "violins", Text: "All about the violin."}); err != nil {
		t.Fatal(err)
	}
	w.sharing(false).talk("ada/bank/own", "A loan for a violin.", "Granted.")
	w.archive("ada/bank/own")
	if _, err := w.tier.Add(w.ctx, "bank", Source{Name: "secret", Text: "Who gets money for a violin."}); err != nil {
		t.Fatal(err)
	}
	w.talk("bob/bank/his", "A violin for Bob.", "Fine.")
	w.archive("bob/bank/his")

	for name, test := range map[string]struct {
		shares      bool
		user, agent string
		want        []string
	}{
		"both share":            {true, "ada", "bank", []string{"$knowledge/bank/secret", "$knowledge/shop/violins", "ada/bank/own", "ada/shop/now", "ada/shop/one"}},
		"the asking does not":   {false, "ada", "bank", []string{"$knowledge/bank/secret", "ada/bank/own"}},
		"the told did not":      {true, "ada", "shop", []string{"$knowledge/shop/violins", "ada/shop/one"}},
		"another user":          {true, "bob", "shop", []string{"$knowledge/shop/violins"}},
		"another user, sharing": {true, "bob", "bank", []string{"$knowledge/bank/secret", "$knowledge/shop/violins", "bob/bank/his"}},
		"a third agent":         {true, "ada", "library", []string{"$knowledge/shop/violins", "ada/shop/now", "ada/shop/one"}},
	} {
		places, texts := w.sharing(test.shares).ask(test.user, test.agent, "violin")
		if diff := cmp.Diff(test.want, places); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if all := strings.Join(texts, "\n"); test.agent != "shop" && strings.Contains(all, "O-12345") || test.agent == "shop" && test.user == "ada" && !strings.Contains(all, "O-12345") {
			t.Errorf("%s: told\n%s", name, all)
		}
	}
	list, err := w.sharing(true).tier.List(w.ctx, Query{Key: keyOf("ada/bank/now"), Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range list {
		got = append(got, l.AgentID+"/"+l.SessionID)
		if strings.Contains(l.Title, "O-12345") {
			t.Errorf("listed %q", l.Title)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"/own", "/secret", "shop/now", "shop/one", "shop/violins"}, got); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
}

// A text that was added before sharing is shared once it is added again.
func TestAddedAgainToShare(t *testing.T) {
	w := newFixture(t, nil)
	add := func(on bool) Added {
		added, err := w.sharing(on).tier.Add(w.ctx, "shop", Source{Name: "violins", Text: "All about the violin."})
		if err != nil {
			t.Fatal(err)
		}
		return added
	}
	add(false)
	if places, _ := w.sharing(true).ask("ada", "bank", "violin"); len(places) != 0 {
		t.Errorf("found %v before it was shared", places)
	}
	if !add(true).Changed || add(true).Changed {
		t.Error("added again: want a change once")
	}
	if places, _ := w.ask("ada", "bank", "violin"); len(places) != 1 {
		t.Errorf("found %v once it was shared", places)
	}
	if add(false); true {
		if places, _ := w.sharing(true).ask("ada", "bank", "violin"); len(places) != 0 {
			t.Errorf("found %v after it was taken back", places)
		}
	}
}

// Whatever is shared, nobody finds what another user said.
func TestSharingStaysWithTheUser(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := newFixture(t, nil)
		key := func() memory.Key {
			return memory.Key{
				UserID: rapid.SampledFrom([]string{"ada", "bob", "ada/x"}).Draw(r, "user"), AgentID: rapid.SampledFrom([]string{"shop", "bank", "x"}).Draw(r, "agent"),
				SessionID: rapid.SampledFrom([]string{"s1", "s2"}).Draw(r, "session"),
			}
		}
		for range rapid.IntRange(1, 10).Draw(r, "steps") {
			k := key()
			w.sharing(rapid.Bool().Draw(r, "shares"))
			s, err := memory.NewConversations(w.store, 2).ForSession(w.ctx, k)
			if err != nil {
				r.Fatal(err)
			}
			s.Append(memory.Message{Role: memory.User, Text: "the violin", Timestamp: w.clock})
			if err := s.Commit(w.ctx, w.clock); err != nil {
				r.Fatal(err)
			}
			if _, err := w.tier.Archive(w.ctx, k); err != nil {
				r.Fatal(err)
			}
			asks := key()
			found, err := w.tier.Search(w.ctx, Query{Key: asks, Text: "violin", Threshold: new(float64(0)), Limit: 50, Exclude: asks.SessionID})
			if err != nil {
				r.Fatal(err)
			}
			for _, f := range found {
				if f.Key.UserID != asks.UserID || f.Key == asks || f.Key.AgentID != asks.AgentID && f.Shared == nil {
					r.Fatalf("%v found %v", asks, f.Key)
				}
			}
		}
	})
}
