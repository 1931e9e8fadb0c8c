package openai

import (
	"encoding/hex"

	"github.com/slotway/slotway/memory"
)

// digests makes every name that follows from what somebody said, or from an id that somebody
// chose. Nothing else in this package hashes, so the store's keys cover all of it.
type digests struct{ keys *memory.Digests }

// history names what one user and one agent said up to each of some lines: upTo counts lines,
// the smallest first. Of each the first name is today's, the others are those that earlier keys
// gave. It reads the lines once, however many names are asked for.
func (d digests) history(owner memory.Key, kind string, said []line, upTo ...int) [][]string {
	hashes := d.keys.Hashes()
	add := func(parts ...string) {
		text := memory.LengthPrefixed(parts...)
		for _, h := range hashes {
			h.Write(text)
		}
	}
	add(owner.UserID, owner.AgentID, kind)
	names, read := make([][]string, 0, len(upTo)), 0
	for _, n := range upTo {
		for ; read < n; read++ {
			add(said[read].role, canonical(said[read].text))
		}
		of := make([]string, len(hashes))
		for i, h := range hashes {
			of[i] = hex.EncodeToString(h.Sum(nil))
		}
		names = append(names, of)
	}
	return names
}

// session makes a session's id from what only its user can know, so that sending the same
// again finds the same session.
func (d digests) session(parts ...string) string { return d.keys.UUID(parts...) }
