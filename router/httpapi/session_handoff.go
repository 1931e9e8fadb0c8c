package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"
)

// The values of handoffView.Status, which a list of sessions can be asked for.
const (
	handoffWanted = "wanted" // the agent has handed the session over, and nobody has taken it yet
	handoffTaken  = "taken"  // a person has it, and the agent is silent
)

// handoffView says that a session is with people, or is to be.
type handoffView struct {
	Status string    `json:"status"`
	By     *string   `json:"by"` // who has it; null: nobody yet, or a person who gave no name
	Since  time.Time `json:"since"`
	Turn   int64     `json:"turn"` // that took it over, or asked for a person
}

// viewHandoff returns nil for a session that is the agent's alone.
func viewHandoff(p *planner.HandOver, mask *sessions.Mask) *handoffView {
	switch {
	case p == nil:
		return nil
	case p.Taken:
		return &handoffView{Status: handoffTaken, By: orNull(mask.Text(p.By)), Since: p.Since, Turn: p.Turn}
	}
	return &handoffView{Status: handoffWanted, Since: p.Since, Turn: p.Turn}
}

// handoff reads who has a session. It is one read of the session's state, unless there is a name to mask.
// A damaged session, or one that a newer release wrote, does not say.
func (a *API) handoff(ctx context.Context, key memory.Key, masks *sessions.Masks) (*handoffView, error) {
	snap, err := a.opts.Memory.Store.Load(ctx, key, memory.LoadOptions{Fresh: true})
	if errors.Is(err, memory.ErrCorrupt) || errors.Is(err, memory.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	plan, err := planner.Load(snap.State.PlanExecution, nil)
	if err != nil {
		return nil, nil
	}
	if plan.Person == nil {
		return nil, nil
	}
	mask, err := masks.Of(ctx, key)
	if errors.Is(err, memory.ErrCorrupt) {
		return nil, nil
	}
	return viewHandoff(plan.Person, mask), err
}

// handedOver is the outcome of what a person did with a session.
type handedOver struct {
	SessionID       string               `json:"session_id"`
	Turn            int64                `json:"turn"` // that the action is
	Action          router.Action        `json:"action"`
	Reply           string               `json:"reply"` // what was said to the user: by the person, or by the agent that goes on
	Asked           *string              `json:"asked"`
	WaitingForParam *string              `json:"waiting_for_param"`
	Confirming      *string              `json:"confirming"`
	Options         []planner.Suggestion `json:"options,omitempty"`
	Handoff         *handoffView         `json:"handoff"`
}

// handoffRequest is the body of a POST to the session's handoff.
type handoffRequest struct {
	action, by, text, messageID string
}

// decodeHandoff reads a body. Its error is a *Problem.
func decodeHandoff(body []byte, header http.Header) (req handoffRequest, err error) {
	err = decodeFields(body, fields{
		"action": textField(&req.action), "by": textField(&req.by), "text": textField(&req.text), "message_id": textField(&req.messageID),
	}, "action")
	if err != nil {
		return req, err
	}
	if key := header.Get("Idempotency-Key"); key != "" {
		if req.messageID != "" && req.messageID != key {
			return req, badRequest("bad_request", "message_id and the header Idempotency-Key differ; send one of them.")
		}
		req.messageID = key
	}
	return req, req.check()
}

// check says in words what the router refuses.
func (r *handoffRequest) check() error {
	answers := r.action == string(router.ActionAnswer)
	switch said := strings.TrimSpace(r.text) != ""; {
	case !slices.Contains(router.Actions, router.Action(r.action)):
		return badRequest("bad_field", "action is take, answer or give_back.")
	case answers && !said:
		return badRequest("missing_field", "text is missing: what the person says to the user.")
	case !answers && r.text != "":
		return badRequest("bad_field", "text goes with the action answer only.")
	case len([]rune(r.text)) > planner.MaxText:
		return badRequest("bad_field", "text has more than %d characters.", planner.MaxText)
	case len([]rune(r.by)) > router.MaxPersonName || printable.Text(r.by) != r.by || strings.ContainsAny(r.by, "\n\r\t"):
		return badRequest("bad_field", "by is a name of at most %d printable characters.", router.MaxPersonName)
	case r.messageID != "" && printable.CheckID(r.messageID) != nil:
		return badRequest("bad_field", "message_id: an id has %s.", printable.IDRule)
	}
	return nil
}

// handOver carries out what a person does with a session, even if the client disconnects.
func (a *API) handOver(w http.ResponseWriter, r *http.Request) {
	jsonHandler(func(r *http.Request) (any, error) {
		masks, body, err := a.maskedBody(w, r)
		if err != nil {
			return nil, err
		}
		req, err := decodeHandoff(body, r.Header)
		if err != nil {
			return nil, err
		}
		if a.opts.Memory.Stateless {
			return nil, disabled("memory")
		}
		key, err := a.key(r)
		if err != nil {
			return nil, err
		}
		reply, err := a.Turn(r.Context(), router.Interaction{
			ID: req.messageID, Text: req.text, HandOver: &router.HandOver{Action: router.Action(req.action), By: req.by},
			Context: router.Context{SessionID: key.SessionID, UserID: key.UserID},
		})
		mask, maskErr := masks.Of(r.Context(), key)
		if err != nil || maskErr != nil {
			return nil, errors.Join(explainHandoff(err, mask), maskErr)
		}
		return viewHandedOver(&reply, mask), nil
	})(w, r)
}

// viewHandedOver returns the reply as the session's page of messages shows it: what is in it was not
// said to the caller.
func viewHandedOver(reply *router.Reply, mask *sessions.Mask) handedOver {
	v := handedOver{
		SessionID: reply.SessionID, Turn: reply.Turn, Action: reply.Action, Reply: mask.Text(reply.Reply),
		Asked: reply.Asked, WaitingForParam: reply.WaitingForParam, Confirming: reply.Confirming,
	}
	v.Options, _ = reply.Shown(mask.Text)
	if p := reply.Person; p != nil {
		v.Handoff = viewHandoff(&planner.HandOver{Taken: true, By: p.By, Since: p.Since, Turn: p.Turn}, mask)
	}
	return v
}

// explainHandoff adds to an error what only this route may tell.
func explainHandoff(err error, mask *sessions.Mask) error {
	var taken *router.TakenError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &taken):
		p := *Explain(err)
		p.By = mask.Text(taken.By)
		return &p
	case errors.Is(err, router.ErrBadInteraction):
		return badRequest("bad_field", "message_id: another message of this session has it.")
	}
	return fmt.Errorf("hand over: %w", err)
}
