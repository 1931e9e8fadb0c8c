package access

import (
	"net/http"
	"strings"
)

// Bearer is the Authenticator of a service with API keys, JSON Web Tokens, or both. A credential with
// the three parts of a signed token (RFC 7515, section 3.1) is a token; our keys have no dots.
type Bearer struct {
	Keys   *Keys   // nil: none are taken
	Tokens *Tokens // nil: none are taken
}

// Identify implements Authenticator. It reads credentials only from the header Authorization: URLs end
// up in logs, and browsers send cookies by themselves.
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

// maxCredential bounds what is hashed or parsed before the caller is known, in bytes.
const maxCredential = 8 << 10

// bearer returns the one bearer token (RFC 6750, section 2.1) of a request. The scheme is
// case-insensitive (RFC 9110, section 11.1).
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
