package archive

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// walked is the rarity by its definition: every entry of the scope is looked at.
func walked(sc *scope, term string) float64 {
	all, n := 0, 0
	for _, s := range sc.sessions {
		for _, e := range s.entries {
			all++
			if id, ok := sc.terms[term]; ok && e.count(id) > 0 {
				n++
			}
		}
	}
	return weight(all, n)
}

// TestRarityIsThatOfAWalk enters, replaces and drops sessions, and compares every term's
// rarity and the size with those of a walk over all entries.
func TestRarityIsThatOfAWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc := &scope{terms: map[string]uint32{}, sessions: map[string]*session{}}
		names := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"})
		words := rapid.MapOfN(rapid.SampledFrom([]string{"lamp", "door", "tea", "boat", "snow", "hat"}), rapid.IntRange(1, 300), 0, 6)
		for range rapid.IntRange(0, 30).Draw(t, "changes") {
			id := names.Draw(t, "session")
			if rapid.Bool().Draw(t, "drop") {
				sc.drop(id)
				continue
			}
			s := &session{}
			for range rapid.IntRange(0, 3).Draw(t, "entries") {
				e := &entry{}
				sc.index(e, words.Draw(t, "words"))
				s.entries = append(s.entries, e)
			}
			sc.put(id, s)
		}
		rare := sc.rarity()
		for _, term := range []string{"lamp", "door", "tea", "boat", "snow", "hat", "never"} {
			if got, want := rare(term), walked(sc, term); got != want {
				t.Fatalf("%q is %v rare, want %v", term, got, want)
			}
		}
		bytes := int64(len(sc.terms)) * termBytes
		for id, s := range sc.sessions {
			bytes += s.size(id)
		}
		if sc.size() != bytes {
			t.Fatalf("size %d, want %d", sc.size(), bytes)
		}
		// What is entered later does not change what was asked before.
		before := rare("lamp")
		e := &entry{}
		sc.index(e, map[string]int{"lamp": 1, "later": 1})
		sc.put("later", &session{entries: []*entry{e}})
		if rare("lamp") != before || rare("later") != rare("never") {
			t.Fatal("a rarity changes")
		}
	})
}

// BenchmarkRarity asks for the rarity of ten terms among a user's documents. Before counts
// were kept, each asking walked over all of them; that is "walk".
func BenchmarkRarity(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		sc := &scope{terms: map[string]uint32{}, sessions: map[string]*session{}}
		for i := range n {
			words := map[string]int{}
			for k := range 60 {
				words[fmt.Sprint("word", (i*7+k*k*13)%3000)] = 1
			}
			e := &entry{}
			sc.index(e, words)
			sc.put(fmt.Sprint("s", i), &session{entries: []*entry{e}})
		}
		b.Run(fmt.Sprint("counts/", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				rare := sc.rarity()
				for k := range 10 {
					rare(fmt.Sprint("word", k))
				}
			}
		})
		b.Run(fmt.Sprint("walk/", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				walkAll(sc)
			}
		})
	}
}

// walkAll is how the counts were made of all entries at each asking.
func walkAll(sc *scope) map[string]int {
	in := map[uint32]int{}
	for _, s := range sc.sessions {
		for _, e := range s.entries {
			for _, term := range e.terms {
				in[term]++
			}
		}
	}
	known := make(map[string]int, len(in))
	for term, id := range sc.terms {
		if n := in[id]; n > 0 {
			known[term] = n
		}
	}
	return known
}
