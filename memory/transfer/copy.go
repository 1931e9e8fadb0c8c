package transfer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/slotway/slotway/memory"
)

// ErrDiffers: what was read back of a copy is not what was copied.
var ErrDiffers = errors.New("the copy differs from what was copied")

// CopyOptions of Copy; the zero value is right.
type CopyOptions struct {
	// Replace replaces an older session of the same key that began at the same moment: one that was
	// copied before it went on.
	Replace  bool
	Progress func(done, total int) // called after each session; may be nil
}

// CopyReport counts what Copy found and did. Counts of rows are of the target, read back.
type CopyReport struct {
	Sessions  int    `json:"sessions"`  // of the source
	Added     int    `json:"added"`     // to the target
	There     int    `json:"there"`     // in the target already, and the same
	Replaced  int    `json:"replaced"`  // older ones
	Conflicts int    `json:"conflicts"` // others of the same key are in the target: left as they are
	Changed   int    `json:"changed"`   // went on, were added or were deleted in the source meanwhile
	Messages  int    `json:"messages"`
	Turns     int    `json:"turns"`
	Steps     int    `json:"steps"`
	Views     int    `json:"views"`
	SHA256    string `json:"sha256"` // of the exports of all copied sessions, in the order of the source's listing
}

// Copy copies every session of a store into another, with its messages, turns, journal and views.
// It does not copy jobs: the next turn of a session leaves those that it needs. Each session is
// copied whole or not at all, read back, and compared byte by byte. An interrupted copy may be run
// again: it only compares the sessions that are there already. The source is not changed; the
// caller must keep others from writing to it, and Changed reports those that did.
func Copy(ctx context.Context, from, to memory.Backend, opts *CopyOptions) (CopyReport, error) {
	var o CopyOptions
	if opts != nil {
		o = *opts
	}
	var r CopyReport
	list, err := allSessions(ctx, from)
	if err != nil {
		return r, err
	}
	r.Sessions = len(list)
	if err := memory.CopyDigests(ctx, from, to); err != nil {
		return r, fmt.Errorf("copy the key of digests: %w", err)
	}
	sum := sha256.New()
	for i := range list {
		if err := o.copyOne(ctx, from, to, &list[i], &r, sum); err != nil {
			return r, fmt.Errorf("copy session %d of %d: %w", i+1, len(list), err)
		}
		if o.Progress != nil {
			o.Progress(i+1, len(list))
		}
	}
	r.SHA256 = hex.EncodeToString(sum.Sum(nil))
	after, err := allSessions(ctx, from)
	r.Changed = changes(list, after)
	return r, err
}

// copyOne copies a session. It reads the export of the source twice and that of the copy once, and
// holds none of them.
func (o *CopyOptions) copyOne(ctx context.Context, from, to memory.Backend, info *memory.Info, r *CopyReport, all hash.Hash) error {
	add := func() (added int, digest string, err error) {
		one := sha256.New()
		err = Pipe(nil, func(_ io.Reader, w io.Writer) error {
			return from.Export(ctx, info.Key, io.MultiWriter(&CompleteOnly{}, w, one))
		}, func(r io.Reader) (err error) {
			added, err = to.Import(ctx, r)
			return err
		})
		return added, string(one.Sum(nil)), err
	}
	added, digest, err := add()
	switch {
	case errors.Is(err, memory.ErrNotFound):
		return nil // deleted meanwhile
	case errors.Is(err, memory.ErrConflict):
		older, failed := o.older(ctx, to, info)
		if failed != nil || !older {
			r.Conflicts++
			return failed
		}
		if err := to.Delete(ctx, info.Key); err != nil {
			return err
		}
		if _, digest, err = add(); err != nil { // a crash in between is made good by the next run
			return err
		}
		r.Replaced++
	case err != nil:
		return err
	case added > 0:
		r.Added++
	default:
		r.There++
	}
	back, rows := sha256.New(), &MissingParts{}
	if err := to.Export(ctx, info.Key, io.MultiWriter(back, all, rows)); err != nil {
		return fmt.Errorf("read it back: %w", err)
	}
	r.Messages += rows.ends.total.Messages
	r.Turns += rows.ends.total.Turns
	r.Steps += rows.ends.total.Steps
	if string(back.Sum(nil)) != digest {
		return ErrDiffers
	}
	n, err := copyViews(ctx, from, to, info.Key)
	r.Views += n
	return err
}

