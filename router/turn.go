package router

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// turn is one message on its way through the machine. Nothing of it outlives Handle.
type turn struct {
	r       *Router
	parts   *live // of the version that the turn began with
	in      Interaction
	key     memory.Key
	fresh   bool               // an earlier run met a conflict: read past every cache
	spent   bool               // an earlier run found that the message has had its effect: it is not read
	known   map[string]outcome // of write calls made by an earlier run of this turn
	lost    map[string]outcome // of calls that earlier turns did not live to conclude, by their origin
	made    map[string]int     // how often this run has come to a write call
	orphans []orphan           // lost calls that the state does not have, until the turn comes to them
	started time.Time

	mine       int64 // number of the person's message
	confirming bool  // it came to a confirmation

	session  *memory.Session
	plan     *planner.Turn // nil until the turn has begun
	meant    *meant        // nil: the classifier is asked
	drafts   *drafting     // nil: nobody wants any
	account  planner.Interpretation
	now      time.Time
	step     planner.Step
	steps    int
	said     []string // parts of the reply
	ids      []string // response ids they came from
	calls    []memory.ToolCall
	results  []memory.Message
	last     json.RawMessage // result of the last call
	rest     string
	path     []string
	replayed bool
	failure  string // code of what the reply had to work around

	events []telemetry.Event
	mark   time.Time // when the stage under way began
	reply  Reply
}

func (t *turn) def() *config.Agent { return t.parts.Agent }

func (t *turn) where() string {
	if len(t.path) == 0 {
		return idle
	}
	return t.path[len(t.path)-1]
}

func (t *turn) trace() Trace {
	return Trace{Path: t.path, Replayed: t.replayed, Interpretation: t.account, Duration: t.r.opts.Now().Sub(t.started)}
}

// emit keeps an event until the turn is over: a turn that is run again leaves no trace.
func (t *turn) emit(stage telemetry.Stage, p telemetry.Payload) {
	now := t.r.opts.Now()
	e := telemetry.Event{
		Time: now, Stage: stage, SessionID: t.key.SessionID, InteractionID: t.in.ID, Payload: p,
		UserID: t.key.UserID, TraceParent: t.in.Context.TraceParent,
	}
	if !t.mark.IsZero() {
		e.Duration = now.Sub(t.mark)
	}
	if t.session != nil {
		e.Turn = t.session.Turn()
	}
	t.mark = now
	if t.events == nil {
		t.events = *eventRoom.Get().(*[]telemetry.Event)
	}
	t.events = append(t.events, e)
}

// usualEvents is how many events a turn has that makes a call or two.
const usualEvents = 8

// eventRoom keeps the room of events that were published.
var eventRoom = sync.Pool{New: func() any {
	room := make([]telemetry.Event, 0, usualEvents)
	return &room
}}

// publish sends what was kept, and the error if there was one.
func (t *turn) publish(err error) {
	if err != nil {
		t.fail(errorCode(err), err.Error())
		if errors.Is(err, ErrStaleTurn) { // whoever sent it may do something about it, and nobody else
			t.events[len(t.events)-1].Level = telemetry.LevelWarn
		}
	}
	if last := len(t.events) - 1; last >= 0 {
		if t.events[last].Path = t.path; len(t.path) == 0 {
			t.events[last].Path = []string{idle} // its end is told all the same
		}
	}
	for _, e := range t.events {
		t.r.opts.Sink.Record(e)
	}
	clear(t.events)
	room := t.events[:0]
	t.events = nil
	eventRoom.Put(&room)
}

// fail notes that something went wrong. The text is scrubbed of every known value.
func (t *turn) fail(code, text string) {
	values := []string{t.in.Text}
	if t.in.Structured != nil {
		values = append(values, telemetry.Values(t.in.Structured.Params)...)
	}
	switch {
	case t.plan != nil:
		values = append(values, telemetry.Values(t.plan.Params())...)
	case t.session != nil:
		values = append(values, telemetry.Values(t.session.State().Params)...)
	}
	f := telemetry.Failure{Code: code, Stage: t.where(), Message: telemetry.Scrub(text, values)}
	t.emit(telemetry.StageError, f)
	t.events[len(t.events)-1].Level = telemetry.LevelError
}

// say adds a part to the reply.
func (t *turn) say(id, text string) {
	if text == "" {
		return
	}
	t.said = append(t.said, text)
	if id != "" {
		t.ids = append(t.ids, id)
	}
}

// commit writes everything that the turn changed, once.
func (t *turn) commit(ctx context.Context) error {
	if t.replayed {
		return nil
	}
	t.complete()
	t.remember()
	plan, err := t.plan.Save()
	if err != nil {
		return err
	}
	t.session.Update(func(state *memory.State) {
		state.Params = memory.CloneParams(t.reply.Params) // the reply is its caller's
		state.WaitingForParam = t.plan.WaitingForParam()
		state.PlanExecution = plan
		if in := t.def().Intent(t.reply.Intent); in != nil && !in.System {
			state.LastIntentID = in.ID
		}
		if t.last != nil {
			state.LastResult = t.last
		}
	})
	stored, err := json.Marshal(t.reply)
	if err != nil {
		return fmt.Errorf("encode reply: %w", errNotJSON)
	}
	t.session.RecordTurn(memory.Turn{RequestID: t.in.ID, Number: t.session.Turn(), Intent: t.reply.Intent, Outcome: t.rest, Response: stored, At: t.now})
	wanted := memory.WantedJobs(t.r.opts.Tiers, t.session.Progress())
	for _, kind := range wanted {
		t.session.Enqueue(kind, t.now)
	}
	respondEvent := t.respondEvent()
	if err := t.session.Commit(ctx, t.now); err != nil {
		return err
	}
	respondEvent()
	if len(wanted) > 0 && t.r.opts.Nudge != nil {
		t.r.opts.Nudge()
	}
	return nil
}

// respondEvent describes the turn as it is before the commit moves the session on.
func (t *turn) respondEvent() func() {
	p := telemetry.Respond{
		Memory:          telemetry.NewMemory(t.session.HistoryCount(), t.reply.Params),
		WaitingForParam: t.plan.WaitingForParam(), Outcome: t.rest, Response: t.ids,
		Handoff: t.reply.Handoff, Steps: t.steps, ReplyLength: utf8.RuneCountInString(t.reply.Reply),
	}
	turn := t.session.Turn()
	return func() {
		t.emit(telemetry.StageRespond, p)
		t.events[len(t.events)-1].Turn = turn
	}
}

// panicSite finds the innermost frame of the project in a stack, as file:line.
func panicSite(stack []byte) string {
	_, below, found := bytes.Cut(stack, []byte("panic("))
	if !found {
		below = stack
	}
	for _, site := range siteForm.FindAll(below, -1) {
		if !bytes.HasPrefix(site, []byte("runtime/")) {
			return string(site)
		}
	}
	return "unknown"
}

var siteForm = regexp.MustCompile(`[a-z_]+/[a-z_]+\.go:\d+`)
