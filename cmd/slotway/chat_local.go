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

// chatBackend runs the turns of `slotway chat` and reads one user's sessions: in this process
// ([localBackend]) or on a server ([remoteBackend]). The error for an unknown session is
// memory.ErrNotFound.
type chatBackend interface {
	// greet returns what the agent is for.
	greet(ctx context.Context) (string, error)
	// send runs a turn. after is the turn that the message answers, nil for the current one; if the
	// session stands after another turn, the error is a *router.StaleTurnError.
	send(ctx context.Context, session, text string, after *int64) (router.Reply, error)
	// why returns how the message of a turn was understood.
	why(ctx context.Context, session string, turn int64) (readings, error)

	sessions(ctx context.Context) ([]memory.Info, error)
	history(ctx context.Context, session string) ([]memory.Message, error)
	// recent returns the last messages of the history.
	recent(ctx context.Context, session string) ([]memory.Message, error)
	state(ctx context.Context, session string) (sessionStatus, error)
	// export writes a session and returns a note about its form for the user.
	export(ctx context.Context, session string, w io.Writer) (note string, err error)
	// persist flushes to disk what may not be there yet and returns where the session is stored;
	// "" if nothing outlives the program.
	persist(ctx context.Context, session string) (where string, err error)

	clear(ctx context.Context, session string) (messages int, err error)
	undo(ctx context.Context, session string) (turn int64, calls int, err error)
	forget(ctx context.Context, session string) error
}

// sessionStatus is the state of a session.
type sessionStatus struct {
	Params     map[string]any `json:"params"`
	Waiting    string         `json:"waiting_for_param"`
	Confirming string         `json:"confirming"` // write tool that waits for a yes
	LastIntent string         `json:"last_intent_id"`
	Turns      int64          `json:"turns"`
	Turn       int64          `json:"turn"` // that the session is at
}

// localBackend runs the agent in this process.
type localBackend struct {
	app  *slotway.Runtime
	user string
	mask *telemetry.Redactor // nil: nothing is masked
	messageTags

	fresh bool // everything goes when the program ends

	last struct { // last, and how that went
		session string
		turn    int64
		trace   router.Trace
	}
}

func (h *localBackend) key(session string) memory.Key {
	return memory.Key{UserID: h.user, AgentID: h.app.Agent().ID, SessionID: session}
}

func (h *localBackend) greet(context.Context) (string, error) { return h.app.Agent().Description, nil }

func (h *localBackend) send(ctx context.Context, session, text string, after *int64) (router.Reply, error) {
	reply, trace, err := h.app.Router().Trace(ctx, router.Interaction{
		Text: text, AfterTurn: after, Tags: h.tags, Importance: h.importance, Context: router.Context{SessionID: session, UserID: h.user},
	})
	h.last.session, h.last.turn, h.last.trace = session, reply.Turn, trace
	if err == nil && h.mask != nil {
		reply = reply.Masked(h.mask)
	}
	return reply, err
}

func (h *localBackend) sessions(ctx context.Context) ([]memory.Info, error) {
	return h.app.Store().Sessions(ctx, memory.Query{UserID: h.user, AgentID: h.app.Agent().ID})
}

func (h *localBackend) history(ctx context.Context, session string) ([]memory.Message, error) {
	return h.app.Store().Messages(ctx, h.key(session), memory.Page{})
}

func (h *localBackend) recent(ctx context.Context, session string) ([]memory.Message, error) {
	snap, err := h.app.Store().Load(ctx, h.key(session), memory.LoadOptions{Recent: recentMessages})
	if err != nil {
		return nil, err
	}
	if h.mask != nil {
		for i := range snap.Recent {
			m := &snap.Recent[i]
			m.Text = h.mask.MaskText(m.Text, snap.State.Params)
			for name, text := range m.Metadata {
				m.Metadata[name] = h.mask.MaskText(text, snap.State.Params)
			}
		}
	}
	return snap.Recent, nil
}

func (h *localBackend) state(ctx context.Context, session string) (sessionStatus, error) {
	snap, err := h.app.Store().Load(ctx, h.key(session), memory.LoadOptions{})
	if err != nil {
		return sessionStatus{}, err
	}
	if snap.State.Version == 0 {
		return sessionStatus{}, memory.ErrNotFound
	}
	plan, err := planner.Load(snap.State.PlanExecution, snap.State.Params)
	if err != nil {
		return sessionStatus{}, err
	}
	tool, _ := plan.Confirming()
	return sessionStatus{snap.State.Params, snap.State.WaitingForParam, tool, snap.State.LastIntentID, snap.Turns, plan.Stands(snap.Turns)}, nil
}

func (h *localBackend) export(ctx context.Context, session string, w io.Writer) (string, error) {
	return "", h.app.Store().Export(ctx, h.key(session), w)
}

func (h *localBackend) clear(ctx context.Context, session string) (int, error) {
	return sessions.Clear(ctx, h.app.Store(), h.key(session), time.Now())
}

func (h *localBackend) undo(ctx context.Context, session string) (int64, int, error) {
	undone, err := sessions.Undo(ctx, h.app.Store(), h.key(session), time.Now())
	return undone.Turn, len(undone.Calls), err
}

func (h *localBackend) forget(ctx context.Context, session string) error {
	if err := h.app.Store().Delete(ctx, h.key(session)); !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	return fmt.Errorf("session %q: %w", session, memory.ErrNotFound)
}
