package tagger

import "github.com/slotway/slotway/classifier/internal/hashing"

// gazetteer holds the values of the training examples, by the hashes of their words.
type gazetteer struct {
	index  *hashing.Table
	phrase []phrase
	first  *hashing.Table // first word -> length of the longest phrase that starts with it
	length []int
}

// phrase is a value and how often each tag had it.
type phrase struct {
	tags   []int32 // params, in the order they were seen
	counts []int32
}

const longestPhrase = 8 // words

func newGazetteer() *gazetteer {
	return &gazetteer{index: hashing.NewTable(0), first: hashing.NewTable(0)}
}

// key is the hash of the words of tokens.
func key(tokens []token) uint64 {
	h := seed
	for i := range tokens {
		h = mix(0, h, tokens[i].low)
	}
	return h
}

// add counts the value that tokens spell for a param.
func (g *gazetteer) add(tokens []token, param int32) {
	if len(tokens) == 0 || len(tokens) > longestPhrase {
		return
	}
	i := g.index.Put(key(tokens), int32(len(g.phrase)))
	if int(i) == len(g.phrase) {
		g.phrase = append(g.phrase, phrase{})
	}
	k := g.first.Put(tokens[0].low, int32(len(g.length)))
	if int(k) == len(g.length) {
		g.length = append(g.length, 0)
	}
	g.length[k] = max(g.length[k], len(tokens))
	p := &g.phrase[i]
	for k, t := range p.tags {
		if t == param {
			p.counts[k]++
			return
		}
	}
	p.tags, p.counts = append(p.tags, param), append(p.counts, 1)
}

// mark finds the known values of a sentence, for each allowed param the longest at each place. own
// holds the sentence's own spans in training: a value that no other example has does not count as
// known, or training would rely on the gazetteer alone.
func (g *gazetteer) mark(s *sentence, own []gold) {
	s.known = s.known[:0]
	for i := range s.tokens {
		k, ok := g.first.Get(s.tokens[i].low)
		if !ok {
			continue
		}
		h := seed
		for j := i; j < min(i+g.length[k], len(s.tokens)); j++ {
			h = mix(0, h, s.tokens[j].low)
			if p, ok := g.index.Get(h); ok {
				g.found(s, i, j+1, &g.phrase[p], own, h)
			}
		}
	}
}

func (g *gazetteer) found(s *sentence, from, to int, p *phrase, own []gold, h uint64) {
	for k, param := range p.tags {
		if s.local[param] < 0 {
			continue
		}
		count := p.counts[k]
		for _, o := range own {
			if o.param == param && o.to-o.from == to-from && key(s.tokens[o.from:o.to]) == h {
				count--
			}
		}
		if count > 0 {
			s.know(param, from, to)
		}
	}
}

// know keeps the longest of overlapping values of a param, the first of equal ones.
func (s *sentence) know(param int32, from, to int) {
	for i := range s.known {
		o := &s.known[i]
		if o.param != param || from >= o.to || o.from >= to {
			continue
		}
		if to-from > o.to-o.from {
			o.from, o.to = from, to
		}
		return
	}
	s.known = append(s.known, gold{param, from, to})
}
