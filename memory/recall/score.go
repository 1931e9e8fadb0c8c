package recall

import (
	"math"
	"slices"
	"sync"
)

// weights says how much the parts of a score count. They were chosen on dialogues of two people and
// are meant for assistants as well: none depends on the statistics of a collection.
type weights struct {
	k1, b      float64 // of BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009)
	prev, next float64 // share of the neighbours' scores
	answer     float64 // extra share of the previous one if that is another speaker's question
	prev2      float64 // share of the scores two messages away
	next2      float64
	session    float64 // share of the conversation's own score
	named      float64 // factor if the question names the message's speaker
	agent      float64 // factor if the agent wrote it
	asks       float64 // factor if it is a question itself
	near       float64 // of an occurrence of a related word, times its cosine
	meaning    float64 // of the cosine of message and question; the best score by words is 1
}

var tuned = weights{
	k1: .9, b: .75, prev: .4, next: .2, answer: .3, prev2: .1, next2: .1, session: .75, named: 1.75, agent: .5, asks: .8,
	near: .35, meaning: .5,
}

// Number of messages taken from each list before they are combined.
const (
	fromWords   = 32
	fromMeaning = 24
)

// indexQuery is a query to an index.
type indexQuery struct {
	text        string
	vec         []float32     // vector of the text; nil: unknown
	model       int           // embedder of vec
	calibration calibration   // of that embedder
	external    []VectorMatch // matches of the vector store for vec; nil: vec is compared here
	k           int
	filter      filter
	exact       bool // without related words
	meaningOnly bool // by meaning alone
}

// queryTerm is a word of a query.
type queryTerm struct {
	term    uint32 // noTerm: occurs nowhere
	related []relatedTerm
	idf     float32
	named   bool // part of a speaker's name
}

const noTerm = math.MaxUint32

