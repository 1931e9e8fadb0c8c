package sqlstore

import (
	"context"
	"encoding/binary"
	"encoding/json"

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
	Version, Next, Created, Updated, From int64
	Messages                              []memory.Message
}

// of reports whether a window is that of a row, and reaches back far enough.
func (w *window) of(r *sessionRow, recent int64) bool {
	h := r.counters
	isSame := w.Version == h.Version && w.Next == h.NextSeq
	return isSame && w.Created == r.created && w.Updated == r.updated && w.From <= h.Window(recent)
}

// readWindow reads what setShared has written of a session; nil: it is something else.
func readWindow(p place, value []byte) *window {
	if len(value) < 4 {
		return nil
	}
	sealed, w := value[4:], &window{}
	isWhole := sumOf(p, sealed) == binary.LittleEndian.Uint32(value)
	if !isWhole || p.box.Open("window", p.digestBytes, &sealed) != nil || json.Unmarshal(sealed, w) != nil {
		return nil
	}
	return w
}

func sumOf(p place, value []byte) uint32 {
	var sum record.Sum
	return uint32(sum.Texts(p.digest.String(), string(value)).CRC())
}

// setShared shares a session as it is cached here.
func (s *Store) setShared(ctx context.Context, e *cached) {
	if s.shared == nil || e == nil {
		return
	}
	p, h := s.placeOf(e.row.key), e.row.counters
	text, err := record.JSON(&window{h.Version, h.NextSeq, e.row.created, e.row.updated, e.from, e.recent})
	value := []byte(text)
	if err != nil || p.box.Seal("window", p.digestBytes, &value) != nil {
		return // unreachable: the messages were stored
	}
	s.shared.Set(context.WithoutCancel(ctx), p.digest.String(), append(binary.LittleEndian.AppendUint32(nil, sumOf(p, value)), value...))
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
	for len(w.Messages) > 0 && w.Messages[0].Seq < first {
		w.Messages = w.Messages[1:]
	}
	snap.Recent = newest(w.Messages, opts.Recent)
	l.recent = int64(opts.Recent)
	s.keepLoaded(l, snap)
	return snap, nil
}
