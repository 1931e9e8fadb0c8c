package settings

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestServerSettings(t *testing.T) {
	path := writeFile(t, "slotway.yaml", `
server:
  auth:
    keys_file: ~/keys.yaml
    jwt:
      issuer: https://id.example
      audience: slotway
      algorithms: [ES256, EdDSA]
      jwks_url: https://id.example/keys
      user_claim: email
  limits: {streams: 9}
  cors: ["https://app.example", "http://localhost:3000"]
`)
	s, err := Load(path, []string{"HOME=/h"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Auth{KeysFile: "/h/keys.yaml", JWT: JWT{
		Issuer: "https://id.example", Audience: "slotway", Algorithms: []string{"ES256", "EdDSA"},
		JWKSURL: "https://id.example/keys", UserClaim: "email", ScopeClaim: "scope",
	}}
	if diff := cmp.Diff(want, s.Server.Auth); diff != "" || !s.Server.Auth.JWT.Enabled() || s.Server.Limits.Streams != 9 {
		t.Errorf("auth (-want +got)\n%s\nstreams %d", diff, s.Server.Limits.Streams)
	}
	if Default().Server.Auth.JWT.Enabled() {
		t.Error("tokens are taken by default")
	}
}

func TestServerSettingsProblems(t *testing.T) {
	const pair = "issuer: i, audience: a, "
	tests := []struct{ jwt, want string }{
		{"issuer: i", "server.auth.jwt.issuer: is set, but nothing to check tokens with"},
		{"audience: a, key_file: k", "server.auth.jwt.issuer: is empty"},
		{"issuer: i, key_file: k", "server.auth.jwt.audience: is empty"},
		{pair + "key_file: k, user_claim: ''", "server.auth.jwt.user_claim: is empty"},
		{pair + "key_file: k, jwks_url: 'https://h/k'", "keep one"},
		{pair + "key_file: k, algorithms: []", "server.auth.jwt.algorithms: is empty"},
		{pair + "key_file: k, algorithms: [none]", `unknown value "none"`},
		{pair + "key_file: k, algorithms: [RS256, HS256]", "set secret_env or remove"},
		{pair + "secret_env: S", "write [HS256]"},
		{pair + "secret_env: S, algorithms: [HS256, RS256]", "mixes algorithms"},
		{pair + "secret_env: sk-123", "it is no name of an environment variable"},
		{pair + "jwks_url: 'http://id.example/k'", "it is not encrypted; write https://HOST"},
	}
	for _, test := range tests {
		_, err := Load(writeFile(t, "s.yaml", "server: {auth: {jwt: {"+test.jwt+"}}}\n"), []string{"HOME=/h"}, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "sk-123") {
			t.Errorf("{%s}: %v, want %q", test.jwt, err, test.want)
		}
	}
	for _, good := range []string{
		pair + "jwks_url: 'http://127.0.0.1:9/k'", pair + "jwks_url: 'http://localhost:9/k'", pair + "secret_env: S, algorithms: [HS512]",
	} {
		if _, err := Load(writeFile(t, "s.yaml", "server: {auth: {jwt: {"+good+"}}}\n"), []string{"HOME=/h"}, nil); err != nil {
			t.Errorf("{%s}: %v", good, err)
		}
	}
}

func TestOrigins(t *testing.T) {
	for _, good := range []string{"*", "https://app.example", "http://localhost:3000", "http://[::1]:80"} {
		if err := checkOrigin(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"app.example", "https://app.example/", "https://App.example", "ftp://h", "https://h?x", "null", "https://*.example/x", "https://u@h"} {
		_, err := Load("", []string{"HOME=/h"}, map[string]string{"server.cors": bad})
		if err == nil || !strings.Contains(err.Error(), "is no origin") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
