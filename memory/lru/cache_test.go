package lru_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/memory/lru"
)

func check(t *testing.T, c *lru.Cache[string, int], when string, weight int64, keys ...string) {
	t.Helper()
	if diff := cmp.Diff(keys, c.Keys()); diff != "" || c.Weight() != weight || c.Len() != len(keys) {
		t.Errorf("%s: weight %d, want %d; keys (-want +got):\n%s", when, c.Weight(), weight, diff)
	}
}

func TestCache(t *testing.T) {
	c := lru.New[string, int](lru.Limits{Entries: 3, Weight: 100})
	c.Put("a", 1, 10)
	c.Put("b", 2, 20)
	c.Put("c", 3, 30)
	check(t, c, "three", 60, "a", "b", "c")
	if v, ok := c.Get("a"); v != 1 || !ok {
		t.Errorf("a is %d, %v", v, ok)
	}
	if v, ok := c.Peek("b"); v != 2 || !ok {
		t.Errorf("b is %d, %v", v, ok)
	}
	c.Put("d", 4, 40)
	check(t, c, "a fourth", 80, "c", "a", "d")
	c.SetWeight("a", 50)
	check(t, c, "a is heavier", 90, "a", "d")
	c.Put("a", 5, 60)
	check(t, c, "a is replaced", 100, "d", "a")
	c.Put("d", 6, 101)
	check(t, c, "d alone is too heavy", 60, "a")
	c.SetWeight("x", 1000)
	c.Remove("x")
	if _, ok := c.Get("x"); ok {
		t.Error("x was never put")
	}
	check(t, c, "nothing happened", 60, "a")
}

func TestLeastStay(t *testing.T) {
	c := lru.New[string, int](lru.Limits{Weight: 10, Minimum: 2})
	for i, key := range []string{"a", "b", "c"} {
		c.Put(key, i, 100)
	}
	check(t, c, "two stay", 200, "b", "c")
}

// The weight is always that of the entries, and the limits hold after every call.
func TestCacheKeepsItsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := lru.New[int, int](lru.Limits{Entries: 4, Weight: 20})
		weights := map[int]int64{} // of what was put or weighed last
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			key, weight := rapid.IntRange(0, 7).Draw(t, "key"), rapid.Int64Range(0, 25).Draw(t, "weight")
			switch rapid.SampledFrom([]string{"put", "get", "weigh", "remove"}).Draw(t, "step") {
			case "put":
				c.Put(key, key, weight)
				weights[key] = weight
			case "get":
				if v, ok := c.Get(key); ok && v != key {
					t.Fatalf("key %d has the value %d", key, v)
				}
			case "weigh":
				c.SetWeight(key, weight)
				weights[key] = weight
			case "remove":
				c.Remove(key)
			}
			var sum int64
			for _, k := range c.Keys() {
				sum += weights[k]
			}
			if sum != c.Weight() || sum > 20 || c.Len() > 4 {
				t.Fatalf("%d entries weigh %d, counted %d", c.Len(), sum, c.Weight())
			}
		}
	})
}
