package sqlstore

import (
	"context"
	"encoding/binary"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// Shared is a cache that processes have in common. It may lose what it holds, or hold what is old: a window of
// messages from it is used only where it is of the version that the database names.
type Shared interface {
	// Get returns nil for what it does not hold.
	Get(ctx context.Context, name string) []byte
	Set(ctx context.Context, name string, value []byte)
	Delete(ctx context.Context, name string)
	// Used hears whether what Get returned was used.
	Used(is bool)
	Close() error
}

// Share gives a store a cache. It is for windows of sessions that another process has used last.
func (s *Store) Share(shared Shared) { s.shared = shared }

// window is what is shared of a session: its row's version and times, and the messages from a number on.
type window struct {
	version, next, created, updated, from int64
	messages                              []memory.Message
}

// of reports whether a window is that of a row, and reaches back far enough.
func (w *window) of(r *sessionRow, recent int64) bool {
	h := r.counters
	isSame := w.version == h.Version && w.next == h.NextSeq
	return isSame && w.created == r.created && w.updated == r.updated && w.from <= h.Window(recent)
}

// readWindow reads what setShared has written of a session; nil: it is something else.
func readWindow(p place, value []byte) *window {
	if len(value) < 4 {
		return nil
	}
	sum := record.Sum{}
	sealed := value[4:]
	if uint32(sum.Texts(p.digest.String(), string(sealed)).CRC()) != binary.LittleEndian.Uint32(value) || p.box.Open("window", p.digestBytes, &sealed) != nil {
		return nil
	}
	var w window
	in, n := reader{rest: sealed}, int64(0)
	in.ints(&w.version, &w.next, &w.created, &w.updated, &w.from, &n)
	for range n {
		var at, tokens, importance int64
		var role, calls, metadata string
		m := memory.Message{}
		in.ints(&m.Seq, &m.Turn, &at, &tokens, &importance)
		in.texts(&role, &m.Text, &m.Name, &m.ToolCallID, &calls, &metadata)
		m.Role, m.Timestamp, m.Tokens, m.Importance = memory.Role(role), moment(at), int(tokens), int(importance)
		if in.short || !(record.Extras{Calls: calls, Metadata: metadata}).Apply(&m) {
			return nil
		}
		w.messages = append(w.messages, m)
	}
	return &w
}

// setShared shares a session as it is cached here.
func (s *Store) setShared(ctx context.Context, e *cached) {
	if s.shared == nil || e == nil {
		return
	}
	p, h := s.placeOf(e.row.key), e.row.counters
	var out, sum record.Sum
	out.Ints(h.Version, h.NextSeq, e.row.created, e.row.updated, e.from, int64(len(e.recent)))
	for i := range e.recent {
		m := &e.recent[i]
		x, err := record.ExtrasOf(m)
		if err != nil { // unreachable: it was stored
			return
		}
		out.Ints(m.Seq, m.Turn, micros(m.Timestamp), int64(m.Tokens), int64(m.Importance))
		out.Texts(string(m.Role), m.Text, m.Name, m.ToolCallID, x.Calls, x.Metadata)
	}
	value := out.Bytes()
	if p.box.Seal("window", p.digestBytes, &value) != nil {
		return
	}
	crc := uint32(sum.Texts(p.digest.String(), string(value)).CRC())
	s.shared.Set(context.WithoutCancel(ctx), p.digest.String(), append(binary.LittleEndian.AppendUint32(nil, crc), value...))
}

func (p *place) digestBytes() []byte { return p.digest[:] }

// forget takes a session out of both caches.
func (s *Store) forget(ctx context.Context, d digest) {
	s.cache.drop(d)
	if s.shared != nil {
		s.shared.Delete(context.WithoutCancel(ctx), d.String())
	}
}

// loadShared loads a session with a shared window; nil: there is none of it.
func (s *Store) loadShared(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	if s.shared == nil || opts.Recent <= 0 || opts.Fresh {
		return nil, nil
	}
	p := s.placeOf(key)
	value := s.shared.Get(ctx, p.digest.String())
	if len(value) == 0 {
		return nil, nil
	}
	w := readWindow(p, value)
	if w == nil {
		s.shared.Used(false)
		return nil, nil
	}
	l := &loading{place: p, key: key, request: opts.RequestID}
	snap, err := s.read(ctx, l)
	isSound := err == nil && l.row.begun() && len(snap.Damaged) == 0
	fits := isSound && w.of(l.row, int64(opts.Recent))
	if s.shared.Used(fits); !fits {
		return nil, nil // whatever the error was, the whole load meets it
	}
	first := l.row.counters.Floor
	for len(w.messages) > 0 && w.messages[0].Seq < first {
		w.messages = w.messages[1:]
	}
	snap.Recent = newest(w.messages, opts.Recent)
	l.recent = int64(opts.Recent)
	s.keepLoaded(l, snap)
	return snap, nil
}

// reader reads what a record.Sum has gathered.
type reader struct {
	rest  []byte
	short bool // something was missing
}

func (r *reader) take(n uint64) []byte {
	if r.short = r.short || n > uint64(len(r.rest)); r.short {
		return nil
	}
	part := r.rest[:n]
	r.rest = r.rest[n:]
	return part
}

func (r *reader) ints(into ...*int64) {
	for _, v := range into {
		if part := r.take(8); part != nil {
			*v = int64(binary.LittleEndian.Uint64(part))
		}
	}
}

func (r *reader) texts(into ...*string) {
	for _, text := range into {
		var n int64
		r.ints(&n)
		*text = string(r.take(uint64(n)))
	}
}
