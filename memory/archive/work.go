package archive

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/scopes"
	"github.com/slotway/slotway/memory/window"
)

// Kind implements memory.Worker.
func (*Tier) Kind() string { return Kind }

// checkInterval is the number of messages after which a session's job checks whether to archive.
const checkInterval = 20

// Wants implements memory.Worker: it wants a job when a session begins, because the user's others
// may be over, and as the session grows.
func (t *Tier) Wants(p memory.Progress) bool {
	if t.opts.External != nil && p.Floor > 1 && p.Floor >= p.Before { // cleared: the external store must be, too
		return true
	}
	return !t.opts.Disabled && len(p.Messages) > 0 && (p.Before <= 1 || p.Before/checkInterval != p.NextSeq/checkInterval)
}

// Work implements memory.Worker. It archives the older part of the job's session if that has grown
// long, and the user's other sessions that are idle. With very many sessions it does not look for
// idle ones every time.
func (t *Tier) Work(ctx context.Context, job memory.Job) error {
	if t.opts.Disabled || memory.Reserved(job.Key.UserID) {
		return t.embedAll(ctx, job.Key)
	}
	_, late := t.archive(ctx, job.Key, false)
	if late = ignoreDeleted(late); late != nil && !errors.Is(late, ErrModel) {
		return late
	}
	late = errors.Join(late, t.embedAll(ctx, job.Key)) // a server that is down does not keep anything from being archived
	sc := t.scope(scopes.Of(job.Key))
	if !sc.sweepDue(t.opts.Now()) {
		return late
	}
	if err := t.catchUp(ctx, sc, ""); err != nil {
		return err
	}
	for _, key := range sc.idle(t.opts.Now().Add(-idleAfter)) {
		if key == job.Key {
			continue
		}
		_, err := t.archive(ctx, key, true)
		if err = ignoreDeleted(err); err != nil && !errors.Is(err, ErrModel) {
			return err
		}
		late = errors.Join(late, err, t.embedAll(ctx, key))
	}
	return late
}

// ignoreDeleted returns nil for the error of a session that was deleted meanwhile.
func ignoreDeleted(err error) error {
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	return err
}

// embedAll makes the vectors of a session's documents.
func (t *Tier) embedAll(ctx context.Context, key memory.Key) error {
	_, err := t.embedSession(ctx, key)
	return err
}

// Every job of a user looks through the user's sessions, as long as they are few. With many
// sessions, as when all users share one id, it does so at most once in a time that grows with their
// number. Otherwise every new session would cost more than the one before. Looking takes
// microseconds a session.
const (
	sweptAlways = 100
	sweepTime   = 10 * time.Millisecond
)

// sweepDue reports whether to look through the user's sessions now. An idle session waits for that
// at most as long as the tier waits until it counts as idle.
func (sc *scope) sweepDue(now time.Time) bool {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	pause := min(time.Duration(len(sc.sessions))*sweepTime, idleAfter)
	if since := now.Sub(sc.swept); len(sc.sessions) > sweptAlways && since >= 0 && since < pause {
		return false
	}
	sc.swept = now
	return true
}

// Archive makes the missing documents of a whole session, and again those for which a model did not
// answer. It returns how many it made. memory.ErrNotFound: there is no such session. ErrModel: the
// documents are made, but some by rules only.
func (t *Tier) Archive(ctx context.Context, key memory.Key) (int, error) {
	if memory.Reserved(key.UserID) {
		return 0, ErrReserved
	}
	return t.archive(ctx, key, true)
}

// archive makes the missing documents of a session: of all of it if it is over, else of what has
// left the window and, once there is enough of it, of what is older than the newest messages.
func (t *Tier) archive(ctx context.Context, key memory.Key, over bool) (int, error) {
	snap, err := t.store.Load(ctx, key, memory.LoadOptions{Fresh: true})
	if err != nil {
		return 0, err
	}
	if snap.State.Version == 0 {
		return 0, memory.ErrNotFound
	}
	docs, err := t.current(ctx, snap)
	if err != nil {
		return 0, err
	}
	after, earlier := int64(0), len(docs)
	made, err := t.retryModel(ctx, snap, docs)
	if err != nil {
		return made, err
	}
	if n := len(docs); n > 0 {
		after = docs[n-1].To
	} else {
		first, err := memory.EpochStart(ctx, t.store, snap)
		if err != nil {
			return 0, err
		}
		after = first - 1
	}
	messages, _, err := t.originals(ctx, key, after, snap.NextSeq-1)
	if err != nil {
		return 0, err
	}
	ranges, rest := t.opts.cut(t.due(messages, snap, over, len(docs) > 0))
	if !over {
		rest = wholeTurns(rest, snap.Floor-1)
	}
	if len(rest) > 0 {
		ranges = append(ranges, rest)
	}
	for _, r := range ranges {
		messages = messages[len(r):]
		d, err := t.put(ctx, snap, after+1, r, messages[:min(len(messages), lookAhead)])
		if err != nil {
			return made, err
		}
		docs = append(docs, *d)
		after = d.To
		made++
	}
	if made > 0 {
		t.invalidate(key)
		if earlier > 0 && len(docs[earlier-1].Questions) > 0 { // what came since may have answered them
			if _, err := t.remake(ctx, snap, &docs[earlier-1]); err != nil {
				return made, err
			}
		}
	}
	if t.opts.Model != nil && slices.ContainsFunc(docs, func(d Document) bool { return d.AwaitsModel }) {
		return made, ErrModel
	}
	return made, nil
}

