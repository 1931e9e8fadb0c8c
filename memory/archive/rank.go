package archive

import (
	"math"
	"slices"
)

// hit is an entry that was found.
type hit struct {
	entry          *entry
	similar, score float64
}

// Parts of a score. The saturation k1 of BM25 is that of package recall; documents differ
// less in length than messages do, so that length counts less (b). Measured by
// TestConversationsFound; with a meaning of .5 fewer conversations are found than without.
const (
	k1, b   = .9, .4
	meaning = .15 // of the likeness in meaning, beside 1 for the words

	// The cosine of a question and a document that has nothing to do with it is seldom
	// above nothing, that of one and the very answer seldom above same.
	unrelatedCosine, sameCosine = .3, .8
)

// rank finds the entries of a scope that are similar enough to a question.
func (sc *scope) rank(in *preparedQuery, threshold float64, without string, foreign bool) []hit {
	sc.mu.RLock()
	defer sc.mu.RUnlock()
	wanted := make([]queryTerm, len(in.terms))
	all, length := sc.frequencies(in.terms, wanted)
	if all == 0 {
		return nil
	}
	total := 0.0
	for i := range wanted {
		wanted[i].weight = weight(all, wanted[i].in)
		total += wanted[i].weight
	}
	mean := max(float64(length)/float64(all), 1)
	var hits []hit
	for id, s := range sc.sessions {
		if id == without {
			continue
		}
		for _, e := range s.entries {
			if foreign && e.Shared == nil {
				continue
			}
			h := e.compare(wanted, total, mean)
			if alike := in.likeness(e); alike > 0 {
				h.similar = max(h.similar, alike)
				h.score += meaning * alike
			}
			h.score /= 1 + meaning
			h.similar = saturate(h.similar)
			if h.similar > 0 && h.similar >= threshold {
				hits = append(hits, h)
			}
		}
	}
	return hits
}

// saturate leaves 0 and the usual threshold where they are and lets nothing reach 1: a limit of
// 1 is one that nothing passes.
func saturate(share float64) float64 {
	return 1 - math.Pow(1-defaultThreshold, share/defaultThreshold)
}

// queryTerm is a term of a question.
type queryTerm struct {
	id     uint32
	known  bool
	in     int // entries that have it
	weight float64
}

// frequencies counts in how many entries each term occurs, and how many entries and how
// many terms there are.
func (sc *scope) frequencies(terms []string, wanted []queryTerm) (all, length int) {
	for i, term := range terms {
		wanted[i].id, wanted[i].known = sc.terms[term]
	}
	for _, s := range sc.sessions {
		for _, e := range s.entries {
			all++
			length += e.length
			for i := range wanted {
				if wanted[i].known && e.count(wanted[i].id) > 0 {
					wanted[i].in++
				}
			}
		}
	}
	return all, length
}

// count is how often a term occurs.
func (e *entry) count(term uint32) int {
	if i, ok := slices.BinarySearch(e.terms, term); ok {
		return int(e.counts[i])
	}
	return 0
}

// compare scores an entry by the words of a question.
func (e *entry) compare(wanted []queryTerm, total, mean float64) hit {
	h := hit{entry: e}
	norm := k1 * (1 - b + b*float64(e.length)/mean)
	for i := range wanted {
		w := &wanted[i]
		if !w.known {
			continue
		}
		if tf := float64(e.count(w.id)); tf > 0 {
			h.similar += w.weight / total
			h.score += w.weight / total * tf / (tf + norm)
		}
	}
	h.similar = min(h.similar, 1) // rounding
	return h
}

// likeness is the cosine of an entry and a question, from 0 for what two texts have that
// have nothing to do with one another to 1.
func (e *entry) likeness(vec []float32) float64 {
	if len(vec) == 0 || len(e.vec) != len(vec) {
		return 0
	}
	var cos float32
	for i, v := range vec {
		cos += v * e.vec[i]
	}
	return min(max((float64(cos)-unrelatedCosine)/(sameCosine-unrelatedCosine), 0), 1)
}
