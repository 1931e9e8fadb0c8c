package recall

// With so many dead docs an index is built anew.
const (
	deadLeast = 64
	deadShare = 4 // one in this many
)

// setFloor makes the messages of a session before floor inactive: they are not found any more.
func (x *index) setFloor(sn uint32, floor int64) {
	s := &x.sessions[sn]
	if floor <= s.floor {
		return
	}
	s.floor, s.nextSeq = floor, max(s.nextSeq, floor)
	n := s.last
	for n >= 0 && x.docs[n].seq >= floor {
		if before := x.docs[n].prev; before >= 0 && x.docs[before].seq < floor {
			x.docs[n].prev = -1
			n = before
			break
		}
		n = x.docs[n].prev
	}
	if n >= 0 && n == s.last {
		s.last = -1
	}
	for n >= 0 {
		d := &x.docs[n]
		d.flags |= dead
		x.dead++
		s.words -= int64(d.words)
		x.words -= int64(d.words)
		if d.flags&byAgent == 0 {
			x.humanWords -= int64(d.words)
			x.humans--
		}
		d.next, n = -1, d.prev
		d.prev = -1
	}
}

// remove removes a session.
func (x *index) remove(sn uint32) {
	s := &x.sessions[sn]
	if s.gone {
		return
	}
	x.setFloor(sn, 1<<62)
	s.gone = true
	delete(x.ids, s.id)
}

// isWasteful reports whether so much of the index is dead that it is to be built anew.
func (x *index) isWasteful() bool { return x.dead >= deadLeast && x.dead*deadShare >= len(x.docs) }

// size returns the approximate size of the index in bytes.
func (x *index) size() int64 {
	const (
		docBytes  = 56
		termBytes = 32 + 48 + 1 // postings, entry in the map, isName
		wordBytes = 4 + 24 + 8*signWords
	)
	n := docBytes*len(x.docs) + termBytes*len(x.lists) + 128*len(x.sessions)
	for i := range x.lists {
		n += cap(x.lists[i].data)
	}
	for _, m := range x.meaning {
		n += cap(m.rows) + 4*cap(m.scale) + 8*cap(m.signs)
	}
	if x.vocab != nil {
		n += wordBytes * len(x.vocab.words)
	}
	return int64(n)
}
