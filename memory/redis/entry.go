package redis

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"slices"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
	"github.com/slotway/slotway/memory/seal"
)

// entry is what Redis holds of a session: its newest active messages, oldest first, and the
// version that they are of. In Redis it is one value: a checksum over its place and its content, and the
// content as gob, which changes neither raw arguments nor texts that are not UTF-8.
type entry struct {
	Version, NextSeq int64
	Created, Updated time.Time // tell a version from one of the same number, after the store has gone back
	Messages         []memory.Message

	sum string // of the value that was read; "": there was none
}

// sumBytes is the length of a checksum: of a SHA-256, so that another session's entry does not pass.
const sumBytes = 8

// tombstone is the value of a session that was deleted a moment ago: a Load that began before may
// still want to write what it read.
const tombstone = "deleted."

func checksum(place string, content []byte) string {
	h := sha256.New()
	h.Write([]byte(place))
	h.Write(content)
	return string(h.Sum(nil)[:sumBytes])
}

// encode returns the value of an entry at a place, sealed where the box has keys.
func (e *entry) encode(place string, box seal.Box) (string, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(e)
	content := b.Bytes()
	if err == nil {
		err = box.Seal("entry", func() []byte { return []byte(place) }, &content)
	}
	return checksum(place, content) + string(content), err
}

// decode reads what encode has written for the same place. Miss: there is nothing; Damaged: it is
// something else.
func decode(place, value string, box seal.Box) (entry, string) {
	if value == "" || value == tombstone {
		return entry{sum: value}, Miss
	}
	if len(value) < sumBytes {
		return entry{sum: value}, Damaged
	}
	sum, content := value[:sumBytes], []byte(value[sumBytes:])
	var e entry
	isWhole := checksum(place, content) == sum && box.Open("entry", func() []byte { return []byte(place) }, &content) == nil
	if !isWhole || gob.NewDecoder(bytes.NewReader(content)).Decode(&e) != nil {
		return entry{sum: sum}, Damaged
	}
	for i := range e.Messages {
		e.Messages[i].Timestamp = e.Messages[i].Timestamp.UTC()
	}
	e.sum = sum
	return e, Hit
}

// entryOf is the entry of a session as the store shows it.
func entryOf(snap *memory.Snapshot) *entry {
	return &entry{
		Version: snap.State.Version, NextSeq: snap.NextSeq,
		Created: snap.CreatedAt, Updated: snap.UpdatedAt, Messages: snap.Recent,
	}
}

// is reports whether the entry is of the version that the store shows.
func (e *entry) is(snap *memory.Snapshot) bool {
	counters := e.Version == snap.State.Version && e.NextSeq == snap.NextSeq
	return counters && e.Created.Equal(snap.CreatedAt) && e.Updated.Equal(snap.UpdatedAt)
}

// window returns the n newest active messages of the session that the store shows. Stale:
// the entry is of another version; Miss: it does not hold as many.
func (e *entry) window(snap *memory.Snapshot, n int) ([]memory.Message, string) {
	if !e.is(snap) {
		return nil, Stale
	}
	list := e.Messages
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

// after returns the entry after a commit; false: the commit does not continue this entry. A version
// of the same number may have been committed at another time: the store has gone back behind it, and
// on by another way.
func (e *entry) after(d *memory.Delta, window int) (*entry, bool) {
	isBase := e.Version == d.Base && (d.BaseAt.IsZero() || e.Updated.Equal(memory.Moment(d.BaseAt)))
	follows := len(d.Messages) == 0 || d.Messages[0].Seq == e.NextSeq
	if !isBase || !follows {
		return nil, false
	}
	list := slices.Clone(e.Messages)
	for i := range d.Messages {
		m, ok := stored(d.Messages[i])
		if !ok {
			return nil, false
		}
		list = append(list, m)
	}
	return &entry{
		Version: d.Base + 1, NextSeq: e.NextSeq + int64(len(d.Messages)), Created: e.Created, Updated: memory.Moment(d.At),
		Messages: list[max(0, len(list)-window):],
	}, true
}

// stored is a message as the store gives it back.
func stored(m memory.Message) (memory.Message, bool) {
	extras, err := record.ExtrasOf(&m)
	m.Timestamp, m.ToolCalls, m.Metadata = memory.Moment(m.Timestamp), nil, nil
	return m, err == nil && extras.Apply(&m)
}
