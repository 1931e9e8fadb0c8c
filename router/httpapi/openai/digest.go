package openai

import (
	"encoding/hex"

	"github.com/slotway/slotway/memory"
)

// digests makes the digests of what somebody said and of ids that somebody chose. Nothing else in this
// package hashes, so the store's keys cover all of it.
type digests struct{ keys *memory.Digests }

// history returns digests of what a user and an agent said, up to each number of lines in upTo, which
// ascends. It reads the lines once.
func (d digests) history(owner memory.Key, kind string, said []line, upTo ...int) []string {
	hash := d.keys.Hash()
	add := func(parts ...string) { hash.Write(memory.LengthPrefixed(parts...)) }
	add(owner.UserID, owner.AgentID, kind)
	names, read := make([]string, 0, len(upTo)), 0
	for _, n := range upTo {
		for ; read < n; read++ {
			add(said[read].role, canonical(said[read].text))
		}
		names = append(names, hex.EncodeToString(hash.Sum(nil)))
	}
	return names
}

// session makes a session's id of what only its user can know, so that the same request finds the same
// session.
func (d digests) session(parts ...string) string { return d.keys.UUID(parts...) }
