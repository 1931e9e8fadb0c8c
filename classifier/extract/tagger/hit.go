package tagger

// broad returns the number of a token: that of its recognised kind, else that of its word.
func (s *sentence) broad(i int) uint64 {
	if m := s.mark(i); m != 0 {
		return m
	}
	return s.low(i)
}

// hitFeatures adds the features of the words around a hit as a whole: "for" before all of "half
// past two".
func (s *sentence) hitFeatures(i int, into []uint64) []uint64 {
	m, hit := s.marks[i], s.hits[i]
	if m == 0 {
		return into
	}
	before, after := s.broad(hit.from-1), s.broad(hit.to)
	return append(into,
		mix(fHitBefore, m, before),
		mix(fHitAfter, m, after),
		mix(fHitAround, m, mix(0, after, before)),
		mix(fHitTwoBefore, m, mix(0, s.broad(hit.from-2), before)),
		mix(fHitTwoAfter, m, mix(0, s.broad(hit.to+1), after)),
	)
}

// wholeFeatures adds features of a short message as a whole, as most replies to a question are.
func (s *sentence) wholeFeatures(i int, into []uint64) []uint64 {
	if s.whole == 0 {
		return into
	}
	return append(into, mix(fWhole, s.whole, uint64(i)), mix(fWholeAsked, s.whole, uint64(i)^s.asked))
}

// shortest is the greatest number of tokens of such a message.
const shortest = 5

// readWhole sums up a short message.
func (s *sentence) readWhole() {
	s.whole = 0
	if len(s.tokens) > shortest {
		return
	}
	s.whole = seed
	for i := range s.tokens {
		s.whole = mix(0, s.whole, s.broad(i))
	}
}
