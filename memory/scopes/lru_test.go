package scopes_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory/scopes"
)

type index struct{ name string }

func build(k scopes.Key) *index { return &index{k.User + "/" + k.Agent} }

func names(l *scopes.LRU[*index]) []string {
	var out []string
	all, _ := l.All()
	for _, x := range all {
		out = append(out, x.name)
	}
	return out
}

func key(user string) scopes.Key { return scopes.Key{User: user, Agent: "shop"} }

func TestLRU(t *testing.T) {
	l := scopes.New(scopes.Limits{Scopes: 3, Bytes: 100}, build)
	for _, user := range []string{"a", "b", "c"} {
		l.SetWeight(key(user), l.Get(key(user)), 10)
	}
	a := l.Get(key("a"))
	l.SetWeight(key("d"), l.Get(key("d")), 10) // a fourth: b was not used for longest
	if diff := cmp.Diff([]string{"d/shop", "a/shop", "c/shop"}, names(l)); diff != "" {
		t.Errorf("too many (-want +got):\n%s", diff)
	}
	l.SetWeight(key("a"), a, 85)
	if diff := cmp.Diff([]string{"d/shop", "a/shop"}, names(l)); diff != "" {
		t.Errorf("too heavy (-want +got):\n%s", diff)
	}
	l.SetWeight(key("a"), l.Get(key("a")), 1000) // one is kept whatever it weighs
	if _, bytes := l.All(); len(names(l)) != 1 || bytes != 1000 {
		t.Errorf("%v, %d bytes", names(l), bytes)
	}
	if _, ok := l.Loaded(key("b")); ok {
		t.Error("b is still there")
	}
	stale := l.Get(key("e"))
	l.Drop("e")
	l.SetWeight(key("e"), stale, 50)
	if _, ok := l.Loaded(key("e")); ok {
		t.Error("a value that was let go came back")
	}
	l.Drop("")
	if all, bytes := l.All(); len(all) != 0 || bytes != 0 {
		t.Errorf("after Drop: %d values, %d bytes", len(all), bytes)
	}
}

func TestLRUAtOnce(t *testing.T) {
	l := scopes.New(scopes.Limits{Scopes: 4, Bytes: 1000}, build)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 200 {
				k := key(fmt.Sprint((i * (w + 1)) % 7))
				x := l.Get(k)
				if x.name != k.User+"/shop" {
					t.Errorf("scope %s has the value of %s", k.User, x.name)
				}
				l.SetWeight(k, x, int64(i))
				if i%50 == 0 {
					l.Drop(k.User)
				}
			}
		})
	}
	wg.Wait()
	if all, _ := l.All(); len(all) > 4 {
		t.Errorf("%d scopes are kept", len(all))
	}
}
