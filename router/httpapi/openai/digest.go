package openai

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"strconv"

	"github.com/google/uuid"

	"github.com/slotway/slotway/memory"
)

// digests makes every name that follows from what somebody said, or from an id that somebody
// chose. Nothing else in this package hashes, so one key covers all of it.
type digests struct {
	fresh func() hash.Hash // at least 16 bytes; safe for concurrent use
}

func newDigests(fresh func() hash.Hash) digests {
	if fresh == nil {
		fresh = sha256.New
	}
	return digests{fresh}
}

// history names what one user and one agent said up to each of some lines: upTo counts
// lines, the smallest first. It reads the lines once, however many names are asked for.
func (d digests) history(owner memory.Key, kind string, said []line, upTo ...int) []string {
	h := d.fresh()
	add(h, owner.UserID, owner.AgentID, kind)
	names, read := make([]string, 0, len(upTo)), 0
	for _, n := range upTo {
		for ; read < n; read++ {
			add(h, said[read].role, canonical(said[read].text))
		}
		names = append(names, hex.EncodeToString(h.Sum(nil)))
	}
	return names
}

// session makes a session's id from what only its user can know, so that sending the same
// again finds the same session.
func (d digests) session(parts ...string) string {
	var b bytes.Buffer
	add(&b, parts...)
	return uuid.NewHash(d.fresh(), uuid.Nil, b.Bytes(), 8).String()
}

// add writes parts so that no two lists give the same bytes.
func add(h io.Writer, parts ...string) {
	for _, part := range parts {
		_, _ = io.WriteString(h, strconv.Itoa(len(part))+":"+part) // neither a hash nor a buffer fails
	}
}
