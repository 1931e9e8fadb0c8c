package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/router/telemetry"
)

// place is where conversations are held: in this process, or on a server.
type place interface {
	speaker
	shelf
}

// speaker answers.
type speaker interface {
	// greet says what the agent is for.
	greet(ctx context.Context) (string, error)
	// say says what answers to the reply of a turn, nil: to whatever is asked. Where the
	// session does not stand after that turn the error is a *router.StaleTurnError.
	say(ctx context.Context, session, text string, after *int64) (router.Reply, error)
	// why says how the message of a turn was taken.
	why(ctx context.Context, session string, turn int64) (reason, error)
}

// shelf has one user's sessions. An unknown session is memory.ErrNotFound.
type shelf interface {
	sessions(ctx context.Context) ([]memory.Info, error)
	history(ctx context.Context, session string) ([]memory.Message, error)
	// newest is the end of the history.
	newest(ctx context.Context, session string) ([]memory.Message, error)
	state(ctx context.Context, session string) (known, error)
	// export writes a session, and returns what to know of the form it is in.
	export(ctx context.Context, session string, w io.Writer) (note string, err error)
	lasting
	change
}

// change takes back what was said.
type change interface {
	clear(ctx context.Context, session string) (messages int, err error)
	undo(ctx context.Context, session string) (turn int64, calls int, err error)
	forget(ctx context.Context, session string) error
}

// known is how a session stands.
type known struct {
	Params     map[string]any `json:"params"`
	Waiting    string         `json:"waiting_for_param"`
	LastIntent string         `json:"last_intent_id"`
	Turns      int64          `json:"turns"`
	Turn       int64          `json:"turn"` // that it stands after
}

// here is the place of an agent in this process.
type here struct {
	app  *slotway.Runtime
	user string
	mask *telemetry.Redactor // nil: nothing is masked
	marks

	fresh bool // everything goes when the program ends

	said struct { // last, and how that went
		session string
		turn    int64
		trace   router.Trace
	}
}

func (h *here) key(session string) memory.Key {
	return memory.Key{UserID: h.user, AgentID: h.app.Agent().ID, SessionID: session}
}

func (h *here) greet(context.Context) (string, error) { return h.app.Agent().Description, nil }

func (h *here) say(ctx context.Context, session, text string, after *int64) (router.Reply, error) {
	reply, trace, err := h.app.Router().Trace(ctx, router.Interaction{
		Text: text, AfterTurn: after, Tags: h.tags, Importance: h.importance, Context: router.Context{SessionID: session, UserID: h.user},
	})
	h.said.session, h.said.turn, h.said.trace = session, reply.Turn, trace
	if err == nil && h.mask != nil {
		reply = reply.Masked(h.mask)
	}
	return reply, err
}

func (h *here) sessions(ctx context.Context) ([]memory.Info, error) {
	return h.app.Store().Sessions(ctx, memory.Query{UserID: h.user, AgentID: h.app.Agent().ID})
}

func (h *here) history(ctx context.Context, session string) ([]memory.Message, error) {
	return h.app.Store().Messages(ctx, h.key(session), memory.Page{Salvage: true})
}

func (h *here) newest(ctx context.Context, session string) ([]memory.Message, error) {
	snap, err := memory.LoadReadable(ctx, h.app.Store(), h.key(session), memory.LoadOptions{Recent: newestMessages})
	if err != nil {
		return nil, err
	}
	if h.mask != nil {
		for i := range snap.Recent {
			snap.Recent[i].Text = h.mask.MaskText(snap.Recent[i].Text, snap.State.Params)
		}
	}
	return snap.Recent, nil
}

func (h *here) state(ctx context.Context, session string) (known, error) {
	snap, err := memory.LoadReadable(ctx, h.app.Store(), h.key(session), memory.LoadOptions{})
	if err != nil {
		return known{}, err
	}
	if snap.State.Version == 0 {
		return known{}, memory.ErrNotFound
	}
	plan, err := planner.Load(snap.State.PlanExecution, snap.State.Params)
	if err != nil {
		return known{}, err
	}
	return known{snap.State.Params, snap.State.WaitingForParam, snap.State.LastIntentID, snap.Turns, plan.Stands(snap.Turns)}, nil
}

func (h *here) export(ctx context.Context, session string, w io.Writer) (string, error) {
	return "", h.app.Store().Export(ctx, h.key(session), w)
}

func (h *here) clear(ctx context.Context, session string) (int, error) {
	return sessions.Clear(ctx, h.app.Store(), h.key(session), time.Now())
}

func (h *here) undo(ctx context.Context, session string) (int64, int, error) {
	undone, err := sessions.Undo(ctx, h.app.Store(), h.key(session), time.Now())
	return undone.Turn, len(undone.Calls), err
}

func (h *here) forget(ctx context.Context, session string) error {
	if err := h.app.Store().Delete(ctx, h.key(session)); !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	return fmt.Errorf("session %q: %w", session, memory.ErrNotFound)
}
