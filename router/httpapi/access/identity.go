package access

import (
	"context"
	"errors"
	"net/http"
	"slices"
)

// Scope is a permission of an identity.
type Scope string

// The scopes. None includes another.
const (
	Chat    Scope = "chat"    // say something, and clear or erase what one said
	Read    Scope = "read"    // look at sessions and memory, with redacted values masked
	Admin   Scope = "admin"   // see redacted values, import sessions
	Handoff Scope = "handoff" // take a conversation over from the agent, speak in it as a person of the service, give it back
	Metrics Scope = "metrics" // read the counts of the whole service, which are of all users together
)

// Scopes are all scopes.
var Scopes = []Scope{Chat, Read, Admin, Handoff, Metrics}

// Identity is the caller of a request.
type Identity struct {
	Name   string   // of the key or the token's subject: for limits and logs, never a secret
	UserID string   // whose conversations it may see
	Scopes []Scope  // what it may do there
	Agents []string // with which agents; none: with every one
}

// Has reports whether the identity has a scope.
func (i Identity) Has(scope Scope) bool { return slices.Contains(i.Scopes, scope) }

// For reports whether the identity may use an agent.
func (i Identity) For(agent string) bool {
	return len(i.Agents) == 0 || slices.Contains(i.Agents, agent)
}

// Authenticator identifies the caller of a request.
type Authenticator interface {
	// Identify returns ErrNoCredentials for missing or wrong credentials, ErrForbidden if they are valid
	// but do not permit the request, ErrUserRequired and ErrBadUser if they do not properly name the user,
	// and ErrUnavailable if they cannot be checked now.
	Identify(r *http.Request) (Identity, error)
}

var (
	// ErrNoCredentials: no credentials, or none that are known.
	ErrNoCredentials = errors.New("no valid credentials")
	// ErrForbidden: valid credentials that do not permit this.
	ErrForbidden = errors.New("not permitted")
	// ErrUserRequired: a service did not name the user that it speaks for.
	ErrUserRequired = errors.New("a service must name the user")
	// ErrBadUser: the user that was named has no possible name.
	ErrBadUser = errors.New("no possible name of a user")
	// ErrUnavailable: the keys that a token is checked with were never fetched.
	ErrUnavailable = errors.New("tokens cannot be checked now")
)

// Open is the Authenticator of a service without keys: every caller is one user with all scopes. A
// request that names another user is refused, so that its data is not mixed with this user's.
type Open struct{ UserID string }

// Identify implements Authenticator.
func (o Open) Identify(r *http.Request) (Identity, error) {
	return resolveUser(Identity{Name: o.UserID, UserID: o.UserID, Scopes: Scopes}, r)
}

type contextKey struct{}

// With returns a context that carries an identity.
func With(ctx context.Context, id Identity) context.Context {
	return context.WithValue(ctx, contextKey{}, id)
}

// From returns the identity of an authenticated request. For any other context it is zero and has no
// scopes.
func From(ctx context.Context) Identity {
	id, _ := ctx.Value(contextKey{}).(Identity)
	return id
}
