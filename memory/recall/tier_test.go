package recall

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/scopes"
	"github.com/slotway/slotway/memory/sqlite"
	"github.com/slotway/slotway/memory/window"
)

// world is a store with a tier over it.
type world struct {
	testing.TB
	ctx   context.Context
	store memory.Store
	tier  *Tier
	clock time.Time
}

func newWorld(t testing.TB, opts *Options) *world {
	t.Helper()
	w := &world{TB: t, ctx: t.Context(), store: inmem.New(nil), clock: time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)}
	if opts == nil {
		opts = &Options{}
	}
	opts.Now = func() time.Time { return w.clock }
	w.tier = New(w.store, opts)
	return w
}

func keyOf(path string) memory.Key {
	p := strings.Split(path, "/")
	return memory.Key{UserID: p[0], AgentID: p[1], SessionID: p[2]}
}

// say commits lines as one turn, and returns what was committed.
func (w *world) say(path string, lines ...string) memory.Progress {
	w.Helper()
	w.clock = w.clock.Add(time.Second)
	s, err := memory.NewConversations(w.store, 8).ForSession(w.ctx, keyOf(path))
	if err != nil {
		w.Fatal(err)
	}
	for _, m := range said(lines...) {
		m.Timestamp = w.clock
		s.Append(m)
	}
	s.Enqueue(Kind, time.Time{})
	p := s.Progress()
	if err := s.Commit(w.ctx, w.clock); err != nil {
		w.Fatal(err)
	}
	return p
}

func (w *world) clear(path string) {
	w.Helper()
	s, err := memory.NewConversations(w.store, 8).ForSession(w.ctx, keyOf(path))
	if err != nil {
		w.Fatal(err)
	}
	if _, err := s.Clear(); err != nil {
		w.Fatal(err)
	}
	if err := s.Commit(w.ctx, w.clock); err != nil {
		w.Fatal(err)
	}
}

// find returns what a search finds as session:text, sorted.
func (w *world) find(q Query) []string {
	w.Helper()
	found, err := w.tier.Search(w.ctx, q)
	if err != nil {
		w.Fatal(err)
	}
	return names(found)
}

func names(found []memory.Recalled) []string {
	out := []string{}
	for _, r := range found {
		out = append(out, r.Key.SessionID+":"+r.Message.Text)
	}
	slices.Sort(out)
	return out
}

func scoped(text string) Query {
	return Query{Key: memory.Key{UserID: "u", AgentID: "a"}, Text: text, K: 10}
}

