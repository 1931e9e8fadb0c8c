package recall

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/memory"
)

// index holds the messages of one scope: what a user and an agent said in all their sessions. It
// holds no texts. It is not safe for concurrent use by itself.
type index struct {
	terms map[string]uint32
	lists []postings // by term
	docs  []doc
	dead  int // docs that are never returned again

	sessions []session
	ids      map[string]uint32 // living sessions by id

	speakers []speaker
	names    map[string]uint16 // of speakers, as written

	words      int64 // in all docs
	humanWords int64 // in docs that no agent wrote
	humans     int64

	sets  []string          // sets of tags as messages have them; the first is the empty one
	setOf map[string]uint32 // index of a set

	isName []bool // by term: it is part of a speaker's name

	meaning  []*matrix       // by embedder; rows are docs
	local    []localEmbedder // by embedder; nil: a job makes its rows
	vecs     [][]float32     // scratch, by embedder
	vocab    *vocabulary     // nil: words are not embedded
	external *externalIndex  // nil: vectors are in meaning; else meaning stays empty

	scan scanner
	seen []uint32 // scratch: the terms of one message
}

// doc is one message.
type doc struct {
	at         int64 // Unix microseconds
	seq        int64
	check      uint64 // checksum of its text
	session    uint32
	prev, next int32 // in its session; -1: none
	words      uint16
	speaker    uint16
	flags      uint8
	importance int8
	tags       uint32 // index of its set of tags
}

// Flags of a doc.
const (
	byAgent uint8 = 1 << iota
	question
	dead
)

// session is one conversation of the scope.
type session struct {
	id      string
	created int64 // Unix microseconds; a session with the same id but another time is a different one
	version int64 // the store's version that the index has read; 0: none
	updated int64 // Unix microseconds; time of that version
	epoch   int64 // that the index has read
	floor   int64 // first message of the epoch; earlier ones were cleared
	nextSeq int64 // first message that is not indexed
	last    int32 // newest doc; -1: none
	words   int64
	gone    bool

	digest ID      // with a vector store: digest of the session
	done   []int64 // with a vector store, by embedder: the newest message with a vector there
}

// speaker is a named author of messages.
type speaker struct{ terms []uint32 }

// noSpeaker stands for the author of messages without a name.
const noSpeaker = 0

func newIndex(embedders []Embedder) *index {
	x := &index{
		terms: map[string]uint32{}, ids: map[string]uint32{}, names: map[string]uint16{}, speakers: make([]speaker, 1),
		sets: []string{""}, setOf: map[string]uint32{"": 0},
	}
	for _, e := range embedders {
		local, _ := e.(localEmbedder)
		x.local = append(x.local, local)
		x.meaning = append(x.meaning, &matrix{})
		var room []float32
		if local != nil {
			room = make([]float32, e.Dimension())
		}
		x.vecs = append(x.vecs, room)
		if local != nil && x.vocab == nil {
			x.vocab = newVocabulary(local, e.Dimension())
		}
	}
	return x
}

