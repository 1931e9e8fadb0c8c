package access

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/slotway/slotway/config/settings"
)

// leeway is how far the clocks of issuer and service may differ.
const leeway = 30 * time.Second

// minSecret is the shortest secret of each HMAC: as long as its hash (RFC 7518, section
// 3.2), in bytes.
var minSecret = map[string]int{"HS256": 32, "HS384": 48, "HS512": 64}

// Tokens are JSON Web Tokens of one issuer (RFC 7519, with the advice of RFC 8725). Algorithms must be
// in the settings and fit the key; issuer, audience and expiry are required; and nothing in a token's
// header says where its key comes from.
type Tokens struct {
	settings settings.JWT
	parser   *jwt.Parser
	keys     keySource
}

// keySource returns the keys that may have signed a token.
type keySource interface {
	// find returns the keys with an id, and all keys if it is "" or they have none.
	find(id string) ([]verifier, error)
}

// NewTokens makes Tokens of enabled settings. A key set at a URL is fetched when the first token
// arrives.
func NewTokens(s settings.JWT, opts *Options) (*Tokens, error) {
	o := opts.withDefaults()
	if slices.Contains([]string{s.Issuer, s.Audience, s.UserClaim, strings.Join(s.Algorithms, "")}, "") {
		return nil, errors.New("server.auth.jwt needs issuer, audience, algorithms and user_claim") // a check left out is a check passed
	}
	t := &Tokens{settings: s}
	t.parser = jwt.NewParser(
		jwt.WithValidMethods(s.Algorithms), jwt.WithIssuer(s.Issuer), jwt.WithAudience(s.Audience), jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(), jwt.WithLeeway(leeway), jwt.WithTimeFunc(o.Now), jwt.WithStrictDecoding(),
	)
	var err error
	switch {
	case s.SecretEnv != "":
		t.keys, err = secretKeys(s, o.Secret)
	case s.KeyFile != "":
		t.keys, err = fileKeys(s.KeyFile)
	default:
		t.keys = newRemoteKeys(s.JWKSURL, o.Notify, o.Now)
	}
	return t, err
}

// secretKeys returns the one key of HMAC algorithms.
func secretKeys(s settings.JWT, env func(string) string) (keySource, error) {
	secret := env(s.SecretEnv)
	for _, alg := range s.Algorithms {
		if len(secret) < minSecret[alg] {
			return nil, fmt.Errorf("the variable %s has %d bytes, %s needs %d; make one with: openssl rand -base64 48", s.SecretEnv, len(secret), alg, minSecret[alg])
		}
	}
	return keySet{{key: []byte(secret)}}, nil
}

// identify reads a token. Errors do not say what is wrong with it: nobody but its bearer should know.
func (t *Tokens) identify(text string) (Identity, error) {
	claims := jwt.MapClaims{}
	_, err := t.parser.ParseWithClaims(text, claims, t.candidates)
	if errors.Is(err, ErrUnavailable) {
		return Identity{}, ErrUnavailable
	}
	if err != nil {
		return Identity{}, ErrNoCredentials
	}
	user, _ := claims[t.settings.UserClaim].(string)
	if checkUser(user) != nil {
		return Identity{}, ErrForbidden // a good token that names nobody
	}
	return Identity{Name: user, UserID: user, Scopes: scopesOf(claims[t.settings.ScopeClaim])}, nil
}

// candidates returns the keys that fit the token's header.
func (t *Tokens) candidates(token *jwt.Token) (any, error) {
	if _, has := token.Header["crit"]; has {
		return nil, jwt.ErrTokenUnverifiable // demands that we understand none of (RFC 7515, section 4.1.11)
	}
	id := ""
	if given, has := token.Header["kid"]; has {
		var ok bool
		if id, ok = given.(string); !ok {
			return nil, jwt.ErrTokenUnverifiable
		}
	}
	all, err := t.keys.find(id)
	if err != nil {
		return nil, err
	}
	var set jwt.VerificationKeySet
	for _, v := range all {
		if v.fits(token.Method.Alg()) {
			set.Keys = append(set.Keys, v.key)
		}
	}
	if len(set.Keys) == 0 {
		return nil, jwt.ErrTokenUnverifiable
	}
	return set, nil
}

// scopesOf reads a claim of scopes: text separated by spaces (RFC 8693, section 4.2) or a list.
// It ignores the scopes of other services.
func scopesOf(claim any) []Scope {
	var names []string
	switch c := claim.(type) {
	case string:
		names = strings.Fields(c)
	case []any:
		for _, e := range c {
			if name, ok := e.(string); ok {
				names = append(names, name)
			}
		}
	}
	var out []Scope
	for _, s := range Scopes {
		if slices.Contains(names, string(s)) {
			out = append(out, s)
		}
	}
	return out
}
