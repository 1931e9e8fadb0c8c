package recall

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/scopes"
)

// TestIsolation lets random users talk, clear and delete, and holds after every step that
// a search finds exactly the messages that a plain model of the store has for its scope.
func TestIsolation(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		opts := &Options{MaxScopes: rapid.IntRange(1, 3).Draw(rt, "scopes")}
		if rapid.Bool().Draw(rt, "meaning") {
			opts.Embedders = []Embedder{clusters{}}
		}
		w := newFixture(t, opts)
		model := map[string][]string{} // path to texts that are active
		path := rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf("%s/%s/%s", rapid.SampledFrom([]string{"u", "v"}).Draw(t, "user"),
				rapid.SampledFrom([]string{"a", "b"}).Draw(t, "agent"), rapid.SampledFrom([]string{"1", "2"}).Draw(t, "session"))
		})
		said := 0
		rt.Repeat(map[string]func(*rapid.T){
			"say": func(t *rapid.T) {
				p := path.Draw(t, "path")
				said++
				text := fmt.Sprintf("kite %d", said)
				w.say(p, "user: "+text)
				model[p] = append(model[p], text)
			},
			"clear": func(t *rapid.T) {
				if p := path.Draw(t, "path"); model[p] != nil {
					w.clear(p)
					model[p] = []string{}
				}
			},
			"delete": func(t *rapid.T) {
				if p := path.Draw(t, "path"); model[p] != nil {
					if err := w.store.Delete(w.ctx, keyOf(p)); err != nil {
						t.Fatal(err)
					}
					delete(model, p)
				}
			},
			"": func(t *rapid.T) {
				key := keyOf(path.Draw(t, "path"))
				q := Query{Key: key, Text: "kites", K: 100}
				if rapid.Bool().Draw(t, "all sessions") {
					q.Key.SessionID = ""
				}
				want := []string{}
				for p, texts := range model {
					k := keyOf(p)
					if k.UserID != key.UserID || k.AgentID != key.AgentID || q.Key.SessionID != "" && k.SessionID != q.Key.SessionID {
						continue
					}
					for _, text := range texts {
						want = append(want, k.SessionID+":"+text)
					}
				}
				slices.Sort(want)
				if diff := gocmp.Diff(want, w.find(q)); diff != "" {
					t.Fatalf("found in %+v (-want +got):\n%s", q.Key, diff)
				}
			},
		})
	})
}

// TestIncrementalIsRebuilt holds that an index that followed a store, and has dropped what was cleared and deleted,
// gives the scores of one that is built afresh.
func TestIncrementalIsRebuilt(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		opts := &Options{Embedders: []Embedder{clusters{}}}
		w := newFixture(t, opts)
		line := rapid.StringMatching(`(user|agent|Anna|Ben): (red|kite|tree|kitten|Anna)( (red|kite|trap|roof)){0,3}\??`)
		alive := map[string]bool{}
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			p := "u/a/" + rapid.SampledFrom([]string{"1", "2", "3"}).Draw(rt, "session")
			switch rapid.IntRange(0, 9).Draw(rt, "step") {
			case 0:
				if alive[p] {
					w.clear(p)
				}
			case 1:
				if alive[p] {
					delete(alive, p)
					if err := w.store.Delete(w.ctx, keyOf(p)); err != nil {
						rt.Fatal(err)
					}
				}
			default:
				alive[p] = true
				w.say(p, rapid.SliceOfN(line, 1, 3).Draw(rt, "lines")...)
			}
			w.find(scoped("red"))
		}
		w.find(scoped("red"))
		sc := w.tier.scope(scopes.Key{User: "u", Agent: "a"})
		if sc.x.dead > 0 { // they count as docs that have the words, until the index is built anew
			return
		}
		fresh := New(w.store, opts)
		for _, text := range []string{"red kite", "Anna", "trap on the roof", "kitten"} {
			q := scoped(text)
			q.K, q.Explain = 100, true
			got, err := w.tier.Search(w.ctx, q)
			if err != nil {
				rt.Fatal(err)
			}
			want, err := fresh.Search(w.ctx, q)
			if err != nil {
				rt.Fatal(err)
			}
			near := cmpopts.EquateApprox(0, 1e-4)
			if diff := gocmp.Diff(ordered(want), ordered(got), near, cmpopts.IgnoreFields(memory.Recalled{}, "Why", "Similarity")); diff != "" {
				rt.Fatalf("%q (-rebuilt +incremental):\n%s", text, diff)
			}
		}
	})
}

// ordered sorts by place: equal scores may come in any order.
func ordered(found []memory.Recalled) []memory.Recalled {
	slices.SortFunc(found, func(a, b memory.Recalled) int {
		return cmp.Or(cmp.Compare(a.Key.SessionID, b.Key.SessionID), cmp.Compare(a.Message.Seq, b.Message.Seq))
	})
	return found
}

// TestWaste: an index most of whose messages are gone is built anew.
func TestWaste(t *testing.T) {
	w := newFixture(t, &Options{Embedders: []Embedder{clusters{}}})
	for n := range deadLeast {
		w.say("u/a/old", fmt.Sprintf("user: kite %d", n))
	}
	w.say("u/a/new", "user: kite")
	if len(w.find(scoped("kite"))) == 0 {
		t.Fatal("nothing is found")
	}
	if err := w.store.Delete(w.ctx, keyOf("u/a/old")); err != nil {
		t.Fatal(err)
	}
	found := w.find(scoped("kite"))
	x := w.tier.scope(scopes.Key{User: "u", Agent: "a"}).x
	if len(found) != 1 || len(x.docs) != 1 || x.dead != 0 || len(x.sessions) != 1 {
		t.Errorf("found %q; %d docs, %d dead, %d sessions are in memory", found, len(x.docs), x.dead, len(x.sessions))
	}
}
