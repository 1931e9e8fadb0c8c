package redis

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/slotway/slotway/memory"
)

// A message is packed as its checksum and its fields in the order of memory.Message:
// numbers as varints, texts with their length before them. JSON would not do: it changes
// raw arguments and texts that are not UTF-8, and takes ten times as long.

// sumBytes is the length of a checksum: of a SHA-256 over the place and the fields, so that
// a message of another session does not pass.
const sumBytes = 8

func checksum(id entryID, fields []byte) [sumBytes]byte {
	h := sha256.New()
	h.Write([]byte(id))
	h.Write(fields)
	return [sumBytes]byte(h.Sum(nil)[:sumBytes])
}

// pack writes a message as the store keeps it: its time in microseconds.
func pack(id entryID, m *memory.Message) string {
	b := make([]byte, sumBytes, sumBytes+96+len(m.Text))
	b = binary.AppendVarint(b, m.Seq)
	b = binary.AppendVarint(b, m.Turn)
	b = appendText(b, string(m.Role))
	b = appendText(b, m.Text)
	b = binary.AppendVarint(b, memory.Moment(m.Timestamp).UnixMicro())
	b = appendCount(b, len(m.Metadata), m.Metadata == nil)
	for _, k := range slices.Sorted(maps.Keys(m.Metadata)) {
		b = appendText(appendText(b, k), m.Metadata[k])
	}
	b = appendCount(b, len(m.ToolCalls), m.ToolCalls == nil)
	for i := range m.ToolCalls {
		call := &m.ToolCalls[i]
		b = appendText(appendText(b, call.ID), call.Tool)
		b = appendCount(b, len(call.Args), call.Args == nil)
		b = append(b, call.Args...)
	}
	b = appendText(appendText(b, m.ToolCallID), m.Name)
	b = binary.AppendVarint(b, int64(m.Tokens))
	b = binary.AppendVarint(b, int64(m.Importance))
	sum := checksum(id, b[sumBytes:])
	copy(b, sum[:])
	return string(b)
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// appendCount writes a length, so that none and empty stay apart.
func appendCount(b []byte, n int, none bool) []byte {
	if none {
		return append(b, 0)
	}
	return binary.AppendUvarint(b, uint64(n)+1)
}

// unpack reads what pack wrote for the same place, and nothing else.
func unpack(id entryID, text string) (m memory.Message, ok bool) {
	b := []byte(text)
	if len(b) < sumBytes || checksum(id, b[sumBytes:]) != [sumBytes]byte(b) {
		return m, false
	}
	r := reader{rest: b[sumBytes:]}
	m = memory.Message{Seq: r.number(), Turn: r.number(), Role: memory.Role(r.text()), Text: r.text()}
	m.Timestamp = time.UnixMicro(r.number()).UTC()
	if n, some := r.count(); some {
		m.Metadata = make(map[string]string, n)
		for range n {
			k := r.text()
			m.Metadata[k] = r.text()
		}
	}
	if n, some := r.count(); some {
		m.ToolCalls = make([]memory.ToolCall, n)
		for i := range m.ToolCalls {
			m.ToolCalls[i] = memory.ToolCall{ID: r.text(), Tool: r.text(), Args: r.args()}
		}
	}
	m.ToolCallID, m.Name = r.text(), r.text()
	m.Tokens, m.Importance = int(r.number()), int(r.number())
	return m, !r.bad && len(r.rest) == 0
}

// reader takes fields off a packed message; bad once one was cut short.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) number() int64 {
	n, size := binary.Varint(r.rest)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) length() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail()
		return nil
	}
	out := r.rest[:n:n]
	r.rest = r.rest[n:]
	return out
}

func (r *reader) text() string { return string(r.take(r.length())) }

// count reads what appendCount wrote. Every element takes a byte at least, so that no
// count asks for more than there is.
func (r *reader) count() (n uint64, some bool) {
	n = r.length()
	if n == 0 {
		return 0, false
	}
	if n-1 > uint64(len(r.rest)) {
		r.fail()
		return 0, false
	}
	return n - 1, true
}

func (r *reader) args() json.RawMessage {
	n, some := r.count()
	if !some {
		return nil
	}
	return append(json.RawMessage{}, r.take(n)...)
}

func (r *reader) fail() { r.rest, r.bad = nil, true }
