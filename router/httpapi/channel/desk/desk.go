package desk

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/channel"
	"github.com/slotway/slotway/router/httpapi/channel/webhook"
)

// Options of a desk.
type Options struct {
	Target  *webhook.Target
	Store   memory.Backend
	Digests *memory.Digests  // of the store, for the ids of events
	Now     func() time.Time // default time.Now
	From    time.Time        // earlier turns are not posted: the store was put back to an earlier state
	// Refused is called for an event that the desk refuses for good; nil: the event is dropped silently.
	Refused func(key memory.Key, err error)
}

// Desk is the worker that posts events.
type Desk struct{ opts Options }

var _ memory.Worker = (*Desk)(nil)

// New returns a desk.
func New(opts Options) *Desk {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Refused == nil {
		opts.Refused = func(memory.Key, error) {}
	}
	return &Desk{opts}
}

// Kind implements memory.Worker.
func (d *Desk) Kind() string { return "notify_desk" }

// Wants implements memory.Worker.
func (d *Desk) Wants(p memory.Progress) bool { return p.Handoff }

// event is the data of an event.
type event struct {
	SessionID string `json:"session_id"`
	UserID    string `json:"user_id"`
	AgentID   string `json:"agent_id"`
	Turn      int64  `json:"turn"`
}

// kindOf returns the type of the event of a turn; "": the turn is not for the desk.
func kindOf(r *router.Reply) string {
	switch {
	case r.Action == router.ActionTake:
		return "handoff.taken"
	case r.Action == router.ActionGiveBack:
		return "handoff.given_back"
	case r.Action != "" || !r.Handoff:
		return ""
	case r.Person != nil:
		return "handoff.message"
	}
	return "handoff.wanted"
}

// Work implements memory.Worker: it posts the events after the last known turn, in their order. After a
// crash it may post one again, with the same id.
func (d *Desk) Work(ctx context.Context, job memory.Job) error {
	known, since, err := d.known(ctx, job.Key)
	if err != nil {
		return err
	}
	for {
		turns, err := d.opts.Store.Turns(ctx, job.Key, memory.Page{After: known, Limit: 50})
		if errors.Is(err, memory.ErrNotFound) {
			return nil // the session was erased
		}
		if err != nil || len(turns) == 0 {
			return err
		}
		for i := range turns {
			if !turns[i].At.Before(since) {
				if err := d.post(ctx, job.Key, &turns[i]); err != nil {
					return err
				}
			}
			known = turns[i].Number
		}
		if err := d.save(ctx, job.Key, known); err != nil {
			return err
		}
	}
}

func (d *Desk) post(ctx context.Context, key memory.Key, turn *memory.Turn) error {
	reply, err := router.StoredReply(key.SessionID, turn)
	if err != nil {
		return nil // the store keeps no text
	}
	kind := kindOf(&reply)
	if kind == "" {
		return nil
	}
	id := d.opts.Digests.UUID("desk", key.UserID, key.AgentID, key.SessionID, strconv.FormatInt(turn.Number, 10))
	err = d.opts.Target.Post(ctx, id, kind, event{key.SessionID, key.UserID, key.AgentID, turn.Number})
	var failed *channel.SendError
	if errors.As(err, &failed) && failed.Never {
		d.opts.Refused(key, err)
		return nil
	}
	if err != nil {
		return errors.Join(err, d.save(context.WithoutCancel(ctx), key, turn.Number-1))
	}
	return nil
}

func (d *Desk) mark(key memory.Key) channel.Mark {
	return channel.Mark{Store: d.opts.Store, Key: key, Name: "desk"}
}

// known reads the number of the last turn that the desk knows. For a session without a mark it also
// returns the time before which turns are too old to be posted.
func (d *Desk) known(ctx context.Context, key memory.Key) (turn int64, since time.Time, err error) {
	found, err := d.mark(key).Load(ctx, &turn)
	since = d.opts.From
	if news := d.opts.Now().Add(-channel.News); !found && news.After(since) {
		since = news
	}
	return turn, since, err
}

func (d *Desk) save(ctx context.Context, key memory.Key, turn int64) error {
	return d.mark(key).Save(ctx, turn, turn, d.opts.Now())
}
