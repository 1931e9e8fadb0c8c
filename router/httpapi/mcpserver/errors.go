package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/slotway/slotway/router"
)

// The codes of this server's own errors, from JSON-RPC's range for servers.
const (
	codeForbidden   = -32001 // the key lacks the scope
	codeBusy        = -32002 // too many messages of the conversation wait: send it again later
	codeUnavailable = -32003 // it cannot be done now; nothing was changed
)

var (
	errForbidden   = &jsonrpc.Error{Code: codeForbidden, Message: "the key may not do this"}
	errBusy        = &jsonrpc.Error{Code: codeBusy, Message: "too many messages of this conversation are waiting; send it again in a moment"}
	errTimeout     = &jsonrpc.Error{Code: codeUnavailable, Message: "the turn took too long, and may have been made all the same; the same request with the same idempotency key is safe to send again"}
	errUnavailable = &jsonrpc.Error{Code: codeUnavailable, Message: "this cannot be done now, and nothing was changed; send it again later"}
)

func invalid(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// explain returns a turn's error for a client: it holds names at most, and no internals.
func explain(err error) error {
	switch {
	case errors.Is(err, router.ErrBadInteraction):
		return invalid("%s", strings.TrimPrefix(err.Error(), router.ErrBadInteraction.Error()+": "))
	case errors.Is(err, router.ErrBusy):
		return errBusy
	case errors.Is(err, context.DeadlineExceeded):
		return errTimeout
	}
	return errUnavailable
}