func (w *world) want(what string, q Query, want ...string) {
	w.Helper()
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, w.find(q)); diff != "" {
		w.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestSearch(t *testing.T) {
	w := newWorld(t, nil)
	w.say("u/a/s1", "user: The kite is red.", "agent: Noted.", "tool: kite")
	w.say("u/a/s2", "user: Where is my kite?")
	w.say("v/a/s1", "user: a kite of another user")
	w.say("u/b/s1", "user: a kite of another agent")

	w.want("the user's", scoped("kites"), "s1:Noted.", "s1:The kite is red.", "s1:kite", "s2:Where is my kite?")
	q := scoped("kites")
	q.Key.SessionID = "s2"
	w.want("a session's", q, "s2:Where is my kite?")
	q = scoped("kites")
	q.ExcludeSession = "s2"
	q.Roles = []memory.Role{memory.Agent}
	w.want("the agent's", q, "s1:Noted.")
	w.want("nothing", scoped("zebra"))
	w.want("no words", scoped("?"))
	if _, err := w.tier.Search(w.ctx, Query{Text: "kite"}); !errors.Is(err, memory.ErrBadKey) {
		t.Errorf("a search without a user gives %v, want ErrBadKey", err)
	}

	w.say("u/a/s2", "user: The kite was in the garage.")
	w.say("u/a/s3", "user: kite tomorrow")
	w.want("what is new", scoped("garage tomorrow"), "s2:The kite was in the garage.", "s2:Where is my kite?", "s3:kite tomorrow")
}

func TestNeighboursAndBudget(t *testing.T) {
	w := newWorld(t, nil)
	w.say("u/a/s", "user: one", "agent: two", "user: the kite", "agent: four", "user: five")
	q := scoped("kite")
	q.K, q.Neighbours = 1, 1
	found, err := w.tier.Search(w.ctx, q)
	if err != nil || len(found) != 1 {
		t.Fatalf("found %v, %v", found, err)
	}
	r := found[0]
	if r.Message.Text != "the kite" || len(r.Before) != 1 || r.Before[0].Text != "two" || len(r.After) != 1 || r.After[0].Text != "four" {
		t.Errorf("found %+v", r)
	}
	q.MaxTokens = window.Tokens(&r.Message) + window.Tokens(&r.Before[0])
	found, err = w.tier.Search(w.ctx, q)
	if err != nil || len(found) != 1 || len(found[0].Before) != 1 || len(found[0].After) != 0 {
		t.Errorf("within %d tokens: %+v, %v", q.MaxTokens, found, err)
	}
	if found, err = w.tier.RelevantContext(w.ctx, scoped("kite"), 2); err != nil || len(found) != 0 {
		t.Errorf("within 2 tokens: %v, %v", found, err)
	}
	found, err = w.tier.RelevantContext(w.ctx, scoped("kite"), 100)
	if err != nil || len(found) == 0 {
		t.Errorf("within 100 tokens: %v, %v", found, err)
	}
}

func TestTags(t *testing.T) {
	w := newWorld(t, nil)
	w.say("u/a/s", "Anna: kite one", "Ben: kite two", "user: kite three")
	q := scoped("kite")
	q.Tags = map[string]string{SpeakerKey: "Ben"}
	w.want("tagged", q, "s:kite two")
}

func TestMinSimilarity(t *testing.T) {
	w := newWorld(t, nil)
	w.say("u/a/s", "user: a red kite", "user: a red tree", "agent: nothing")
	limit := 0.0
	q := scoped("red kite")
	q.MinSimilarity = &limit
	w.want("zero is a limit that all pass", q, "s:a red kite", "s:a red tree", "s:nothing")
	limit = .2
	w.want("some words", q, "s:a red kite", "s:a red tree")
	limit = .9
	w.want("all words", q, "s:a red kite")
	limit = 1.5
	w.want("impossible", q)
}

func TestGone(t *testing.T) {
	w := newWorld(t, &Options{Embedders: []Embedder{clusters{}}})
	w.say("u/a/s1", "user: kite one", "user: kite two")
	w.say("u/a/s2", "user: kite three")
	w.want("before", scoped("kite"), "s1:kite one", "s1:kite two", "s2:kite three")

	w.clear("u/a/s1")
	w.want("cleared", scoped("kite"), "s2:kite three")
	w.say("u/a/s1", "user: kite four")
	w.want("said after it was cleared", scoped("kite"), "s1:kite four", "s2:kite three")

	if err := w.store.Delete(w.ctx, keyOf("u/a/s2")); err != nil {
		t.Fatal(err)
	}
	w.want("deleted", scoped("kite"), "s1:kite four")
	w.say("u/a/s2", "user: kite five")
	w.want("a new session of the same name", scoped("kite"), "s1:kite four", "s2:kite five")
}

// TestLeftTheWindow: what a summary tells of is still recalled verbatim, what was undone or
// cleared is not.
func TestLeftTheWindow(t *testing.T) {
	w := newWorld(t, &Options{Embedders: []Embedder{clusters{}}})
	key := keyOf("u/a/s1")
	raise := func(floor int64) {
		t.Helper()
		snap, err := w.store.Load(w.ctx, key, memory.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.store.Commit(w.ctx, &memory.Delta{Key: key, Base: snap.State.Version, State: snap.State, Floor: floor, At: w.clock}); err != nil {
			t.Fatal(err)
		}
	}
	w.say("u/a/s1", "user: kite one", "user: kite two")
	w.say("u/a/s1", "user: kite three")
	raise(3)
	w.want("out of the window", scoped("kite"), "s1:kite one", "s1:kite three", "s1:kite two")
	near := scoped("kite three")
	near.K, near.Neighbours = 1, 1
	found, err := w.tier.Search(w.ctx, near)
	if err != nil || len(found) != 1 || len(found[0].Before) != 1 || found[0].Before[0].Text != "kite two" {
		t.Errorf("with what was before: %+v, %v", found, err)
	}
	w.clear("u/a/s1")
	w.want("cleared", scoped("kite"))
	w.say("u/a/s1", "user: kite four")
	w.say("u/a/s1", "user: kite five")
	raise(5)
	w.want("out of the window of the new epoch", scoped("kite"), "s1:kite five", "s1:kite four")
	w.tier.Drop("")
	w.want("indexed anew, without turns that say where the epoch began", scoped("kite"), "s1:kite five")
}

// TestGoneMeanwhile deletes between the index and the store.
func TestGoneMeanwhile(t *testing.T) {
	w := newWorld(t, nil)
	w.say("u/a/s1", "user: kite one")
	w.want("before", scoped("kite"), "s1:kite one")
	q := scoped("kite")
	if err := q.validate(); err != nil {
		t.Fatal(err)
	}
	sc := w.tier.scope(scopes.Key{User: "u", Agent: "a"})
	a := ask{text: q.Text, k: 5}
	found := sc.find(&q, &a)
	if len(found) != 1 {
		t.Fatalf("found %v", found)
	}
	if err := w.store.Delete(w.ctx, keyOf("u/a/s1")); err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"deleted", "replaced"} {
		if got, err := w.tier.fetch(w.ctx, &q, found); err != nil || len(got) != 0 {
			t.Errorf("%s: read %v, %v", what, got, err)
		}
		w.say("u/a/s1", "user: something else")
	}
}

func TestCommitted(t *testing.T) {
	w := newWorld(t, nil)
	w.tier.Committed(w.say("u/a/s", "user: kite one"))
	w.want("before", scoped("kite"), "s:kite one")
	p := w.say("u/a/s", "user: kite two")
	w.tier.Committed(p)
	w.tier.Committed(p)
	places, err := w.tier.Places(w.ctx, scoped("kite"))
	if err != nil || len(places) != 2 || places[0].SessionID != "s" {
		t.Errorf("places %v, %v", places, err)
	}
	w.want("after", scoped("kite"), "s:kite one", "s:kite two")
}

func TestSimilar(t *testing.T) {
	w := newWorld(t, &Options{Embedders: []Embedder{clusters{}}})
	w.say("u/a/s", "user: kitten", "user: tree")
	q := scoped("kitty")
	limit := .3
	q.MinSimilarity = &limit
	found, err := w.tier.Similar(w.ctx, q)
	if err != nil || !slices.Equal(names(found), []string{"s:kitten"}) || found[0].Score <= .3 || found[0].Score > 1 {
		t.Errorf("found %v, %v", found, err)
	}
	if _, err := w.tier.Similar(w.ctx, scoped("?")); !errors.Is(err, ErrNoMeaning) {
		t.Errorf("a question without a meaning gives %v", err)
	}
	if _, err := New(w.store, nil).Similar(w.ctx, q); !errors.Is(err, ErrNoMeaning) {
		t.Errorf("without an embedder: %v", err)
	}
}

func TestContribute(t *testing.T) {
	w := newWorld(t, &Options{Triggers: []string{"Last time", "", "?"}, K: 3, Neighbours: -1})
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

	wide := New(w.store, &Options{CrossSession: true})
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
	w := newWorld(t, &Options{Embedders: []Embedder{remote}, CrossSession: true})
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
	w := newWorld(t, &Options{MaxScopes: 2})
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

// TestOverSQLite walks through what is found and what is gone over the durable store.
func TestOverSQLite(t *testing.T) {
	w := newWorld(t, &Options{Embedders: []Embedder{&server{model: "remote"}}})
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	w.store, w.tier = store, New(store, &w.tier.opts)
	w.talk("u/a/s1", 70)
	w.say("u/a/s2", "user: kite three")
	w.say("v/a/s1", "user: kite of another")
	w.drain()
	q := scoped("kite three")
	q.K = 1
	w.want("before", q, "s2:kite three")
	if found, err := w.tier.Similar(w.ctx, scoped("kitty")); err != nil || len(found) != 10 || w.rows("u/a/s1", "remote") != 70 {
		t.Errorf("found %d, %v; %d rows", len(found), err, w.rows("u/a/s1", "remote"))
	}
	w.clear("u/a/s1")
	if err := store.Delete(w.ctx, keyOf("u/a/s2")); err != nil {
		t.Fatal(err)
	}
	w.want("gone", scoped("kite kitten"))
	w.say("u/a/s2", "user: kite four")
	w.want("again", scoped("kite kitten"), "s2:kite four")
}

// TestConcurrent searches while others talk, embed, clear and let go of indexes.
func TestConcurrent(t *testing.T) {
	w := newWorld(t, &Options{Embedders: []Embedder{clusters{}, &server{model: "remote"}}, MaxScopes: 2})
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
				p := s.Progress()
				if err := s.Commit(w.ctx, now); errors.Is(err, memory.ErrConflict) {
					continue
				} else if err != nil {
					t.Error(err)
				}
				w.tier.Committed(p)
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
