// Package httpapi serves a router over HTTP: it reads a message, runs its turn, and answers with the
// reply.
//
// The central type is [API], an http.Handler over any [Handler] of interactions. POST /chat runs one
// turn; GET /healthz and GET /readyz report whether the process lives and whether it can take turns.
// With Options.Memory there are routes for stored sessions, which show users their own sessions with
// redacted values masked (package sessions), and for live events, as server-sent events. openapi.json
// describes the whole service, including the routes of its adapters, and is served as /openapi.json;
// package contract checks answers against it. Every error is an RFC 9457 problem document; problem.go
// has the one table of errors and their statuses, and no text in it quotes what somebody said.
//
// A turn outlives its client: it runs under its own deadline, not under the request's context, so a
// client that disconnects loses nothing, and a retry with the same message id gets the stored reply.
// [API.Drain] stops taking turns and waits for those under way.
package httpapi
