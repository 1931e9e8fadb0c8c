package router

import (
	"errors"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/slotway/slotway/router/telemetry"
)

// eventLog collects the telemetry of one run.
type eventLog struct {
	events     []telemetry.Event
	started    time.Time // when the run began
	stageBegan time.Time // when the stage under way began
}

// emit keeps an event until the turn is over. The events of a run that met a conflict are dropped.
func (t *turn) emit(stage telemetry.Stage, p telemetry.Payload) {
	now := t.r.opts.Now()
	e := telemetry.Event{
		Time: now, Stage: stage, SessionID: t.key.SessionID, InteractionID: t.in.ID, Payload: p,
		UserID: t.key.UserID, TraceParent: t.in.Context.TraceParent,
	}
	if !t.stageBegan.IsZero() {
		e.Duration = now.Sub(t.stageBegan)
	}
	if t.session != nil {
		e.Turn = t.session.Turn()
	}
	t.stageBegan = now
	if t.events == nil {
		t.events = *eventBuffers.Get().(*[]telemetry.Event)
	}
	t.events = append(t.events, e)
}

// usualEvents is the number of events of a turn with one or two calls.
const usualEvents = 8

// eventBuffers reuses the slices of published events.
var eventBuffers = sync.Pool{New: func() any {
	buffer := make([]telemetry.Event, 0, usualEvents)
	return &buffer
}}

// publish records the events of the run, and the error if there was one.
func (t *turn) publish(err error) {
	if err != nil {
		t.fail(errorCode(err), err.Error())
		if errors.Is(err, ErrStaleTurn) || errors.Is(err, ErrTaken) || errors.Is(err, ErrNotTaken) { // only the client can do something about it
			t.events[len(t.events)-1].Level = telemetry.LevelWarn
		}
	}
	if last := len(t.events) - 1; last >= 0 {
		if t.events[last].Path = t.path; len(t.path) == 0 {
			t.events[last].Path = []string{idle}
		}
		t.events[last].Took = t.events[last].Time.Sub(t.started)
	}
	for _, e := range t.events {
		t.r.opts.Sink.Record(e)
	}
	clear(t.events)
	buffer := t.events[:0]
	t.events = nil
	eventBuffers.Put(&buffer)
}

// fail emits an error event of the current state.
func (t *turn) fail(code, text string) { t.failIn(t.state(), code, text) }

// failIn emits an error event. It scrubs the text of every known value.
func (t *turn) failIn(state, code, text string) {
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
	f := telemetry.Failure{Code: code, Stage: state, Message: telemetry.Scrub(text, values)}
	t.emit(telemetry.StageError, f)
	t.events[len(t.events)-1].Level = telemetry.LevelError
}

// respondEvent prepares the event that ends the turn. It reads the session before the commit changes
// it; the function that it returns emits the event after the commit.
func (t *turn) respondEvent() func() {
	p := telemetry.Respond{
		Memory:          telemetry.NewMemory(t.session.HistoryCount(), t.reply.Params),
		WaitingForParam: t.plan.WaitingForParam(), Outcome: t.rest, Response: t.responseIDs,
		Handoff: t.reply.Handoff && !t.silent, Steps: t.steps, ReplyLength: utf8.RuneCountInString(t.reply.Reply),
	}
	turn := t.session.Turn()
	return func() {
		t.emit(telemetry.StageRespond, p)
		t.events[len(t.events)-1].Turn = turn
	}
}
