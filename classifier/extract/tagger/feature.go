package tagger

// sentence is a message as the features see it. It belongs to one goroutine.
type sentence struct {
	tokens []token
	marks  []uint64  // of the hits that cover each token: 0 none, else what and where in it
	second []uint64  // the same for a second hit on the token
	known  []gold    // values seen in training
	hits   []stretch // by token, of marks
	whole  uint64    // of all tokens of a short message; 0: it is long
	asked  uint64    // of the params being asked for; 0: none
	local  []int32   // by param: its place among the allowed ones, or -1
	params []int32   // the allowed params, in the model's order
}

// stretch is a run of tokens.
type stretch struct{ from, to int }

// gold is a span of tokens with its param.
type gold struct {
	param    int32
	from, to int
}

// Kinds of features. Every name is one template.
const (
	fBias uint8 = iota
	fWord
	fBefore
	fAfter
	fBefore2
	fAfter2
	fBefore3
	fAfter3
	fBefore4
	fAfter4
	fThreeBefore
	fPairBefore
	fPairAfter
	fAround
	fTwoBefore
	fTwoAfter
	fShape
	fShapeBefore
	fShapeAfter
	fShapes
	fPrefix
	fSuffix
	fSuffixBefore
	fSuffixAfter
	fGlued
	fEdge
	fMark
	fMarkBefore
	fMarkAfter
	fMarkWordBefore
	fKnown
	fKnownBefore
	fKnownAfter
	fKnownWordBefore
	fAsked
	fAskedWord
	fAskedBefore
	fAskedAfter
	fAskedShape
	fAskedMark
	fAskedEdge
	fHitBefore
	fHitAfter
	fHitAround
	fHitTwoBefore
	fHitTwoAfter
	fWhole
	fWholeAsked
)

// Words beyond the ends of a message.
const (
	opens  uint64 = 0x2545f4914f6cdd1d
	closes uint64 = 0x9e6c63d0876a9a47
)

func (s *sentence) low(i int) uint64 {
	switch {
	case i < 0:
		return opens
	case i >= len(s.tokens):
		return closes
	}
	return s.tokens[i].low
}

func (s *sentence) shape(i int) uint64 {
	if i < 0 || i >= len(s.tokens) {
		return 0
	}
	return s.tokens[i].shape
}

func (s *sentence) mark(i int) uint64 {
	if i < 0 || i >= len(s.tokens) {
		return 0
	}
	return s.marks[i]
}

// features appends the hashes of what is seen at token i to into.
func (s *sentence) features(i int, into []uint64) []uint64 {
	t := &s.tokens[i]
	w, before, after := t.low, s.low(i-1), s.low(i+1)
	into = append(into,
		mix(fBias, 0, 0),
		mix(fWord, w, 0),
		mix(fBefore, before, 0),
		mix(fAfter, after, 0),
		mix(fBefore2, s.low(i-2), 0),
		mix(fAfter2, s.low(i+2), 0),
		mix(fBefore3, s.low(i-3), 0),
		mix(fAfter3, s.low(i+3), 0),
		mix(fThreeBefore, s.low(i-3), mix(0, s.low(i-2), before)),
		mix(fBefore4, s.low(i-4), 0),
		mix(fAfter4, s.low(i+4), 0),
		mix(fPairBefore, before, w),
		mix(fPairAfter, w, after),
		mix(fAround, before, after),
		mix(fTwoBefore, s.low(i-2), before),
		mix(fTwoAfter, after, s.low(i+2)),
		mix(fShape, t.shape, 0),
		mix(fShapeBefore, s.shape(i-1), t.shape),
		mix(fShapeAfter, t.shape, s.shape(i+1)),
		mix(fShapes, mix(fShapes, s.shape(i-1), t.shape), s.shape(i+1)),
		mix(fEdge, s.place(i), 0),
	)
	for k := range edges {
		if k > 0 && t.prefix[k] != 0 {
			into = append(into, mix(fPrefix, t.prefix[k], uint64(k)))
		}
		if k > 0 && t.suffix[k] != 0 {
			into = append(into, mix(fSuffix, t.suffix[k], uint64(k)))
		}
	}
	if i > 0 {
		into = append(into, mix(fSuffixBefore, s.tokens[i-1].suffix[2], 0))
	}
	if i+1 < len(s.tokens) {
		into = append(into, mix(fSuffixAfter, s.tokens[i+1].suffix[2], 0))
	}
	if t.glued {
		into = append(into, mix(fGlued, t.shape, s.shape(i-1)))
	}
	into = s.markFeatures(i, into)
	into = s.hitFeatures(i, into)
	into = s.knownFeatures(i, into)
	into = s.askedFeatures(i, into)
	return s.wholeFeatures(i, into)
}

// place tells the ends of a message from its middle.
func (s *sentence) place(i int) uint64 {
	p := uint64(0)
	if i == 0 {
		p = 1
	}
	if i == len(s.tokens)-1 {
		p += 2
	}
	return p
}

func (s *sentence) markFeatures(i int, into []uint64) []uint64 {
	if m := s.marks[i]; m != 0 {
		into = append(into, mix(fMark, m, 0), mix(fMarkWordBefore, m, s.low(i-1)))
	}
	if m := s.second[i]; m != 0 {
		into = append(into, mix(fMark, m, 0))
	}
	if m := s.mark(i - 1); m != 0 {
		into = append(into, mix(fMarkBefore, m, 0))
	}
	if m := s.mark(i + 1); m != 0 {
		into = append(into, mix(fMarkAfter, m, 0))
	}
	return into
}

func (s *sentence) knownFeatures(i int, into []uint64) []uint64 {
	for _, k := range s.known {
		switch {
		case k.from <= i && i < k.to:
			what := uint64(k.param)<<3 | spot(i, k.from, k.to)
			into = append(into, mix(fKnown, what, 0), mix(fKnownWordBefore, what, s.low(k.from-1)))
		case i == k.to:
			into = append(into, mix(fKnownBefore, uint64(k.param), 0))
		case i == k.from-1:
			into = append(into, mix(fKnownAfter, uint64(k.param), 0))
		}
	}
	return into
}

// spot tells the first, the last, a middle and the only token of a span apart.
func spot(i, from, to int) uint64 {
	p := uint64(1)
	if i == from {
		p |= 2
	}
	if i == to-1 {
		p |= 4
	}
	return p
}

func (s *sentence) askedFeatures(i int, into []uint64) []uint64 {
	a := s.asked
	if a == 0 {
		return into
	}
	t := &s.tokens[i]
	into = append(into,
		mix(fAsked, a, 0),
		mix(fAskedWord, a, t.low),
		mix(fAskedBefore, a, s.low(i-1)),
		mix(fAskedAfter, a, s.low(i+1)),
		mix(fAskedShape, a, t.shape),
		mix(fAskedEdge, a, s.place(i)<<8|uint64(min(len(s.tokens), 6))),
	)
	if m := s.marks[i]; m != 0 {
		into = append(into, mix(fAskedMark, a, m))
	}
	return into
}
