package recall

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/scopes"
	"github.com/slotway/slotway/memory/window"
)

// fixture is a store with a tier over it.
type fixture struct {
	testing.TB
	ctx   context.Context
	store memory.Backend
	tier  *Tier
	clock time.Time
}

func newFixture(t testing.TB, opts *Options) *fixture {
	t.Helper()
	w := &fixture{TB: t, ctx: t.Context(), store: inmem.New(nil), clock: time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)}
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
func (w *fixture) say(path string, lines ...string) memory.Progress {
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

func (w *fixture) clear(path string) {
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
func (w *fixture) find(q Query) []string {
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

func (w *fixture) want(what string, q Query, want ...string) {
	w.Helper()
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, w.find(q)); diff != "" {
		w.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestSearch(t *testing.T) {
	w := newFixture(t, nil)
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
	w := newFixture(t, nil)
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
}

// TestFiltersLimitNeighbours: the messages beside a hit pass the filters, too.
func TestFiltersLimitNeighbours(t *testing.T) {
	w := newFixture(t, nil)
	s, err := memory.NewConversations(w.store, 8).ForSession(w.ctx, keyOf("u/a/s"))
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range []memory.Message{
		{Role: memory.Agent, Text: "before", Importance: 2},
		{Role: memory.User, Text: "the kite", Importance: 2, Metadata: memory.Tagged([]string{"home"})},
		{Role: memory.User, Text: "after", Metadata: memory.Tagged([]string{"home"})},
	} {
		m.Timestamp = w.clock.Add(time.Duration(i) * time.Minute)
		s.Append(m)
	}
	if err := s.Commit(w.ctx, w.clock); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		only          memory.Filter
		before, after int
	}{
		"none":      {memory.Filter{}, 1, 1},
		"user":      {memory.Filter{Roles: []memory.Role{memory.User}}, 0, 1},
		"tag":       {memory.Filter{Tags: []string{"home"}}, 0, 1},
		"important": {memory.Filter{MinImportance: 1}, 1, 0},
		"since":     {memory.Filter{Since: w.clock.Add(time.Minute)}, 0, 1},
		"until":     {memory.Filter{Until: w.clock.Add(2 * time.Minute)}, 1, 0},
	} {
		q := scoped("kite").Only(test.only)
		q.K, q.Neighbours = 1, 1
		found, err := w.tier.Search(w.ctx, q)
		if err != nil || len(found) != 1 || found[0].Message.Text != "the kite" || len(found[0].Before) != test.before || len(found[0].After) != test.after {
			t.Errorf("%s: found %+v, %v, want %d before and %d after", name, found, err, test.before, test.after)
		}
	}
}

// Tags and importance limit a search in the index, as does what turns recall.
func TestTagsAndImportance(t *testing.T) {
	w := newFixture(t, nil)
	s, err := memory.NewConversations(w.store, 8).ForSession(w.ctx, keyOf("u/a/s"))
	if err != nil {
		t.Fatal(err)
	}
	for i, tags := range [][]string{nil, {"home"}, {"home", "work"}, {"work"}} {
		s.Append(memory.Message{Role: memory.User, Text: fmt.Sprint("kite ", i), Timestamp: w.clock, Metadata: memory.Tagged(tags), Importance: i})
	}
	if err := s.Commit(w.ctx, w.clock); err != nil {
		t.Fatal(err)
	}
	begun := w.clock
	check := func() {
		t.Helper()
		for name, test := range map[string]struct {
			only memory.Filter
			want []string
		}{
			"none":       {memory.Filter{}, []string{"s:kite 0", "s:kite 1", "s:kite 2", "s:kite 3"}},
			"one tag":    {memory.Filter{Tags: []string{"home"}}, []string{"s:kite 1", "s:kite 2"}},
			"two tags":   {memory.Filter{Tags: []string{"home", "work"}}, []string{"s:kite 2"}},
			"no tag":     {memory.Filter{Tags: []string{"hom"}}, []string{}},
			"important":  {memory.Filter{MinImportance: 2}, []string{"s:kite 2", "s:kite 3"}},
			"both":       {memory.Filter{MinImportance: 2, Tags: []string{"home"}}, []string{"s:kite 2"}},
			"of nowhere": {memory.Filter{Until: begun}, []string{}},
		} {
			found, err := w.tier.Search(w.ctx, scoped("kite").Only(test.only))
			got := names(found)
			slices.Sort(got)
			if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
			}
		}
	}
	check()
	for i := range 200 { // the index is made smaller
		w.say(fmt.Sprint("u/a/x", i), "user: a boat", "agent: a buoy")
	}
	check()
	for i := range 200 {
		if err := w.store.Delete(w.ctx, keyOf(fmt.Sprint("u/a/x", i))); err != nil {
			t.Fatal(err)
		}
	}
	check()
}

func TestMinSimilarity(t *testing.T) {
	w := newFixture(t, nil)
	w.say("u/a/s", "user: a red kite", "user: a red tree", "agent: nothing")
	limit := 0.0
	q := scoped("red kite")
	q.MinSimilarity = &limit
	w.want("zero is a limit that all pass", q, "s:a red kite", "s:a red tree", "s:nothing")
	limit = .2
	w.want("some words", q, "s:a red kite", "s:a red tree")
	limit = .8
	w.want("all words", q, "s:a red kite")
	limit = 1
	w.want("impossible", q)
}

func TestGone(t *testing.T) {
	w := newFixture(t, &Options{Embedders: []Embedder{clusters{}}})
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
	w := newFixture(t, &Options{Embedders: []Embedder{clusters{}}})
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
	w := newFixture(t, nil)
	w.say("u/a/s1", "user: kite one")
	w.want("before", scoped("kite"), "s1:kite one")
	q := scoped("kite")
	if err := q.validate(); err != nil {
		t.Fatal(err)
	}
	sc := w.tier.scope(scopes.Key{User: "u", Agent: "a"})
	a := indexQuery{text: q.Text, k: 5}
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

func TestPlaces(t *testing.T) {
	w := newFixture(t, nil)
	w.say("u/a/s", "user: kite one")
	w.say("u/a/s", "user: kite two")
	w.want("in the store", scoped("kite"), "s:kite one", "s:kite two")
	places, err := w.tier.Places(w.ctx, scoped("kite"))
	if err != nil || len(places) != 2 || places[0].SessionID != "s" {
		t.Errorf("places %v, %v", places, err)
	}
}

func TestSimilar(t *testing.T) {
	w := newFixture(t, &Options{Embedders: []Embedder{clusters{}}})
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
