package recall

// Dead docs are dropped once a scan is worth it.
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

// tidy drops dead docs if that is due.
func (x *index) tidy() {
	if x.dead >= deadLeast && x.dead*deadShare >= len(x.docs) {
		x.compact()
	}
}

// compact drops dead docs and deleted sessions. The result is the same as an index of what is left.
func (x *index) compact() {
	sessions, sessionAt := x.sessions[:0], make([]uint32, len(x.sessions))
	for i, s := range x.sessions {
		if s.gone {
			continue
		}
		sessionAt[i] = uint32(len(sessions))
		x.ids[s.id] = sessionAt[i]
		sessions = append(sessions, s)
	}
	clear(x.sessions[len(sessions):])
	x.sessions = sessions

	docs, docAt := make([]doc, 0, len(x.docs)-x.dead), make([]int32, len(x.docs))
	for i := range x.docs {
		docAt[i] = -1
		if x.docs[i].flags&dead == 0 {
			docAt[i] = int32(len(docs))
			docs = append(docs, x.docs[i])
		}
	}
	for i := range docs {
		d := &docs[i]
		d.session = sessionAt[d.session]
		d.prev, d.next = moved(docAt, d.prev), moved(docAt, d.next)
	}
	for i := range x.sessions {
		x.sessions[i].last = moved(docAt, x.sessions[i].last)
	}
	x.keepTerms(docAt)
	for i, old := range x.meaning {
		x.meaning[i] = old.keep(docAt)
	}
	x.docs, x.dead = docs, 0
	x.keepSpeakers()
	x.keepSets()
}

// keepTerms drops the terms that no doc has any more. A term stays embedded as the word that it was
// first seen as, even if that doc is gone.
func (x *index) keepTerms(docAt []int32) {
	termAt, lists := make([]uint32, len(x.lists)), make([]postings, 0, len(x.lists))
	for i := range x.lists {
		termAt[i] = noTerm
		if kept := x.lists[i].keep(docAt); kept.docs > 0 {
			termAt[i] = uint32(len(lists))
			lists = append(lists, kept)
		}
	}
	x.lists = lists
	for word, t := range x.terms {
		if x.terms[word] = termAt[t]; termAt[t] == noTerm {
			delete(x.terms, word)
		}
	}
	for i := range x.speakers {
		terms := x.speakers[i].terms[:0]
		for _, t := range x.speakers[i].terms {
			if termAt[t] != noTerm {
				terms = append(terms, termAt[t])
			}
		}
		x.speakers[i].terms = terms
	}
	if x.vocab != nil {
		x.vocab.keep(termAt)
	}
}

// keepSpeakers drops speakers without docs.
func (x *index) keepSpeakers() {
	used := make([]bool, len(x.speakers))
	for i := range x.docs {
		used[x.docs[i].speaker] = true
	}
	at, speakers := make([]uint16, len(x.speakers)), x.speakers[:1]
	x.isName = make([]bool, len(x.lists))
	for i := 1; i < len(used); i++ {
		if !used[i] {
			continue
		}
		at[i] = uint16(len(speakers))
		speakers = append(speakers, x.speakers[i])
		for _, t := range x.speakers[i].terms {
			x.isName[t] = true
		}
	}
	x.speakers = speakers
	for name, n := range x.names {
		if x.names[name] = at[n]; at[n] == noSpeaker {
			delete(x.names, name)
		}
	}
	for i := range x.docs {
		x.docs[i].speaker = at[x.docs[i].speaker]
	}
}

// keepSets drops sets of tags without docs.
func (x *index) keepSets() {
	old := x.sets
	x.sets, x.setOf = []string{""}, map[string]uint32{"": 0}
	for i := range x.docs {
		d := &x.docs[i]
		d.tags = x.set(old[d.tags])
	}
}

// moved returns the new number of a doc; -1: dropped.
func moved(docAt []int32, n int32) int32 {
	if n < 0 {
		return -1
	}
	return docAt[n]
}

func (p *postings) keep(docAt []int32) postings {
	var kept postings
	for c := p.cursor(); c.next(); {
		if n := docAt[c.doc]; n >= 0 {
			kept.add(uint32(n), int(c.occur))
		}
	}
	return kept
}

func (m *matrix) keep(docAt []int32) *matrix {
	kept := &matrix{}
	for n := range m.scale {
		if at := docAt[n]; at >= 0 && m.scale[n] != 0 {
			kept.set(int(at), m.rows[n*m.dim:(n+1)*m.dim], m.scale[n])
		}
	}
	return kept
}

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
