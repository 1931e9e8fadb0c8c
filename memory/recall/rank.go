package recall

import (
	"slices"

	"github.com/slotway/slotway/memory"
)

// filter selects the docs that may be found. The zero value selects none: begin with matchAll.
type filter struct {
	session    int64 // only this one; anySession: all
	without    int64 // not this one; anySession: none is excluded
	recent     int64 // session of which only messages from recentFrom and before recentSeq are found
	recentFrom int64
	recentSeq  int64
	noUser     bool
	noAgent    bool
	since      int64 // Unix microseconds, inclusive
	until      int64 // exclusive
	importance int8
	tags       []bool // by set of tags: it has all wanted tags; nil: any
}

const anySession = -1

// matchAll selects all living docs.
var matchAll = filter{session: anySession, without: anySession, recent: anySession, since: -1 << 63, until: 1<<63 - 1}

func (f *filter) pass(d *doc) bool {
	sn := int64(d.session)
	agent := d.flags&byAgent != 0
	return d.flags&dead == 0 && (f.session == anySession || f.session == sn) && sn != f.without &&
		(sn != f.recent || d.seq >= f.recentFrom && d.seq < f.recentSeq) && !(agent && f.noAgent) && !(!agent && f.noUser) &&
		d.at >= f.since && d.at < f.until && d.importance >= f.importance &&
		(f.tags == nil || f.tags[d.tags])
}

// hit is a found doc.
type hit struct {
	doc     uint32
	score   float32
	similar float32 // in [0,1); see Query.MinSimilarity
	why     []memory.Reason
}

// rank returns the best docs for a query.
func (x *index) rank(a *indexQuery, explain bool) []hit {
	s := x.scratch()
	defer s.release()
	f := x.searchBoth(s, a)
	best := newTop(a.k)
	for _, d := range f.docs {
		best.offer(d.doc, f.wordScore(s.full[d.doc])+f.meaningScore(d.score))
	}
	var out []hit
	for _, b := range best.sorted() {
		if b.score <= 0 {
			break
		}
		share := float32(0) // of the question's words, by weight
		if !a.meaningOnly && s.scale > 0 {
			share = s.own[b.doc] / s.scale
		}
		h := hit{doc: b.doc, score: b.score, similar: likeness(a.calibration.distance(f.cosine(b.doc)), share)}
		out = append(out, h)
	}
	if explain && len(out) > 0 {
		x.explain(s, a, &f, out)
	}
	return out
}

// fusion combines the two result lists of a search.
type fusion struct {
	docs   []scored // of both lists, each once, with the cosine
	most   float32  // best score by words
	matrix *matrix
	probe  *probe
	given  []scored           // instead of matrix: matches of the vector store,
	known  map[uint32]float32 // and their cosines
}

// searchBoth searches by words and by meaning.
func (x *index) searchBoth(s *scratch, a *indexQuery) fusion {
	var f fusion
	switch {
	case a.external != nil:
		f.given, f.known = x.resolve(a.external), map[uint32]float32{}
		for _, d := range f.given {
			f.known[d.doc] = d.score
		}
	case a.vec != nil:
		f.matrix = x.meaning[a.model]
		f.probe = f.matrix.probe(a.vec)
	}
	if !a.meaningOnly {
		x.read(s, a)
		x.byWords(s)
		x.complete(s)
		f.fromWords(x, s, a)
	}
	if f.probe != nil || len(f.given) > 0 {
		f.fromMeaning(x, a)
	}
	return f
}

func (f *fusion) fromWords(x *index, s *scratch, a *indexQuery) {
	best := newTop(max(fromWords, 2*a.k))
	for _, n := range s.ranked {
		if a.filter.pass(&x.docs[n]) {
			best.offer(n, s.full[n])
		}
	}
	f.docs = best.heap
	for i := range f.docs {
		f.most = max(f.most, f.docs[i].score)
		f.docs[i].score = f.cosine(f.docs[i].doc)
	}
}

func (f *fusion) fromMeaning(x *index, a *indexQuery) {
	var known []uint32
	for _, d := range f.docs {
		known = append(known, d.doc)
	}
	slices.Sort(known)
	work := quick
	if a.meaningOnly {
		work = careful
	}
	pass := func(n uint32) bool { return a.filter.pass(&x.docs[n]) }
	near := f.given
	if f.probe != nil {
		near = f.matrix.nearest(f.probe, max(fromMeaning, 2*a.k), work, pass)
	} else {
		near = slices.DeleteFunc(near, func(d scored) bool { return !pass(d.doc) })
	}
	for _, d := range near {
		if _, found := slices.BinarySearch(known, d.doc); !found {
			f.docs = append(f.docs, d)
		}
	}
}

func (f *fusion) cosine(n uint32) float32 {
	if f.known != nil {
		return f.known[n]
	}
	if f.probe == nil {
		return 0
	}
	return f.matrix.cosine(f.probe, n)
}

// wordScore divides a score by words by the best one.
func (f *fusion) wordScore(v float32) float32 {
	if f.most == 0 {
		return 0
	}
	return v / f.most
}

// meaningScore returns what a cosine adds to a score. If no doc has the words, it is the score.
func (f *fusion) meaningScore(cosine float32) float32 {
	if f.most == 0 {
		return max(cosine, 0)
	}
	return float32(tuned.meaning) * max(cosine, 0)
}

// explain splits the scores into parts. The parts of a hit sum to its score.
func (x *index) explain(s *scratch, a *indexQuery, f *fusion, hits []hit) {
	exact := x.scratch()
	defer exact.release()
	if !a.meaningOnly {
		words := *a
		words.exact = true
		x.read(exact, &words)
		x.byWords(exact)
	}
	for i := range hits {
		h := &hits[i]
		add := func(part string, v float32) {
			if v != 0 {
				h.why = append(h.why, memory.Reason{Part: part, Score: float64(v)})
			}
		}
		if s.full[h.doc] != 0 {
			p := x.parts(s, h.doc)
			same := min(exact.own[h.doc], p.own)
			add("words", f.wordScore(same))
			add("related words", f.wordScore(p.own-same))
			add("neighbours", f.wordScore(p.neighbours))
			add("conversation", f.wordScore(p.session))
			sum := p.sum()
			add("speaker", f.wordScore(sum*(p.named-1)))
			add("assistant", f.wordScore(sum*p.named*(p.agent-1)))
			add("question", f.wordScore(sum*p.named*p.agent*(p.asks-1)))
		}
		add("meaning", f.meaningScore(f.cosine(h.doc)))
	}
}