// retryModel digests documents again that wait for the model, until the model fails to answer. It
// returns how many it made.
func (t *Tier) retryModel(ctx context.Context, snap *memory.Snapshot, docs []Document) (int, error) {
	made := 0
	for i := range docs {
		d := &docs[i]
		if t.opts.Model == nil || !d.AwaitsModel {
			continue
		}
		again, err := t.remake(ctx, snap, d)
		if err != nil {
			return made, err
		}
		if again && d.AwaitsModel {
			break
		}
		if again {
			made++
		}
	}
	return made, nil
}

// remake makes a document again, with what came since, and reports whether it did. One with damaged messages stays: its digest
// may contain what can no longer be read.
func (t *Tier) remake(ctx context.Context, snap *memory.Snapshot, d *Document) (bool, error) {
	messages, damaged, err := t.originals(ctx, snap.Key, d.From-1, min(d.To+lookAhead, snap.NextSeq-1))
	n := min(d.Messages, len(messages))
	if err != nil || n == 0 || damaged > 0 {
		return false, err
	}
	now, err := t.put(ctx, snap, d.From, messages[:n], messages[n:])
	if err != nil {
		return false, err
	}
	*d = *now
	return true, nil
}

// due returns the messages to archive. What has begun goes on. What has left the window, as
// compressed messages have, is due however little it is.
func (t *Tier) due(messages []memory.Message, snap *memory.Snapshot, over, begun bool) []memory.Message {
	if over {
		return messages
	}
	tokens := 0
	for i := range messages {
		tokens += window.Tokens(&messages[i])
	}
	if !begun && len(messages) <= t.opts.ThresholdCount && tokens <= t.opts.ThresholdTokens {
		return wholeTurns(messages, snap.Floor-1)
	}
	return wholeTurns(messages, max(snap.Floor-1, snap.NextSeq-1-int64(t.opts.Keep)))
}

// lookAhead is the number of messages after a range that may answer its questions.
const lookAhead = 20

// put makes and stores the document of a range. The range begins at message from even if that one
// was retracted: ranges leave no gaps. next are the messages after it.
func (t *Tier) put(ctx context.Context, snap *memory.Snapshot, from int64, r, next []memory.Message) (*Document, error) {
	d, err := t.digest(ctx, snap.Key, r, next)
	if err != nil {
		return nil, err
	}
	d.From = from
	v, err := d.view(snap.Key, snap.Epoch, t.opts.Now())
	if err != nil {
		return nil, err
	}
	_, err = t.store.PutViews(ctx, []memory.View{v}) // nothing is written if the session was cleared or another worker was faster
	return d, err
}

// current reads the session's documents in order and drops outdated ones: those from before the
// session was cleared, those with undone turns and, if one cannot be read by this version, all.
func (t *Tier) current(ctx context.Context, snap *memory.Snapshot) ([]Document, error) {
	views, err := t.store.Views(ctx, memory.ViewsOf(snap.Key, Name, ""))
	if err != nil {
		return nil, err
	}
	docs, outdated := validDocuments(views, snap.Epoch)
	whole, err := t.intact(ctx, snap.Key, docs)
	if err != nil {
		return nil, err
	}
	for i := range docs[whole:] {
		outdated = append(outdated, viewID(docs[whole+i].From))
	}
	for _, id := range outdated {
		if _, err := t.store.DropViews(ctx, memory.ViewsOf(snap.Key, Name, id)); err != nil {
			return nil, err
		}
	}
	return docs[:whole], nil
}

// validDocuments returns the documents of an epoch in order, and the ids of the other views. If one
// cannot be read, all are made again. Each document continues the one before: of overlapping
// documents by two workers one is kept.
func validDocuments(views []memory.View, epoch int64) (docs []Document, outdated []string) {
	broken := false
	for i := range views {
		d, err := documentOf(&views[i])
		switch {
		case views[i].Epoch > epoch: // cleared since: what is made now will not be written
		case views[i].Epoch < epoch:
			outdated = append(outdated, views[i].ID)
		case err != nil:
			broken = true
		default:
			docs = append(docs, *d)
		}
	}
	if broken {
		return nil, append(outdated, "")
	}
	slices.SortFunc(docs, func(a, b Document) int { return cmp.Compare(a.From, b.From) })
	chain := docs[:0]
	for _, d := range docs {
		if n := len(chain); n > 0 && d.From != chain[n-1].To+1 {
			outdated = append(outdated, viewID(d.From))
			continue
		}
		chain = append(chain, d)
	}
	return chain, outdated
}

// intact returns how many documents, from the first, contain no turn that was undone since. Turns
// are undone from the end, so that the search goes backwards.
func (t *Tier) intact(ctx context.Context, key memory.Key, docs []Document) (int, error) {
	for n := len(docs); n > 0; n-- {
		d := &docs[n-1]
		messages, damaged, err := t.originals(ctx, key, d.From-1, d.To)
		if err != nil {
			return 0, err
		}
		if have := len(messages); have <= d.Messages && have+damaged >= d.Messages { // damaged messages may have been in it
			return n, nil
		}
	}
	return 0, nil
}
