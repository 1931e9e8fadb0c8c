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

// The values of handoffView.Status. A list of sessions can be filtered by them.
const (
	handoffWanted = "wanted" // the agent has asked for a person, and no person has taken the session yet
	handoffTaken  = "taken"  // a person has it, and the agent is silent
)

// handoffView says that a person has a session, or that it waits for one.
type handoffView struct {
	Status string    `json:"status"`
	By     *string   `json:"by"` // name of the person; null: it waits for one, or the person gave no name
	Since  time.Time `json:"since"`
	Turn   int64     `json:"turn"` // the turn that took it, or asked for a person
}

// viewHandoff returns nil for a session that only the agent answers.
func viewHandoff(p *planner.HandOver, mask *sessions.Mask) *handoffView {
	switch {
	case p == nil:
		return nil
	case p.Taken:
		return &handoffView{Status: handoffTaken, By: orNull(mask.Text(p.By)), Since: p.Since, Turn: p.Turn}
	}
	return &handoffView{Status: handoffWanted, Since: p.Since, Turn: p.Turn}
}

// handoff reads who has a session. It reads the session's state once, and more only to mask a name. It
// returns nil for a damaged session, and for one that a newer release wrote.
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

// handedOver is the outcome of an action of a person.
type handedOver struct {
	SessionID       string               `json:"session_id"`
	Turn            int64                `json:"turn"` // the turn of the action
	Action          router.Action        `json:"action"`
	Reply           string               `json:"reply"` // the message to the user: the person's answer, or the agent's after a give-back
	Asked           *string              `json:"asked"`
	WaitingForParam *string              `json:"waiting_for_param"`
	Confirming      *string              `json:"confirming"`
	Options         []planner.Suggestion `json:"options,omitempty"`
	Handoff         *handoffView         `json:"handoff"`
}

// handoffRequest is the body of POST /v1/sessions/{id}/handoff.
type handoffRequest struct {
	action, by, text, messageID string
}

// decodeHandoff reads a body. Its error is a *Problem.
func decodeHandoff(body []byte, header http.Header) (req handoffRequest, err error) {
	err = DecodeFields(body, Fields{
		"action": TextField(&req.action), "by": TextField(&req.by), "text": TextField(&req.text), "message_id": TextField(&req.messageID),
	}, "action")
	if err != nil {
		return req, err
	}
	if key := header.Get("Idempotency-Key"); key != "" {
		if req.messageID != "" && req.messageID != key {
			return req, BadRequest("bad_request", "message_id and the header Idempotency-Key differ; send one of them.")
		}
		req.messageID = key
	}
	return req, req.check()
}

// check refuses what the router would refuse, with a better message.
func (r *handoffRequest) check() error {
	answers := r.action == string(router.ActionAnswer)
	switch said := strings.TrimSpace(r.text) != ""; {
	case !slices.Contains(router.Actions, router.Action(r.action)):
		return BadRequest("bad_field", "action must be take, answer or give_back.")
	case answers && !said:
		return BadRequest("missing_field", "text is missing: send the person's message to the user.")
	case !answers && r.text != "":
		return BadRequest("bad_field", "Leave text out: only the action answer has one.")
	case len([]rune(r.text)) > planner.MaxText:
		return BadRequest("bad_field", "text has more than %d characters: shorten it, or send two answers.", planner.MaxText)
	case len([]rune(r.by)) > router.MaxPersonName || printable.Text(r.by) != r.by || strings.ContainsAny(r.by, "\n\r\t"):
		return BadRequest("bad_field", "by must be a name of at most %d printable characters.", router.MaxPersonName)
	case r.messageID != "" && printable.CheckID(r.messageID) != nil:
		return BadRequest("bad_field", "message_id: an id has %s.", printable.IDRule)
	}
	return nil
}

// handOver runs the action of a person, even if the client disconnects.
func (a *API) handOver(w http.ResponseWriter, r *http.Request) (any, error) {
	masks, body, err := a.maskedBody(w, r)
	if err != nil {
		return nil, err
	}
	req, err := decodeHandoff(body, r.Header)
	if err != nil {
		return nil, err
	}
	if a.opts.Memory.Stateless {
		return nil, Disabled("memory")
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
}

// viewHandedOver returns the reply, masked like a list of messages: the caller is not the user to whom it
// goes.
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

// explainHandoff adds details to an error that only this route may show.
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
		return BadRequest("bad_field", "message_id: another message of this session has the same id; send a new one.")
	}
	return fmt.Errorf("hand over: %w", err)
}
