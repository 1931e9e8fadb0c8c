// Package httpapi is the HTTP face of a router: it reads a message, runs its turn, and
// answers with the reply.
//
// The central type is [API], an http.Handler over anything that handles interactions.
// POST /chat runs one turn; GET /healthz and GET /readyz tell whether the process lives
// and whether it should be sent work. With [Memory] there are the routes of what is stored,
// which show a user its own sessions with redacted values masked (package sessions), and of
// what happens, as server-sent events. openapi.json describes the whole service, the routes
// of its adapters included, and is served as /openapi.json; package contract holds answers to
// it. Whatever goes wrong is an RFC 9457 problem document; problem.go has the one table of
// errors and their statuses, and none of its texts ever holds what somebody said.
//
// A turn outlives its client: it runs under its own deadline, not under the request's
// context, so that whoever hangs up loses nothing and a retry with the same message id
// gets the stored reply. [API.Drain] stops taking turns and waits for those under way.
package httpapi
