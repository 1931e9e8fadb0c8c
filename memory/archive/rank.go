package archive

import (
	"math"
	"slices"
)

// hit is a found entry.
type hit struct {
	entry          *entry
	similar, score float64
}

// Parts of a score. k1, the saturation of BM25, is that of package recall. Documents differ less in
// length than messages, so that length counts less (b). TestConversationsFound measures them; with
// a meaning of .5 fewer conversations are found than without.
const (
	k1, b   = .9, .4
	meaning = .15 // weight of the similarity in meaning; words have 1

	// The cosine of a question and an unrelated document is seldom above unrelatedCosine, that of a
	// question and its answer seldom above sameCosine.
	unrelatedCosine, sameCosine = .3, .8
)

// rank returns the entries of a scope that are similar enough to a question.
func (sc *scope) rank(in *preparedQuery, threshold float64, without string, foreign bool) []hit {
	sc.mu.RLock()
	defer sc.mu.RUnlock()
	wanted := make([]queryTerm, len(in.terms))
	total := 0.0
	for i, term := range in.terms {
		w := queryTerm{weight: weight(sc.all, 0)}
		if w.id, w.known = sc.terms[term]; w.known {
			w.weight = weight(sc.all, int(sc.in[w.id]))
		}
		wanted[i] = w
		total += w.weight
	}
	mean := max(float64(sc.length)/float64(max(sc.all, 1)), 1)
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
			alike := in.likeness(e)
			h.score = (h.score + meaning*alike) / (1 + meaning)
			h.similar = saturate(max(h.similar, alike))
			if h.similar > 0 && h.similar >= threshold {
				hits = append(hits, h)
			}
		}
	}
	return hits
}

// saturate keeps 0 and the default threshold and lets nothing reach 1: nothing passes a threshold
// of 1.
func saturate(share float64) float64 {
	return 1 - math.Pow(1-defaultThreshold, share/defaultThreshold)
}

// queryTerm is a term of a question.
type queryTerm struct {
	id     uint32
	known  bool
	weight float64
}

// count returns how often a term occurs in an entry.
func (e *entry) count(term uint32) int {
	if i, ok := slices.BinarySearch(e.terms, term); ok {
		return int(e.counts[i])
	}
	return 0
}

// compare scores an entry by the terms of a question.
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
	h.similar = min(h.similar, 1) // rounding errors
	return h
}
