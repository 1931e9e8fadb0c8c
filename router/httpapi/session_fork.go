package httpapi

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/google/uuid"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/sessions"
)

// fork copies a session of the caller to a new one, as it is or as it was after a turn.
func (a *API) fork(w http.ResponseWriter, r *http.Request) (view sessionView, err error) {
	masks, body, err := a.maskedBody(w, r)
	if err != nil {
		return view, err
	}
	from, err := a.key(r)
	if err != nil {
		return view, err
	}
	to, turn := from, (*int64)(nil)
	to.SessionID = ""
	if err := DecodeFields(body, Fields{"session_id": TextField(&to.SessionID), "turn": IntegerField(&turn)}); err != nil {
		return view, err
	}
	if to.SessionID == "" {
		to.SessionID = uuid.NewString()
	}
	if printable.CheckID(to.SessionID) != nil || to.Validate() != nil {
		return view, BadRequest("bad_field", "session_id: an id has %s.", printable.IDRule)
	}
	after := int64(0) // now
	if turn != nil {
		after = *turn
	}
	if after < 0 {
		return view, BadRequest("bad_field", "turn is 1 or more; leave it out for the session as it is now.")
	}
	ctx, cancel := a.detached(r)
	defer cancel()
	switch err := sessions.Fork(ctx, a.opts.Memory.Store, from, to, after); {
	case errors.Is(err, memory.ErrConflict):
		return view, fmt.Errorf("%w", sessionExists)
	case errors.Is(err, memory.ErrNoSnapshot):
		return view, fmt.Errorf("%w", noSnapshot)
	case err != nil:
		return view, err
	}
	info, err := a.info(ctx, to)
	if err != nil {
		return view, err
	}
	return a.maskedInfo(ctx, masks, info)
}

// noSnapshot is the problem of a turn whose state an earlier release did not keep.
var noSnapshot = &Problem{Status: http.StatusConflict, Code: "no_snapshot", Title: "The state after this turn was not kept", Detail: "Fork the session after a later turn, or as it is now."}
