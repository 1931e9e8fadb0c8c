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

// checkInterval is after how many messages of a session its job looks whether it is time.
const checkInterval = 20

// Wants implements memory.Worker: when a session begins, because the user's others may be
// over, and as it grows.
func (t *Tier) Wants(p memory.Progress) bool {
	if t.opts.External != nil && p.Floor > 1 && p.Floor >= p.Before { // cleared: so is what is kept outside
		return true
	}
	return !t.opts.Disabled && len(p.Messages) > 0 && (p.Before <= 1 || p.Before/checkInterval != p.NextSeq/checkInterval)
}

// Work implements memory.Worker: it archives the older part of the job's session if it has
// grown long, and those of the user's other sessions in which nobody has said anything for
// a while. It does not look for those each time where there are very many.
func (t *Tier) Work(ctx context.Context, job memory.Job) error {
	if t.opts.Disabled || memory.Reserved(job.Key.UserID) {
		return t.embedAll(ctx, job.Key)
	}
	_, late := t.archive(ctx, job.Key, false)
	if late = ignoreDeleted(late); late != nil && !errors.Is(late, ErrModel) {
		return late
	}
	late = errors.Join(late, t.embedAll(ctx, job.Key)) // what a server that is down leaves undone keeps nothing from being archived
	sc := t.scope(scopes.Of(job.Key))
	if !sc.sweepDue(t.opts.Now(), t.opts.Idle) {
		return late
	}
	if err := t.catchUp(ctx, sc, ""); err != nil {
		return err
	}
	for _, key := range sc.idle(t.opts.Now().Add(-t.opts.Idle)) {
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

// ignoreDeleted is nil for a session that was deleted meanwhile.
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

// A user's sessions are looked through with each job that has to do with the user, as long as
// they are few. Whoever has very many, as all do together where nobody says who they are, has
// them looked through at most once in so long for each of them, or else every new session
// would cost more than the one before. Looking takes microseconds for each.
const (
	sweptAlways = 100
	sweepTime   = 10 * time.Millisecond
)

// sweepDue reports whether the user's sessions are to be looked through now. A session that is
// over waits for that no longer than the tier waits before it takes one for over.
func (sc *scope) sweepDue(now time.Time, longest time.Duration) bool {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	pause := min(time.Duration(len(sc.sessions))*sweepTime, longest)
	if since := now.Sub(sc.swept); len(sc.sessions) > sweptAlways && since >= 0 && since < pause {
		return false
	}
	sc.swept = now
	return true
}

// Archive makes documents of all of a session that has none yet, and those again for which a
// model did not answer; it returns how many. memory.ErrNotFound: there is no such session.
// ErrModel: the documents are made, of them some by the rules only.
func (t *Tier) Archive(ctx context.Context, key memory.Key) (int, error) {
	if memory.Reserved(key.UserID) {
		return 0, ErrReserved
	}
	return t.archive(ctx, key, true)
}

// archive makes the documents that a session lacks: of everything, or, where it is not
// over, of what has left the window, and of what is older than the newest messages once there is
// enough of it.
func (t *Tier) archive(ctx context.Context, key memory.Key, over bool) (int, error) {
	snap, err := memory.LoadReadable(ctx, t.store, key, memory.LoadOptions{Fresh: true})
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
	} else if after, err = t.lastCleared(ctx, snap); err != nil {
		return 0, err
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
		if earlier > 0 {
			if err := t.closeAnswered(ctx, snap, &docs[earlier-1]); err != nil {
				return made, err
			}
		}
	}
	if err := t.compress(ctx, snap, docs); err != nil {
		return made, err
	}
	if t.opts.Model != nil && slices.ContainsFunc(docs, func(d Document) bool { return d.AwaitsModel }) {
		return made, ErrModel
	}
	return made, nil
}

// retryModel digests anew what waits for the model, up to the first that it does not answer for, and
// returns how many.
func (t *Tier) retryModel(ctx context.Context, snap *memory.Snapshot, docs []Document) (int, error) {
	made := 0
	for i := range docs {
		d := &docs[i]
		if t.opts.Model == nil || !d.AwaitsModel {
			continue
		}
		messages, damaged, err := t.originals(ctx, snap.Key, d.From-1, min(d.To+lookAhead, snap.NextSeq-1))
		if err != nil {
			return made, err
		}
		n := min(d.Messages, len(messages))
		if n == 0 || damaged > 0 { // the rules' digest may know what can no longer be read
			continue
		}
		now, err := t.put(ctx, snap, d.From, messages[:n], messages[n:])
		if err != nil {
			return made, err
		}
		if *d = *now; d.AwaitsModel {
			break
		}
		made++
	}
	return made, nil
}

// due are the messages that are to be archived. What was begun goes on, whoever cut it off. What
// has left the window, as compressed messages have, is due however little it is.
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

// lookAhead is how many messages after a range may answer what was asked in it.
const lookAhead = 20

// put makes and stores the document of a range, which begins at a message although that
// one may have been retracted: ranges leave no holes. next is what came after it.
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
	_, err = t.store.PutViews(ctx, []memory.View{v}) // passed over: the session was cleared, or someone was faster
	return d, err
}

