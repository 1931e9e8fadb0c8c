package archive

import (
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
