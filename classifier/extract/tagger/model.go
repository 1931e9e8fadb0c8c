package tagger

import (
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/slotway/slotway/classifier/message"
)

// Sentence is a message and what is known about it.
type Sentence struct {
	Text  string
	Cut   []message.Token // of Text; nil: it is cut where it is read
	Tags  []string        // the params that it may hold; others are never found
	Asked []string        // the params that are being asked for
	Hits  []Hit           // what recognisers and enumerations found
}

// Hit is something recognised in a message. Offsets count code points, end exclusive.
type Hit struct {
	Kind       string // any name that is the same in training and in use
	Start, End int
}

// Span is a value found or marked. Offsets count code points, end exclusive.
type Span struct {
	Tag        string
	Start, End int
	Margin     float64 // by how much the best reading beats any without this span; of found spans, at least 0
}

// Model finds spans. It does not change and is safe for concurrent use; a nil Model
// finds nothing.
type Model struct {
	tags    []string // params, sorted
	number  map[string]int32
	self    []int32    // 0, 1, 2, ...
	pairs   [][2]int32 // params that share spans; pair i is numbered behind the tags
	spans   []int      // by param, in training
	store   *store
	trans   []float32 // in units, as the weights of the store are
	unit    float32   // what a weight of 1 is in updates
	known   *gazetteer
	curve   curve
	vectors Vectors   // nil: words mean nothing
	width   int       // numbers of a vector that count
	senses  []float32 // width numbers for outside and for each param, in units
	pool    sync.Pool
}

// work is the memory of one call.
type work struct {
	sentence sentence
	lattice  lattice
	features []uint64
	place    []int32 // local tag by tag, or -1
	vector   []float32
	whole    []float32
}

// params returns the number of params that the model tells apart, pairs included.
func (m *Model) params() int { return len(m.tags) + len(m.pairs) }

func (m *Model) prepare() {
	m.pool.New = func() any { return new(work) }
}

// Spans returns the number of training spans of a tag, or 0 for an unknown one.
func (m *Model) Spans(tag string) int {
	if m == nil {
		return 0
	}
	if p, ok := m.number[tag]; ok {
		return m.spans[p]
	}
	return 0
}

// Bytes returns the approximate memory of the model.
func (m *Model) Bytes() int {
	if m == nil {
		return 0
	}
	n := len(m.senses)*4 + len(m.store.slots)*8 + len(m.store.rows)*4 + len(m.trans)*4
	n += m.known.index.Size() + m.known.first.Size()
	return n + len(m.known.phrase)*(int(unsafe.Sizeof(phrase{}))+8) + len(m.known.length)*8
}

// Tag appends the spans of a message to into, by start, and returns the extended slice.
// They do not overlap and lie within the text.
func (m *Model) Tag(in Sentence, into []Span) []Span {
	if m == nil || in.Text == "" {
		return into
	}
	w, _ := m.pool.Get().(*work)
	defer m.pool.Put(w)
	s, l := &w.sentence, &w.lattice
	if !m.allow(s, in.Tags) {
		return into
	}
	s.read(in)
	if len(s.tokens) == 0 {
		return into
	}
	m.known.mark(s, nil)
	l.reset(len(s.tokens), 1+2*len(s.params))
	l.link(m.trans, 1+2*m.params(), s.params)
	w.place = places(w.place, s)
	if m.width > 0 {
		w.vector, w.whole = sized(w.vector, m.width), sized(w.whole, m.vectors.Dimension())
	}
	for i := range s.tokens {
		w.features = s.features(i, w.features[:0])
		emission := l.emission[i*l.tags : (i+1)*l.tags]
		if m.width > 0 {
			lookUp(m.vectors, w.vector, w.whole, s.tokens[i].text)
			m.meant(w.vector, s.params, emission)
		}
		for _, h := range w.features {
			for _, x := range m.store.get(h) {
				tag, c := unpack(x)
				if k := w.place[tag]; k >= 0 {
					emission[k] += float32(c)
				}
			}
		}
	}
	return m.collect(s, l, into)
}

