package eval

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Every item gets one fold, the folds of a label are even, what is said twice stays
// together, and the same items give the same folds.
func TestAssign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 12).Draw(t, "k")
		single := rapid.Bool().Draw(t, "single")
		type item struct{ label, text string }
		items := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) item {
			return item{rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "label"), fmt.Sprint("Text ", rapid.IntRange(0, 40).Draw(t, "text"))}
		}), 0, 120).Draw(t, "items")
		get := func(i int) (string, string) { return items[i].label, items[i].text }
		folds := assign(len(items), k, single, get)
		if diff := cmp.Diff(folds, assign(len(items), k, single, get)); diff != "" {
			t.Fatalf("another time:\n%s", diff)
		}
		place := map[item]int{}
		counts := map[string][]int{}
		for i, it := range items {
			if folds[i] < 0 || folds[i] >= k {
				t.Fatalf("fold %d of %d", folds[i], k)
			}
			if old, ok := place[it]; ok {
				if old != folds[i] {
					t.Fatalf("%v is in folds %d and %d", it, old, folds[i])
				}
				continue
			}
			place[it] = folds[i]
			if counts[it.label] == nil {
				counts[it.label] = make([]int, k)
			}
			counts[it.label][folds[i]]++
		}
		for label, n := range counts {
			if slices.Max(n)-slices.Min(n) > 1 {
				t.Fatalf("label %s is spread %v", label, n)
			}
		}
	})
}

func TestAssignBlocks(t *testing.T) {
	text := []string{"a1", "a2", "b1", "a3", "A2 ", "a4", "b2"}
	get := func(i int) (string, string) { return text[i][:1], text[i] }
	get2 := func(i int) (string, string) {
		l, s := get(i)
		return map[string]string{"a": "a", "A": "a", "b": "b"}[l], s
	}
	if diff := cmp.Diff([]int{0, 0, 1, 1, 0, 1, 0}, assign(len(text), 2, false, get2)); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{0, 1, 1, 0, 1, 1, 0}, assign(len(text), 2, true, get2)); diff != "" {
		t.Errorf("one by one (-want +got):\n%s", diff)
	}
}
