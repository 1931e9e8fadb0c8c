package redis

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/slotway/slotway/memory"
)

// An entry is one list in Redis: the newest active messages of a session, oldest first, and a trailer
// that names their session and version. One command reads both, and a script changes both or nothing.

// schema is part of every entry id: another form of entries begins with none.
const schema = "slotway window 1"

// tombstone is an entry without messages that is not filled for a while: the session was deleted a
// moment ago, and a Load that began before may still want to write what it read.
const tombstone = "gone"

// entryID names a session's entry: a digest of everything that names the session.
type entryID string

func newEntryID(namespace string, key memory.Key) entryID {
	h := sha256.New()
	for _, part := range [...]string{schema, namespace, key.UserID, key.AgentID, key.SessionID} {
		h.Write([]byte(strconv.Quote(part)))
	}
	return entryID(hex.EncodeToString(h.Sum(nil)[:16]))
}

// trailer ends an entry. Times are in microseconds.
type trailer struct {
	id               entryID
	version, nextSeq int64
	created          int64 // tells a session from one that was deleted and begun again
	bytes            int   // of all messages
	updated          int64
}

// String is the form that the scripts parse (scripts.go).
func (m trailer) String() string {
	b := append(make([]byte, 0, 96), m.id...)
	for _, n := range [...]int64{m.version, m.nextSeq, m.created, int64(m.bytes), m.updated} {
		b = strconv.AppendInt(append(b, '|'), n, 10)
	}
	return string(b)
}

func parseTrailer(text string) (m trailer, ok bool) {
	parts := strings.Split(text, "|")
	if len(parts) != 6 {
		return trailer{}, false
	}
	var n [5]int64
	for i, part := range parts[1:] {
		var err error
		if n[i], err = strconv.ParseInt(part, 10, 64); err != nil {
			return trailer{}, false
		}
	}
	return trailer{entryID(parts[0]), n[0], n[1], n[2], int(n[3]), n[4]}, true
}

// trailerOf returns the trailer of a session as the store shows it.
func trailerOf(id entryID, snap *memory.Snapshot) trailer {
	return trailer{
		id: id, version: snap.State.Version, nextSeq: snap.NextSeq,
		created: snap.CreatedAt.UnixMicro(), updated: snap.UpdatedAt.UnixMicro(),
	}
}

// entry is a cache entry as it was read.
type entry struct {
	text     string // of the trailer; "" if there is no entry
	trailer  trailer
	messages []memory.Message
}

// parse reads what a list holds. Miss: nothing; Damaged: nothing that can be read.
func parse(id entryID, list []string) (entry, string) {
	if len(list) == 0 {
		return entry{}, Miss
	}
	e := entry{text: list[len(list)-1]}
	if e.text == tombstone {
		return e, Miss
	}
	var ok bool
	if e.trailer, ok = parseTrailer(e.text); !ok || e.trailer.id != id {
		return e, Damaged
	}
	e.messages = make([]memory.Message, len(list)-1, len(list)+3) // a turn appends a few
	for i, text := range list[:len(list)-1] {
		if e.messages[i], ok = unpack(id, text); !ok {
			return e, Damaged
		}
		if i > 0 && e.messages[i].Seq <= e.messages[i-1].Seq {
			return e, Damaged
		}
	}
	return e, Hit
}

// window returns the n newest active messages of the session that the store shows. Stale:
// the entry is of another version; Miss: it does not hold as many.
func (e *entry) window(snap *memory.Snapshot, n int) ([]memory.Message, string) {
	want := trailerOf(e.trailer.id, snap)
	want.bytes = e.trailer.bytes
	if e.trailer != want {
		return nil, Stale
	}
	list := e.messages
	for len(list) > 0 && list[0].Seq < snap.Floor {
		list = list[1:]
	}
	list = list[max(0, len(list)-n):]
	switch {
	case len(list) < n && int64(len(list)) != snap.History():
		return nil, Miss
	case len(list) == 0:
		return nil, Hit
	}
	return list, Hit
}