// scratch is the working memory of one search. Between searches everything but buffers is zero.
type scratch struct {
	scan  scanner
	words []queryTerm
	named []bool  // by speaker
	scale float32 // sum of the words' idf

	own     []float32 // by doc: score of its own words
	touched []uint32  // docs with own > 0
	full    []float32 // by doc: score with neighbours, conversation and factors
	ranked  []uint32  // docs with full
	count   []float32 // by doc: occurrences of one word
	counted []uint32  // docs with count > 0

	sess     []float32 // by session
	sessions []uint32  // those with sess > 0
	inSess   []float32 // by session: occurrences of one word
	met      []uint32  // sessions with inSess > 0
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func (x *index) scratch() *scratch {
	s := scratches.Get().(*scratch)
	s.own, s.full, s.count = sized(s.own, len(x.docs)), sized(s.full, len(x.docs)), sized(s.count, len(x.docs))
	s.sess, s.inSess = sized(s.sess, len(x.sessions)), sized(s.inSess, len(x.sessions))
	return s
}

// sized returns s with n elements; new ones are zero.
func sized(s []float32, n int) []float32 {
	if n > cap(s) {
		return make([]float32, n, n+n/4)
	}
	return s[:n]
}

// release zeroes what was used and returns the scratch to the pool.
func (s *scratch) release() {
	for _, n := range s.touched {
		s.own[n] = 0
	}
	for _, n := range s.ranked {
		s.full[n] = 0
	}
	for _, n := range s.sessions {
		s.sess[n] = 0
	}
	s.touched, s.ranked, s.sessions, s.words = s.touched[:0], s.ranked[:0], s.sessions[:0], s.words[:0]
	scratches.Put(s)
}

// read finds the words of a query and the speakers that it names.
func (x *index) read(s *scratch, a *indexQuery) {
	s.named = append(s.named[:0], make([]bool, len(x.speakers))...)
	s.scale = 0
	s.scan.terms(a.text, func(term []byte) {
		w := queryTerm{term: noTerm}
		if t, ok := x.terms[string(term)]; ok {
			w.term = t
			if slices.ContainsFunc(s.words, func(o queryTerm) bool { return o.term == t }) {
				return
			}
			w.named = x.name(s.named, t)
		}
		if x.vocab != nil && !a.exact && !w.named && x.rare(&w) {
			w.related = x.vocab.near(s.scan.surface())
		}
		s.words = append(s.words, w)
	})
	for i := range s.words {
		w := &s.words[i]
		w.idf = float32(idf(len(x.docs)-x.dead, x.frequency(w)))
		s.scale += w.idf
	}
}

// frequentShare is the share of docs, one in so many, above which a word needs no related words.
const frequentShare = 20

// rare reports whether to look for related words, too.
func (x *index) rare(w *queryTerm) bool {
	return w.term == noTerm || int(x.lists[w.term].docs)*frequentShare < len(x.docs) || len(x.docs) < frequentShare
}

// name marks the speakers whose name has a term, and reports whether there are any.
func (x *index) name(named []bool, term uint32) bool {
	any := false
	for i := range x.speakers {
		if slices.Contains(x.speakers[i].terms, term) {
			named[i], any = true, true
		}
	}
	return any
}

// frequency returns the number of docs with a word. A word that occurs nowhere counts like the most
// frequent of its related words.
func (x *index) frequency(w *queryTerm) int {
	if w.term != noTerm {
		return int(x.lists[w.term].docs)
	}
	most := 0
	for _, o := range w.related {
		most = max(most, int(x.lists[o.term].docs))
	}
	return most
}

// idf returns the weight of a term that occurs in n of all docs; it is never negative.
func idf(all, n int) float64 {
	return math.Log(1 + (math.Max(float64(all-n), 0)+.5)/(float64(n)+.5))
}

// byWords scores all docs and all conversations by their own words.
func (x *index) byWords(s *scratch) {
	human := 1.0
	if x.humans > 0 {
		human = math.Max(float64(x.humanWords)/float64(x.humans), 1)
	}
	// A message shorter than the mean of people's messages is not better for it.
	floor := uint16(min(math.Ceil(human), math.MaxUint16))
	still, perWord := float32(tuned.k1*(1-tuned.b)), float32(tuned.k1*tuned.b/human)
	gain := float32(tuned.k1 + 1)
	for i := range s.words {
		w := &s.words[i]
		x.occurrences(s, w)
		for _, n := range s.counted {
			d, tf := &x.docs[n], s.count[n]
			s.count[n] = 0
			if s.own[n] == 0 {
				s.touched = append(s.touched, n)
			}
			s.own[n] += w.idf * gain * tf / (tf + still + perWord*float32(max(d.words, floor)))
			if s.inSess[d.session] == 0 {
				s.met = append(s.met, d.session)
			}
			s.inSess[d.session] += tf
		}
		s.counted = s.counted[:0]
		x.bySession(s)
	}
}

// occurrences counts a word and its related words in every doc.
func (x *index) occurrences(s *scratch, w *queryTerm) {
	if w.term != noTerm {
		for c := x.lists[w.term].cursor(); c.next(); {
			s.count[c.doc] = float32(c.occur)
			s.counted = append(s.counted, c.doc)
		}
	}
	for _, o := range w.related {
		if o.term == w.term || x.isName[o.term] {
			continue
		}
		share := float32(tuned.near) * o.cos
		for c := x.lists[o.term].cursor(); c.next(); {
			if s.count[c.doc] == 0 {
				s.counted = append(s.counted, c.doc)
			}
			s.count[c.doc] += share * float32(c.occur)
		}
	}
}

// bySession adds the score of one word to the conversations that have it.
func (x *index) bySession(s *scratch) {
	mean := float64(x.words) / math.Max(float64(len(x.ids)), 1)
	weight := idf(len(x.ids), len(s.met))
	for _, n := range s.met {
		tf := float64(s.inSess[n])
		s.inSess[n] = 0
		if s.sess[n] == 0 {
			s.sessions = append(s.sessions, n)
		}
		length := 1 - tuned.b + tuned.b*float64(x.sessions[n].words)/math.Max(mean, 1)
		s.sess[n] += float32(weight * (tuned.k1 + 1) * tf / (tf + tuned.k1*length))
	}
	s.met = s.met[:0]
}

// complete computes the full score of every doc that has a word or whose neighbour has one.
func (x *index) complete(s *scratch) {
	for _, n := range s.touched {
		x.rate(s, n)
		d := &x.docs[n]
		for _, o := range [2]int32{d.prev, d.next} {
			if o >= 0 && s.own[o] == 0 && s.full[o] == 0 {
				x.rate(s, uint32(o))
			}
		}
	}
}

func (x *index) rate(s *scratch, n uint32) {
	p := x.parts(s, n)
	s.full[n] = p.sum() * p.factor()
	s.ranked = append(s.ranked, n)
}

// parts is the score of a doc by words, split up.
type parts struct {
	own, neighbours, session float32
	named, agent, asks       float32 // factors
}

func (p *parts) sum() float32    { return p.own + p.neighbours + p.session }
func (p *parts) factor() float32 { return p.named * p.agent * p.asks }

func (x *index) parts(s *scratch, n uint32) parts {
	w := &tuned
	d := &x.docs[n]
	p := parts{own: s.own[n], session: float32(w.session) * s.sess[d.session], named: 1, agent: 1, asks: 1}
	if d.prev >= 0 {
		before := &x.docs[d.prev]
		share := w.prev
		if before.flags&question != 0 && (before.speaker != d.speaker || (before.flags^d.flags)&byAgent != 0) {
			share += w.answer
		}
		p.neighbours += float32(share) * s.own[d.prev]
		if before.prev >= 0 {
			p.neighbours += float32(w.prev2) * s.own[before.prev]
		}
	}
	if d.next >= 0 {
		p.neighbours += float32(w.next) * s.own[d.next]
		if after := x.docs[d.next].next; after >= 0 {
			p.neighbours += float32(w.next2) * s.own[after]
		}
	}
	if s.named[d.speaker] {
		p.named = float32(w.named)
	}
	if d.flags&byAgent != 0 {
		p.agent = float32(w.agent)
	}
	if d.flags&question != 0 {
		p.asks = float32(w.asks)
	}
	return p
}
