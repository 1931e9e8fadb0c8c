package router

import (
	"context"
	"errors"
	"fmt"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
)

var (
	// ErrBadInteraction: the interaction names no valid session, or is not UTF-8.
	ErrBadInteraction = errors.New("invalid interaction")
	// ErrBusy: too many turns of this session are waiting already. Send it again later.
	ErrBusy = errors.New("too many messages of this session are waiting")
	// ErrStaleTurn: the turn that the message answers is not the newest of its session. The error
	// is a *StaleTurnError.
	ErrStaleTurn = errors.New("the conversation went on elsewhere")
	// ErrNotTaken: a person wants to answer in a conversation, or to give one back, that nobody has
	// taken over.
	ErrNotTaken = errors.New("no person has this conversation")
	// ErrTaken: another person has the conversation. The error is a *TakenError.
	ErrTaken = errors.New("another person has this conversation")
	// ErrPanic: the turn ran into a programming mistake; it was not committed.
	ErrPanic = errors.New("internal error")

	// ErrOtherAgent: Swap was given another agent, not another version of the same one.
	ErrOtherAgent = errors.New("another agent")

	// errHandled: the message had its effect before, and would now have another one.
	errHandled = errors.New("the message was spent on another call")

	errNoDeps  = errors.New("an agent, a classifier and tools are needed")
	errMachine = errors.New("transition not in the table")
)

// StaleTurnError is an ErrStaleTurn that names the newest turn.
type StaleTurnError struct {
	Newest int64 // number of the newest turn that was neither cleared nor taken back; 0: there is none
}

// Error implements error.
func (e *StaleTurnError) Error() string {
	return fmt.Sprintf("%v: it stands after turn %d", ErrStaleTurn, e.Newest)
}

// Unwrap returns ErrStaleTurn.
func (e *StaleTurnError) Unwrap() error { return ErrStaleTurn }

// TakenError is an ErrTaken that names the person.
type TakenError struct{ By string } // "": one who gave no name

// Error implements error. It does not name the person: errors go to logs.
func (e *TakenError) Error() string { return ErrTaken.Error() }

// Unwrap returns ErrTaken.
func (e *TakenError) Unwrap() error { return ErrTaken }

// codes gives each error of a turn a word for telemetry; the first that matches counts.
var codes = []struct {
	err  error
	code string
}{
	{memory.ErrConflict, "conflict"},
	{memory.ErrCorrupt, "corrupt"},
	{memory.ErrUnavailable, "store_unavailable"},
	{memory.ErrClosed, "store_closed"},
	{planner.ErrForm, "plan_form"},
	{ErrBadInteraction, "bad_interaction"},
	{ErrStaleTurn, "moved_on"},
	{ErrTaken, "taken"},
	{ErrNotTaken, "not_taken"},
	{ErrBusy, "busy"},
	{ErrPanic, "panic"},
	{context.DeadlineExceeded, "deadline"},
	{context.Canceled, "canceled"},
	{errMachine, "machine"},
}

// errorCode is the word for an error; "failed" for one that is not in the table.
func errorCode(err error) string {
	for _, c := range codes {
		if errors.Is(err, c.err) {
			return c.code
		}
	}
	return "failed"
}
