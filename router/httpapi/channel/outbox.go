package channel

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// outbox is the worker of a channel: it sends committed messages. Each channel has its own, so that a
// slow platform does not delay the others.
type outbox struct {
	hub *Hub
	c   *connected
}

var _ memory.Worker = outbox{}

// Kind implements memory.Worker.
func (o outbox) Kind() string { return "deliver_" + o.c.Name }

// Wants implements memory.Worker.
func (o outbox) Wants(p memory.Progress) bool {
	if c, _ := o.hub.addressOf(p.Key); c != o.c {
		return false
	}
	for i := range p.Messages {
		if sayable(&p.Messages[i]) {
			return true
		}
	}
	return false
}

// sayable reports whether a message goes to the person: the agent's, or that of a colleague who has
// taken over.
func sayable(m *memory.Message) bool { return m.Role == memory.Agent && m.Text != "" }

// mark says how much of a conversation has been sent.
type mark struct {
	Sent int64 `json:"sent"`           // the newest message that was sent completely
	Part int   `json:"part,omitempty"` // number of parts sent of the next message
	// Trying is the beginning of an attempt to send the next part whose outcome is unknown, in
	// microseconds since 1970; 0: no part is in doubt.
	Trying int64 `json:"trying,omitempty"`
}

// delivery is one run of a job.
type delivery struct {
	hub   *Hub
	c     *connected
	to    Address
	key   memory.Key
	mark  mark
	saved mark
}

// Work implements memory.Worker: it sends the messages of the agent after the mark, in their order.
func (o outbox) Work(ctx context.Context, job memory.Job) error {
	d := &delivery{hub: o.hub, key: job.Key}
	if d.c, d.to = o.hub.addressOf(job.Key); d.c != o.c {
		return nil // the session belongs to another channel, or to none
	}
	if err := d.load(ctx); err != nil {
		return err
	}
	err := d.rest(ctx)
	// Also when ctx has ended: otherwise the last message would be in doubt.
	return errors.Join(err, d.save(context.WithoutCancel(ctx)))
}

// rest sends all messages after the mark.
func (d *delivery) rest(ctx context.Context) error {
	for {
		page, err := d.hub.opts.Store.Messages(ctx, d.key, memory.Page{After: d.mark.Sent, Limit: 50})
		if errors.Is(err, memory.ErrNotFound) {
			return nil // the session was erased
		}
		if err != nil || len(page) == 0 {
			return err
		}
		for i := range page {
			if err := d.say(ctx, &page[i]); err != nil {
				return err
			}
		}
	}
}

// say sends a message if it is for the person, and moves the mark past it.
func (d *delivery) say(ctx context.Context, m *memory.Message) error {
	if sayable(m) && !m.Timestamp.Before(d.hub.opts.Restored) {
		parts := d.hub.parts(ctx, d.c, d.key, m)
		for ; d.mark.Part < len(parts); d.mark.Part++ {
			if err := d.send(ctx, parts[d.mark.Part]); err != nil {
				return err
			}
		}
	}
	d.mark = mark{Sent: m.Seq}
	return nil
}

// send sends a part between two moves of the mark. It finishes a request that has begun even if ctx
// ends, so that a service that stops leaves no message in doubt.
func (d *delivery) send(ctx context.Context, m *Message) error {
	if err := d.c.pace.Wait(ctx); err != nil {
		return err
	}
	if end, ok := ctx.Deadline(); ok && time.Until(end) < sendTime {
		return errLease
	}
	if d.mark.Trying > 0 {
		m.Tried = time.UnixMicro(d.mark.Trying)
	} else {
		d.mark.Trying = d.hub.opts.Now().UnixMicro()
	}
	if err := d.save(ctx); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // Client bounds the time
	err := d.c.Send(ctx, d.to, m)
	var failed *SendError
	if err != nil && (!errors.As(err, &failed) || failed.Unknown) {
		return err
	}
	switch {
	case err == nil:
	case failed.Never:
		d.hub.report(d.key, "not_delivered", err)
	case !m.Tried.IsZero():
		return err // this attempt failed for certain, the earlier one is still in doubt
	}
	d.mark.Trying = 0
	if failed != nil && !failed.Never {
		return err
	}
	return nil
}

// stored returns the place of the mark.
func (d *delivery) stored() Mark { return Mark{Store: d.hub.opts.Store, Key: d.key, Name: "sent"} }

// load reads the mark.
func (d *delivery) load(ctx context.Context) error {
	found, err := d.stored().Load(ctx, &d.mark)
	if found || err != nil {
		d.saved = d.mark
		return err
	}
	since := d.hub.opts.Now().Add(-News)
	page, err := d.hub.opts.Store.Messages(ctx, d.key, memory.Page{Last: true})
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	for i := range page {
		if page[i].Timestamp.Before(since) {
			d.mark.Sent = page[i].Seq
		}
	}
	return err
}

// save stores the mark if it has changed.
func (d *delivery) save(ctx context.Context) error {
	if d.mark == d.saved {
		return nil
	}
	if err := d.stored().Save(ctx, d.mark.Sent, d.mark, d.hub.opts.Now()); err != nil {
		return err
	}
	d.saved = d.mark
	return nil
}

// errLease ends a run before a request could outlast the lease: another worker would get the job before
// the response came.
var errLease = &SendError{Reason: "lease_short"}

// parts splits a message for the platform. The last part has the options if the message is the reply of
// the newest turn and that turn offers some.
func (h *Hub) parts(ctx context.Context, c *connected, key memory.Key, m *memory.Message) []*Message {
	texts := split(m.Text, c.MaxText)
	out := make([]*Message, len(texts))
	for i, text := range texts {
		out[i] = &Message{ID: h.messageID(key, m.Seq, i), Text: text}
	}
	out[len(out)-1].Options = h.options(ctx, key, m)
	return out
}

// messageID returns the id of a part. It does not reveal the session to the platform.
func (h *Hub) messageID(key memory.Key, seq int64, part int) string {
	return h.opts.Digests.UUID("outbox", key.UserID, key.AgentID, key.SessionID, strconv.FormatInt(seq, 10), strconv.Itoa(part))
}

// options returns the options of a message. After an error there are none: the person can type the
// answer.
func (h *Hub) options(ctx context.Context, key memory.Key, m *memory.Message) []Option {
	newest, err := h.opts.Store.Turns(ctx, key, memory.Page{Last: true, Limit: 1})
	if err != nil || len(newest) == 0 || newest[0].Number != m.Turn {
		return nil
	}
	var reply router.Reply
	if json.Unmarshal(newest[0].Response, &reply) != nil || reply.Reply != m.Text {
		return nil
	}
	out := make([]Option, len(reply.Options))
	for i, o := range reply.Options {
		out[i] = Option{Title: o.Title, Value: h.value(key, newest[0].Number, i)}
	}
	return out
}
