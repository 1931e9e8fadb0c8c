package settings

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Server holds the settings of the HTTP service.
type Server struct {
	Addr   string // host:port
	Auth   Auth
	Limits Limits
	// AgentAliases are further names by which requests may address the agent.
	AgentAliases []string
	CORS         []string // origins whose pages may send requests, such as https://app.example; "*": all. None by default
	Widget       Widget
}

// Widget holds the settings of the web widget.
type Widget struct {
	Visitors   bool          // people without a credential may talk
	VisitorTTL time.Duration // how long one of them stays the same user
	KeyEnv     string        // variable with the key that signs visitors' tokens; unset: a key in the data folder
}

// Auth says how requests prove who they are from. Without a keys file and JWT they need not.
type Auth struct {
	Open     string // OpenKnown: serve without keys although other machines can connect
	KeysFile string // of API keys, in the form of ParseKeys
	JWT      JWT
}

// OpenKnown is the only value of Auth.Open that opens the service to everybody. It is no yes or no,
// so that nobody sets it without having read what it does.
const OpenKnown = "i_know"

// Asks reports whether requests must prove who they are from.
func (a *Auth) Asks() bool { return a.KeysFile != "" || a.JWT.Enabled() }

// JWT says which JSON Web Tokens (RFC 7519) are accepted. At most one of KeyFile, JWKSURL and
// SecretEnv is set; if none is, no token is accepted.
type JWT struct {
	Issuer, Audience string   // that every token must name
	Algorithms       []string // allowed for signatures; HS algorithms only with SecretEnv
	KeyFile          string   // PEM public keys or certificates, or a JWKS
	JWKSURL          string   // of a key set (RFC 7517)
	SecretEnv        string   // name of the variable that holds the secret of HS algorithms
	UserClaim        string   // the claim that names the user
	ScopeClaim       string   // the claim that lists the scopes: text separated by spaces, or a list
}

// Enabled reports whether tokens are accepted.
func (j JWT) Enabled() bool { return j.KeyFile != "" || j.JWKSURL != "" || j.SecretEnv != "" }

// Limits bound the cost of one client.
type Limits struct {
	Body     Size // of a request
	Rate     Rate // requests of one client; the burst is twice as large
	InFlight int  // concurrent turns
	Streams  int  // concurrent event streams
}

// algorithms are the signature algorithms of RFC 7518, section 3.1, and RFC 8037 that settings may
// allow. "none" is no signature.
var algorithms = []string{
	"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "HS256", "HS384", "HS512",
}

func defaultServer() Server {
	return Server{
		Addr:         "127.0.0.1:8080",
		Auth:         Auth{JWT: JWT{Algorithms: []string{"RS256", "ES256"}, UserClaim: "sub", ScopeClaim: "scope"}},
		Limits:       Limits{Body: 64 << 10, Rate: 20, InFlight: 256, Streams: 1024},
		AgentAliases: []string{"general"}, CORS: []string{}, Widget: Widget{VisitorTTL: 30 * 24 * time.Hour},
	}
}

func (s *Server) rows() []row {
	auth, jwt, limits := &s.Auth, &s.Auth.JWT, &s.Limits
	return []row{
		{path: "server.addr", field: &s.Addr, check: checkAddr},
		{path: "server.auth.open", field: &auth.Open, oneOf: []string{"", OpenKnown}},
		{path: "server.auth.keys_file", field: &auth.KeysFile, home: true},
		{path: "server.auth.jwt.issuer", field: &jwt.Issuer},
		{path: "server.auth.jwt.audience", field: &jwt.Audience},
		{path: "server.auth.jwt.algorithms", field: &jwt.Algorithms, oneOf: algorithms},
		{path: "server.auth.jwt.key_file", field: &jwt.KeyFile, home: true},
		{path: "server.auth.jwt.jwks_url", field: &jwt.JWKSURL, check: checkKeyURL},
		{path: "server.auth.jwt.secret_env", field: &jwt.SecretEnv, check: checkEnvName},
		{path: "server.auth.jwt.user_claim", field: &jwt.UserClaim},
		{path: "server.auth.jwt.scope_claim", field: &jwt.ScopeClaim},
		{path: "server.limits.body", field: &limits.Body, min: 1024},
		{path: "server.limits.rate", field: &limits.Rate},
		{path: "server.limits.in_flight", field: &limits.InFlight, min: 1},
		{path: "server.limits.streams", field: &limits.Streams, min: 1},
		{path: "server.agent_aliases", field: &s.AgentAliases},
		{path: "server.cors", field: &s.CORS, check: checkOrigin},
		{path: "server.widget.visitors", field: &s.Widget.Visitors},
		{path: "server.widget.visitor_ttl", field: &s.Widget.VisitorTTL},
		{path: "server.widget.key_env", field: &s.Widget.KeyEnv, check: checkEnvName},
	}
}

// checkOrigin accepts an origin in the form of browsers (RFC 6454, section 6.2), or "*".
func checkOrigin(s string) error {
	if s == "*" {
		return nil
	}
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.Scheme+"://"+strings.ToLower(u.Host) != s {
		return fmt.Errorf(`%q is no origin; write https://HOST or https://HOST:PORT in small letters, without a path, or "*"`, showURL(s))
	}
	return nil
}

// checkKeyURL accepts a URL whose answer nobody can change on the way: an attacker who could, could make
// keys.
func checkKeyURL(s string) error {
	if err := checkURL(s); err != nil {
		return err
	}
	u, err := url.Parse(s)
	if err == nil && u.Scheme == "http" && u.Hostname() != "localhost" && !net.ParseIP(u.Hostname()).IsLoopback() {
		return fmt.Errorf("it is not encrypted; write https://HOST")
	}
	return nil
}

// tokens checks the settings of JWT together.
func (l *settingsLoader) tokens(j *JWT) {
	report := func(key, message, hint string) { l.report("settings", "server.auth.jwt."+key, message, hint) }
	sources := 0
	for _, s := range []string{j.KeyFile, j.JWKSURL, j.SecretEnv} {
		if s != "" {
			sources++
		}
	}
	if sources == 0 {
		if j.Issuer != "" || j.Audience != "" {
			report("issuer", "is set, but nothing to check tokens with", "set key_file, jwks_url or secret_env")
		}
		return
	}
	if sources > 1 {
		report("key_file", "is not the only one of key_file, jwks_url and secret_env", "keep one")
	}
	for _, f := range []struct{ key, value string }{
		{"issuer", j.Issuer}, {"audience", j.Audience}, {"user_claim", j.UserClaim}, {"scope_claim", j.ScopeClaim},
	} {
		if f.value == "" {
			report(f.key, "is empty", "name it: a token for another service must not be good for this one")
		}
	}
	// One key must never serve both kinds: a public key would be taken for a secret.
	shared := func(alg string) bool { return strings.HasPrefix(alg, "HS") }
	switch {
	case len(j.Algorithms) == 0:
		report("algorithms", "is empty", "name those that the issuer signs with")
	case j.SecretEnv == "" && slices.ContainsFunc(j.Algorithms, shared):
		report("algorithms", "has an algorithm with a secret, but there is none", "set secret_env or remove HS256, HS384 and HS512")
	case j.SecretEnv != "" && !slices.ContainsFunc(j.Algorithms, shared):
		report("algorithms", "has no algorithm with a secret", "write [HS256]")
	case j.SecretEnv != "" && slices.ContainsFunc(j.Algorithms, func(a string) bool { return !shared(a) }):
		report("algorithms", "mixes algorithms with a secret and with public keys", "keep those that begin with HS")
	}
}
