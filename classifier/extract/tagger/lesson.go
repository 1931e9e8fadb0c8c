package tagger

import (
	"cmp"
	"slices"
)

// lesson is a training example in numbers.
type lesson struct {
	params []int32
	want   []int32 // local tags
	said   view
	blank  view      // the same with values that nobody said before; empty: it has none
	words  []int32   // by token, of the senses
	like   []float32 // tokens x params x alikes
}

// view holds the features of each token.
type view struct {
	features []int32
	starts   []int32 // by token, into features; one more at the end
}

// likeness returns how similar token i is to the name and the values of the k-th allowed param.
func (c *lesson) likeness(i, k int) []float32 {
	from := (i*len(c.params) + k) * alikes
	return c.like[from : from+alikes]
}

// load turns examples into lessons. The gazetteer must know every value before any
// sentence is looked at, and the features of what was said must have their numbers before
// those of blanked values are looked up.
func (t *trainer) load(examples []Example) {
	known := t.model.known
	t.each(examples, func(s *sentence, own []gold) {
		for _, g := range own {
			known.add(s.tokens[g.from:g.to], g.param)
			t.senses.value(s.said(g), g.param, 1)
		}
	})
	t.each(examples, func(s *sentence, own []gold) {
		known.mark(s, own)
		c := lesson{params: slices.Clone(s.params), want: wanted(s, own), said: t.view(s, true)}
		c.words, c.like = t.senses.look(s, own)
		t.lessons = append(t.lessons, c)
	})
	t.dropRare()
	at := 0
	t.each(examples, func(s *sentence, own []gold) {
		for _, g := range own {
			for j := g.from; j < g.to; j++ {
				s.tokens[j].blank(uint64(at)<<32 | uint64(j))
			}
		}
		if len(own) > 0 {
			known.mark(s, nil)
			s.readWhole()
			t.lessons[at].blank = t.view(s, false)
		}
		at++
	})
}

// dropRare removes features of only one example from the lessons. The model would learn them by
// heart, and they show nothing about another message.
func (t *trainer) dropRare() {
	first := make([]int32, len(t.rows)) // the first lesson that has the feature, from 1
	t.common = make([]bool, len(t.rows))
	for i := range t.lessons {
		for _, f := range t.lessons[i].said.features {
			if first[f] == 0 {
				first[f] = int32(i + 1)
			}
			t.common[f] = t.common[f] || first[f] != int32(i+1)
		}
	}
	for i := range t.lessons {
		v := &t.lessons[i].said
		kept, from := v.features[:0], int32(0)
		for j, end := range v.starts[1:] {
			for _, f := range v.features[from:end] {
				if t.common[f] {
					kept = append(kept, f)
				}
			}
			from, v.starts[j+1] = end, int32(len(kept))
		}
		v.features = kept
	}
}

// each calls do for every example with something to tag, with its marked values. The sentence is
// valid during the call.
func (t *trainer) each(examples []Example, do func(*sentence, []gold)) {
	var s sentence
	for i := range examples {
		if !t.model.allow(&s, examples[i].Tags) {
			continue
		}
		if s.read(examples[i].Sentence); len(s.tokens) > 0 {
			do(&s, t.model.golds(&s, examples[i].Spans))
		}
	}
}

// wanted gives the local tags of a sentence.
func wanted(s *sentence, own []gold) []int32 {
	want := make([]int32, len(s.tokens))
	for _, g := range own {
		k := s.local[g.param]
		for j := g.from; j < g.to; j++ {
			want[j] = inside(k)
		}
		want[g.from] = begin(k)
	}
	return want
}

// view gives the features of a sentence their numbers. With learn, new ones get one;
// without, they are left out, and so are those of one example alone.
func (t *trainer) view(s *sentence, learn bool) view {
	v := view{starts: make([]int32, 1, len(s.tokens)+1)}
	for j := range s.tokens {
		t.hashes = s.features(j, t.hashes[:0])
		for _, h := range t.hashes {
			f, ok := t.table.Get(h)
			if !ok && learn {
				f = t.table.Put(h, int32(len(t.rows)))
				t.rows = append(t.rows, nil)
			}
			if learn || ok && t.common[f] {
				v.features = append(v.features, f)
			}
		}
		v.starts = append(v.starts, int32(len(v.features)))
	}
	return v
}

// golds are the marked values in tokens, by start; of overlapping ones the first counts,
// but two of the same words are one of a pair of params.
func (m *Model) golds(s *sentence, spans []Span) []gold {
	var out []gold
	for _, sp := range spans {
		p, ok := m.number[sp.Tag]
		if !ok || s.local[p] < 0 {
			continue
		}
		if from, to := s.cover(sp.Start, sp.End); from < to {
			out = append(out, gold{p, from, to})
		}
	}
	slices.SortStableFunc(out, func(a, b gold) int { return cmp.Compare(a.from, b.from) })
	kept := out[:0]
	for _, g := range out {
		if n := len(kept); n == 0 || g.from >= kept[n-1].to {
			kept = append(kept, g)
		} else if last := &kept[n-1]; last.from == g.from && last.to == g.to {
			pair := [2]int32{min(last.param, g.param), max(last.param, g.param)}
			if k := slices.Index(m.pairs, pair); k >= 0 {
				last.param = int32(len(m.tags) + k)
			}
		}
	}
	return kept
}