// current reads the session's documents, in order, and drops those that are out of date:
// of before the session was cleared, with turns that were undone since, and, if this
// version cannot read one, all.
func (t *Tier) current(ctx context.Context, snap *memory.Snapshot) ([]Document, error) {
	views, err := t.store.Views(ctx, viewsOf(snap.Key, ""))
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
		if _, err := t.store.DropViews(ctx, viewsOf(snap.Key, id)); err != nil {
			return nil, err
		}
	}
	return docs[:whole], nil
}

// validDocuments are the documents of an epoch, in order, and the names of the other views. One
// that cannot be read leaves a hole, and then all are made again. Documents follow one
// another: what two workers made at the same time, one with other limits, is kept once.
func validDocuments(views []memory.View, epoch int64) (docs []Document, outdated []string) {
	broken := false
	for i := range views {
		d, err := documentOf(&views[i])
		switch {
		case views[i].Epoch > epoch: // cleared since: what is made now will be passed over
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

// intact is how many of a session's documents, from the first, tell of no turn that was
// undone since. Turns are undone from the end, so that the newest intact one is the last.
func (t *Tier) intact(ctx context.Context, key memory.Key, docs []Document) (int, error) {
	for n := len(docs); n > 0; n-- {
		d := &docs[n-1]
		messages, damaged, err := t.originals(ctx, key, d.From-1, d.To)
		if err != nil {
			return 0, err
		}
		if have := len(messages); have <= d.Messages && have+damaged >= d.Messages { // damaged ones may have been told
			return n, nil
		}
	}
	return 0, nil
}

// lastCleared is the last message of before the session was cleared; 0 for none. What merely
// left the window is archived.
func (t *Tier) lastCleared(ctx context.Context, snap *memory.Snapshot) (int64, error) {
	if snap.Epoch == 0 {
		return 0, nil
	}
	for after := int64(0); ; {
		turns, err := t.store.Turns(ctx, snap.Key, memory.Page{After: after, Inactive: true, Salvage: true})
		if err != nil {
			return 0, err
		}
		for i := range turns {
			if p := turns[i].Snapshot; p != nil && p.Counters.Epoch == snap.Epoch {
				return p.Counters.Floor - 1, nil
			}
			after = turns[i].Number
		}
		if len(turns) == 0 {
			return snap.Floor - 1, nil
		}
	}
}

// compress makes archived messages inactive that a summary tells of. It gives way to a
// turn that commits at the same time: there is another job.
func (t *Tier) compress(ctx context.Context, snap *memory.Snapshot, docs []Document) error {
	if t.opts.SummarizedUpTo == nil {
		return nil
	}
	covered, err := t.opts.SummarizedUpTo(ctx, snap.Key, snap.Epoch)
	if err != nil {
		return err
	}
	limit := min(covered, snap.NextSeq-1-int64(t.opts.Keep))
	floor := snap.Floor
	for i := range docs {
		if docs[i].To <= limit {
			floor = max(floor, docs[i].To+1)
		}
	}
	if floor == snap.Floor {
		return nil
	}
	err = t.store.Commit(ctx, &memory.Delta{
		Key: snap.Key, Base: snap.State.Version, State: snap.State, Floor: floor,
		At: snap.UpdatedAt, // nobody said anything: the session is as old as before
	})
	if errors.Is(err, memory.ErrConflict) {
		return nil
	}
	return err
}

// viewsOf selects a session's documents, or the one of a name.
func viewsOf(key memory.Key, id string) memory.ViewQuery {
	return memory.ViewQuery{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID, Tier: Name, Prefix: id}
}
