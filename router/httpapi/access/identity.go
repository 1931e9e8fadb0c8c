package access

import (
	"context"
	"errors"
	"net/http"
	"slices"
)

// Scope is one thing that an identity may do.
type Scope string

// The scopes. None includes another.
const (
	Chat  Scope = "chat"  // say something, and clear or erase what one said
	Read  Scope = "read"  // look at sessions and memory, with redacted values masked; metrics
	Admin Scope = "admin" // see redacted values, import sessions
)

// Scopes are all of them.
var Scopes = []Scope{Chat, Read, Admin}

// Identity is who a request is from.
type Identity struct {
	Name   string  // of the key or the token's subject: for limits and logs, never a secret
	UserID string  // whose conversations it sees
	Scopes []Scope // what it may do there
}

// Has reports whether the identity may do what scope says.
func (i Identity) Has(scope Scope) bool { return slices.Contains(i.Scopes, scope) }

// Authenticator finds out who a request is from.
type Authenticator interface {
	// Identify returns ErrNoCredentials where none or wrong ones were given, and
	// ErrForbidden where they are right but not for what the request asks.
	Identify(r *http.Request) (Identity, error)
}

var (
	// ErrNoCredentials: no credentials, or none that are known.
	ErrNoCredentials = errors.New("no valid credentials")
	// ErrForbidden: valid credentials that do not permit this.
	ErrForbidden = errors.New("not permitted")
)

// Open is the Authenticator of a service without keys: everybody is one user who may do
// everything.
type Open struct{ UserID string }

// Identify implements Authenticator.
func (o Open) Identify(*http.Request) (Identity, error) {
	return Identity{Name: o.UserID, UserID: o.UserID, Scopes: Scopes}, nil
}

type contextKey struct{}

// With returns a context that carries an identity.
func With(ctx context.Context, id Identity) context.Context {
	return context.WithValue(ctx, contextKey{}, id)
}

// From is the identity of a request that has passed the service's door. It is zero, and may
// do nothing, anywhere else.
func From(ctx context.Context) Identity {
	id, _ := ctx.Value(contextKey{}).(Identity)
	return id
}
