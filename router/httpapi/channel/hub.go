package channel

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/telemetry"
)

// Options configure a hub.
type Options struct {
	Channels []Channel
	Store    memory.Backend
	Digests  *memory.Digests // of the store
	Restored time.Time       // what is from before it is over: the store was put back to an earlier state
	AgentID  string
	// Handle runs one turn, as router.Router does.
	Handle func(ctx context.Context, in router.Interaction) (router.Reply, error)
	Sink   telemetry.Sink   // gets failures; nil: they are dropped
	Now    func() time.Time // default time.Now
	// Settle is the time that a message waits for earlier ones of its conversation that it has
	// overtaken; 0: none.
	Settle time.Duration
	// TurnTimeout bounds one turn; default 2 minutes. It can be long because no platform waits.
	TurnTimeout time.Duration
}

// Hub connects channels with an agent. As an httpapi.Adapter it receives messages; its Workers send
// the replies.
type Hub struct {
	opts     Options
	channels map[string]*connected
	inbox    *inbox
	queues   queues
	start    atomic.Int64 // of Run, in microseconds since 1970
}

// connected is a channel in use.
type connected struct {
	Channel
	Traits
	pace    *rate.Limiter
	refused rate.Sometimes // reports of requests that the platform has not signed
}

var _ httpapi.Adapter = (*Hub)(nil)

// New returns a hub. Nothing is handled before Run.
func New(opts *Options) *Hub {
	h := &Hub{opts: *opts, channels: map[string]*connected{}, inbox: &inbox{opts.Store, opts.AgentID, opts.Digests, opts.Restored}}
	if h.opts.Now == nil {
		h.opts.Now = time.Now
	}
	if h.opts.Sink == nil {
		h.opts.Sink = telemetry.Discard
	}
	if h.opts.TurnTimeout == 0 {
		h.opts.TurnTimeout = 2 * time.Minute
	}
	for _, c := range opts.Channels {
		t := c.Traits()
		h.channels[t.Name] = &connected{Channel: c, Traits: t, pace: rate.NewLimiter(t.PerSecond, max(1, int(t.PerSecond))), refused: rate.Sometimes{First: 1, Interval: time.Minute}}
	}
	h.queues = queues{work: h.work, running: map[string]bool{}, free: make(chan struct{}, maxQueues)}
	return h
}

// check refuses channels that could not work.
func (h *Hub) check() error {
	if len(h.channels) < len(h.opts.Channels) {
		return errors.New("two channels have the same name; give each its own")
	}
	for name, c := range h.channels {
		switch {
		case name == "" || strings.ContainsAny(name, "/ ") || printable.CheckID(name) != nil:
			return fmt.Errorf("channel %q: its name must be one part of a path", name)
		case c.MaxText < 2 || c.PerSecond <= 0:
			return fmt.Errorf("channel %s: Traits need a MaxText above 1 and a PerSecond above 0", name)
		}
	}
	return nil
}

// Names returns the names of the channels, sorted.
func (h *Hub) Names() []string { return slices.Sorted(maps.Keys(h.channels)) }

// Workers returns the workers that send replies, one for each channel.
func (h *Hub) Workers() []memory.Worker {
	var all []memory.Worker
	for _, name := range h.Names() {
		all = append(all, outbox{h, h.channels[name]})
	}
	return all
}

// Open checks the channels.
func (h *Hub) Open() error {
	if err := h.check(); err != nil {
		return fmt.Errorf("open the channels: %w", err)
	}
	return nil
}

// Routes implements httpapi.Adapter. The route needs no key: each channel verifies the sender of a
// request.
func (h *Hub) Routes(a *httpapi.API) []httpapi.Route {
	return []httpapi.Route{{
		Method: http.MethodPost, Path: "/channels/{channel}",
		Handler: func(w http.ResponseWriter, r *http.Request) { h.receive(a, w, r) },
	}}
}