// older reports whether the session in the target is an earlier copy that may be replaced.
func (o *CopyOptions) older(ctx context.Context, to memory.Store, info *memory.Info) (bool, error) {
	if !o.Replace {
		return false, nil
	}
	old, err := to.Load(ctx, info.Key, memory.LoadOptions{Fresh: true})
	return err == nil && old.CreatedAt.Equal(info.CreatedAt) && old.State.Version < info.Version, err
}

// CompleteOnly refuses an export that says at its end that parts of it could not be read: ErrCorrupt
// comes before the end is written, so that the rest is not taken for the whole.
type CompleteOnly struct{ ends endReader }

// Write implements io.Writer.
func (w *CompleteOnly) Write(p []byte) (int, error) {
	if w.ends.read(p); w.ends.total.Damaged > 0 {
		return 0, fmt.Errorf("%w: %d parts of it", memory.ErrCorrupt, w.ends.total.Damaged)
	}
	return len(p), nil
}

// MissingParts counts the parts that exports say they lack.
type MissingParts struct{ ends endReader }

// Write implements io.Writer.
func (l *MissingParts) Write(p []byte) (int, error) {
	l.ends.read(p)
	return len(p), nil
}

// Count is how many parts could not be read.
func (l *MissingParts) Count() int { return l.ends.total.Damaged }

// endReader adds up the last lines of exports that are written piece by piece.
type endReader struct {
	line  []byte // the beginning of the current line
	total exportEnd
}

// maxEnd is longer than any last line.
const maxEnd = 256

func (e *endReader) read(p []byte) {
	for len(p) > 0 {
		part, rest, ended := bytes.Cut(p, []byte{'\n'})
		e.line = append(e.line, part[:min(len(part), maxEnd-len(e.line))]...)
		if !ended {
			return
		}
		var l exportLine
		if bytes.HasPrefix(e.line, []byte(`{"end":`)) && json.Unmarshal(e.line, &l) == nil && l.End != nil {
			e.total.Messages += l.End.Messages
			e.total.Turns += l.End.Turns
			e.total.Steps += l.End.Steps
			e.total.Damaged += l.End.Damaged
		}
		e.line, p = e.line[:0], rest
	}
}

func copyViews(ctx context.Context, from, to memory.Views, key memory.Key) (int, error) {
	q := memory.ViewQuery{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID}
	views, err := from.Views(ctx, q)
	if err != nil || len(views) == 0 {
		return 0, err
	}
	if _, err := to.PutViews(ctx, views); err != nil {
		return 0, err
	}
	back, err := to.Views(ctx, q)
	return len(back), err
}

// allSessions lists every session of a store.
func allSessions(ctx context.Context, s memory.Reader) (all []memory.Info, err error) {
	if err = memory.Walk(ctx, s, memory.Query{}, func(i *memory.Info) error {
		all = append(all, *i)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("list the sessions: %w", err)
	}
	return all, nil
}

// changes counts the sessions that are not in both lists as they were.
func changes(before, after []memory.Info) (n int) {
	type stand struct {
		version int64
		created time.Time
	}
	was := map[memory.Key]stand{}
	for i := range before {
		was[before[i].Key] = stand{before[i].Version, before[i].CreatedAt.UTC()}
	}
	for i := range after {
		if was[after[i].Key] != (stand{after[i].Version, after[i].CreatedAt.UTC()}) {
			n++
		}
		delete(was, after[i].Key)
	}
	return n + len(was)
}