// collect reads the spans off the best path.
func (m *Model) collect(s *sentence, l *lattice, into []Span) []Span {
	score := l.viterbi()
	looked := false
	for i := 0; i < l.n; i++ {
		tag := l.path[i]
		if tag == 0 {
			continue
		}
		from := i
		for i+1 < l.n && l.path[i+1] == tag+1 {
			i++
		}
		if !looked {
			l.lookBack()
			looked = true
		}
		span := Span{
			Start: s.tokens[from].start, End: s.tokens[i].end,
			Margin: math.Max(0, float64(l.margin(score, from, i+1)*m.unit)),
		}
		for _, p := range m.parts(s.params[(tag-1)/2]) {
			span.Tag = m.tags[p]
			into = append(into, span)
		}
	}
	return into
}

// parts returns the plain params of a param: itself, or both of a pair.
func (m *Model) parts(p int32) []int32 {
	if k := int(p) - len(m.tags); k >= 0 {
		return m.pairs[k][:]
	}
	return m.self[p : p+1]
}

// allow sets the params that a sentence may hold; it reports whether there are any.
func (m *Model) allow(s *sentence, tags []string) bool {
	s.local = sized(s.local, m.params())
	for i := range s.local {
		s.local[i] = -1
	}
	for _, tag := range tags {
		if p, ok := m.number[tag]; ok {
			s.local[p] = 0
		}
	}
	for k, pair := range m.pairs {
		s.local[len(m.tags)+k] = max(s.local[pair[0]], s.local[pair[1]])
		if s.local[pair[0]] != s.local[pair[1]] {
			s.local[len(m.tags)+k] = -1
		}
	}
	s.params = s.params[:0]
	for p, in := range s.local {
		if in == 0 {
			s.local[p] = int32(len(s.params))
			s.params = append(s.params, int32(p))
		}
	}
	return len(s.params) > 0
}

// places gives the local tag of every tag, -1 for those that are not allowed.
func places(into []int32, s *sentence) []int32 {
	into = sized(into, 1+2*len(s.local))
	into[0] = 0
	for p, k := range s.local {
		b := begin(int32(p))
		into[b], into[b+1] = -1, -1
		if k >= 0 {
			into[b], into[b+1] = begin(k), inside(k)
		}
	}
	return into
}

// read fills in everything of a sentence but its params and known values.
func (s *sentence) read(in Sentence) {
	cut := in.Cut
	if cut == nil {
		cut = message.Tokenize(in.Text, nil)
	}
	s.tokens = tokenize(in.Text, cut, s.tokens[:0])
	s.marks = sized(s.marks, len(s.tokens))
	s.second = sized(s.second, len(s.tokens))
	clear(s.marks)
	s.hits = sized(s.hits, len(s.tokens))
	clear(s.second)
	for _, h := range in.Hits {
		kind := hashString(h.Kind)
		from, to := s.cover(h.Start, h.End)
		for i := from; i < to; i++ {
			mark := mix(0, kind, spot(i, from, to))
			switch {
			case s.marks[i] == 0:
				s.marks[i] = mark
				s.hits[i] = stretch{from, to}
			case s.second[i] == 0:
				s.second[i] = mark
			}
		}
	}
	s.readWhole()
	s.asked = 0
	for i, a := range in.Asked {
		if !slices.Contains(in.Asked[:i], a) {
			s.asked ^= mix(1, hashString(a), 0)
		}
	}
}

// cover returns the tokens that touch the code points [start, end).
func (s *sentence) cover(start, end int) (from, to int) {
	for from < len(s.tokens) && s.tokens[from].end <= start {
		from++
	}
	to = from
	for to < len(s.tokens) && s.tokens[to].start < end {
		to++
	}
	return from, to
}
