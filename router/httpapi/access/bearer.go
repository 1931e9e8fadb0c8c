package access

import (
	"net/http"
	"strings"
)

// Bearer is the Authenticator of a service with API keys, JSON Web Tokens, or both. What
// has the three parts of a signed token (RFC 7515, section 3.1) is one; a key of ours has
// no dots.
type Bearer struct {
	Keys   *Keys   // nil: none are taken
	Tokens *Tokens // nil: none are taken
}

// Identify implements Authenticator. Credentials are read from the header Authorization
// alone: addresses end up in logs, and a browser would add a cookie by itself.
func (b *Bearer) Identify(r *http.Request) (Identity, error) {
	text, err := bearer(r)
	if err != nil {
		return Identity{}, err
	}
	var id Identity
	switch {
	case b.Tokens != nil && strings.Count(text, ".") == 2:
		id, err = b.Tokens.identify(text)
	case b.Keys != nil:
		id, err = b.Keys.identify(text)
	default:
		err = ErrNoCredentials
	}
	if err != nil {
		return Identity{}, err
	}
	return resolveUser(id, r)
}

// maxCredential bounds what is hashed or parsed before anybody is known, in bytes.
const maxCredential = 8 << 10

// bearer is the one bearer token (RFC 6750, section 2.1) of a request. The scheme is in any
// case (RFC 9110, section 11.1).
func bearer(r *http.Request) (string, error) {
	given := r.Header.Values("Authorization")
	if len(given) != 1 {
		return "", ErrNoCredentials
	}
	scheme, text, _ := strings.Cut(given[0], " ")
	text = strings.TrimLeft(text, " ")
	if !strings.EqualFold(scheme, "Bearer") || text == "" || len(text) > maxCredential {
		return "", ErrNoCredentials
	}
	return text, nil
}