// lookEvery is the pause between two looks for messages that another process has stored and not handled.
const lookEvery = 10 * time.Second

// Run handles the inbox until ctx ends, and returns when the last turn has ended. The message of a
// turn that was cut off stays in the inbox.
func (h *Hub) Run(ctx context.Context) {
	h.start.Store(h.opts.Now().UnixMicro())
	h.queues.begin(ctx)
	defer h.queues.wait()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		h.look(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// begun returns the time when Run began. Messages that were in the inbox then wait as if they had just
// arrived: the last process may have ended before it could take an earlier one.
func (h *Hub) begun() time.Time { return time.UnixMicro(h.start.Load()) }

// look wakes every conversation with messages in the inbox.
func (h *Hub) look(ctx context.Context) {
	list, err := h.inbox.pending(ctx, "")
	if err != nil && ctx.Err() == nil {
		h.report(memory.Key{}, "inbox", err)
	}
	for i := range list {
		h.queues.wake(list[i].stored.Conversation)
	}
}

// keyOf is the session of a conversation.
func (h *Hub) keyOf(channel string, a Address) memory.Key {
	return memory.Key{UserID: channel + "/" + a.User, AgentID: h.opts.AgentID, SessionID: channel + "/" + a.Conversation}
}

// addressOf is the inverse of keyOf; c is nil if the session belongs to no channel.
func (h *Hub) addressOf(key memory.Key) (c *connected, to Address) {
	name, conversation, _ := strings.Cut(key.SessionID, "/")
	c = h.channels[name]
	user, ours := strings.CutPrefix(key.UserID, name+"/")
	if c == nil || !ours {
		return nil, to
	}
	return c, Address{User: user, Conversation: conversation}
}

// report records a failure in a conversation.
func (h *Hub) report(key memory.Key, code string, err error) {
	h.opts.Sink.Record(Failed(key, code, err))
}

// Failed returns the event of a failure in a conversation. The code says what happened; the event has
// no text of the conversation.
func Failed(key memory.Key, code string, err error) telemetry.Event {
	return telemetry.Event{
		Time: time.Now(), Level: telemetry.LevelError, UserID: key.UserID, SessionID: key.SessionID,
		Payload: telemetry.Failure{Code: code, Stage: "channel", Message: telemetry.ScrubError(err, nil)},
	}
}

// queues runs one function at a time for each conversation.
type queues struct {
	work func(ctx context.Context, conversation string)

	mu      sync.Mutex                // guards what follows
	start   func(conversation string) // nil before begin and after its end
	running map[string]bool           // by conversation; true: more messages may have come
	all     sync.WaitGroup

	free chan struct{} // has one place for each running conversation
}

// maxQueues limits the conversations that run at once.
const maxQueues = 64

func (q *queues) begin(ctx context.Context) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.start = func(conversation string) { q.all.Go(func() { q.loop(ctx, conversation) }) }
}

// wait prevents new work and returns when the work under way has ended.
func (q *queues) wait() {
	q.mu.Lock()
	q.start = nil
	q.mu.Unlock()
	q.all.Wait()
}

// wake starts work on a conversation, or another round if work on it is under way.
func (q *queues) wake(conversation string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.start == nil {
		return
	}
	if _, busy := q.running[conversation]; busy {
		q.running[conversation] = true
		return
	}
	q.running[conversation] = false
	q.start(conversation)
}

func (q *queues) loop(ctx context.Context, conversation string) {
	for {
		select {
		case q.free <- struct{}{}:
			q.work(ctx, conversation)
			<-q.free
		case <-ctx.Done():
		}
		if q.done(ctx, conversation) {
			return
		}
	}
}

// done reports whether a conversation has no more messages.
func (q *queues) done(ctx context.Context, conversation string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running[conversation] && ctx.Err() == nil {
		q.running[conversation] = false
		return false
	}
	delete(q.running, conversation)
	return true
}