// checkOf returns a checksum of a text: FNV-1a.
func checkOf(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

// Indexed reports whether recall finds a message: only those of the user and the agent, not those
// of tools and of the system.
func Indexed(m *memory.Message) bool {
	return (m.Role == memory.User || m.Role == memory.Agent) && strings.TrimSpace(m.Text) != ""
}

// open returns the number of a session and adds the session if needed.
func (x *index) open(id string) uint32 {
	if n, ok := x.ids[id]; ok {
		return n
	}
	n := uint32(len(x.sessions))
	s := session{id: id, nextSeq: 1, floor: 1, last: -1}
	if x.external != nil {
		s.digest = SessionID(memory.Key{UserID: x.external.key.User, AgentID: x.external.key.Agent, SessionID: id})
		s.done = make([]int64, len(x.local))
	}
	x.sessions = append(x.sessions, s)
	x.ids[id] = n
	return n
}

// add appends a message of a session, unless it is there already.
func (x *index) add(sn uint32, m *memory.Message) {
	s := &x.sessions[sn]
	if m.Seq < s.nextSeq {
		return
	}
	s.nextSeq = m.Seq + 1
	if !Indexed(m) {
		return
	}
	n := uint32(len(x.docs))
	d := doc{
		at: m.Timestamp.UnixMicro(), seq: m.Seq, check: checkOf(m.Text), session: sn, prev: s.last, next: -1,
		importance: int8(min(max(m.Importance, 0), 3)), speaker: x.speakerOf(m), tags: x.set(m.Metadata[memory.TagsKey]),
	}
	if m.Role == memory.Agent {
		d.flags |= byAgent
	}
	if asks(m.Text) {
		d.flags |= question
	}
	if s.last >= 0 {
		x.docs[s.last].next = int32(n)
	}
	s.last = int32(n)
	d.words = uint16(min(x.post(n, m, d.speaker), 1<<16-1))
	s.words += int64(d.words)
	x.words += int64(d.words)
	if d.flags&byAgent == 0 {
		x.humanWords += int64(d.words)
		x.humans++
	}
	x.docs = append(x.docs, d)
	if x.external != nil {
		return
	}
	for i, local := range x.local {
		if local != nil {
			local.EmbedInto(x.vecs[i], m.Text)
			x.meaning[i].setVector(int(n), x.vecs[i])
		}
	}
}

// set returns the index of a set of tags.
func (x *index) set(tags string) uint32 {
	n, ok := x.setOf[tags]
	if !ok {
		n = uint32(len(x.sets))
		x.sets = append(x.sets, tags)
		x.setOf[tags] = n
	}
	return n
}

// tagged returns for each set whether it has all of some tags.
func (x *index) tagged(tags []string) []bool {
	out := make([]bool, len(x.sets))
	for i, set := range x.sets {
		m := memory.Message{Metadata: map[string]string{memory.TagsKey: set}}
		out[i] = m.HasTags(tags)
	}
	return out
}

// post adds the terms of a message and returns the number of words of its text.
func (x *index) post(n uint32, m *memory.Message, by uint16) int {
	x.seen = x.seen[:0]
	note := func(term []byte) { x.seen = append(x.seen, x.intern(term, x.scan.surface())) }
	x.scan.terms(m.Text, note)
	words := len(x.seen)
	x.seen = append(x.seen, x.speakers[by].terms...)
	x.scan.dateTerms(m.Timestamp.UTC(), note)
	slices.Sort(x.seen)
	for i := 0; i < len(x.seen); {
		j := i + 1
		for j < len(x.seen) && x.seen[j] == x.seen[i] {
			j++
		}
		x.lists[x.seen[i]].add(n, j-i)
		i = j
	}
	return words
}

// intern returns the number of a term; word is the word that it is the stem of.
func (x *index) intern(term, word []byte) uint32 {
	if t, ok := x.terms[string(term)]; ok {
		return t
	}
	t := uint32(len(x.lists))
	x.terms[string(term)] = t
	x.lists = append(x.lists, postings{})
	x.isName = append(x.isName, false)
	if x.vocab != nil {
		x.vocab.add(t, word)
	}
	return t
}

// SpeakerKey is the metadata key of a message's author, for conversations of more than a user and
// an agent.
const SpeakerKey = "speaker"

func (x *index) speakerOf(m *memory.Message) uint16 {
	name := m.Metadata[SpeakerKey]
	if name == "" {
		return noSpeaker
	}
	if n, ok := x.names[name]; ok {
		return n
	}
	if len(x.speakers) == 1<<16-1 {
		return noSpeaker
	}
	var sp speaker
	x.scan.terms(name, func(term []byte) { sp.terms = append(sp.terms, x.intern(term, x.scan.surface())) })
	for _, t := range sp.terms {
		x.isName[t] = true
	}
	n := uint16(len(x.speakers))
	x.speakers = append(x.speakers, sp)
	x.names[name] = n
	return n
}
