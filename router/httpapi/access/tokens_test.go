package access

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config/settings"
)

// signers are private keys, made once: RSA is slow to make.
var signers = sync.OnceValue(func() (s struct {
	rsa, other *rsa.PrivateKey
	p256, p384 *ecdsa.PrivateKey
	ed         ed25519.PrivateKey
},
) {
	s.rsa, _ = rsa.GenerateKey(rand.Reader, 2048)
	s.other, _ = rsa.GenerateKey(rand.Reader, 2048)
	s.p256, _ = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	s.p384, _ = ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	_, s.ed, _ = ed25519.GenerateKey(rand.Reader)
	return s
})

func writeText(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func publicPEM(t *testing.T, keys ...any) string {
	t.Helper()
	var b strings.Builder
	for _, k := range keys {
		der, err := x509.MarshalPKIXPublicKey(k)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
	}
	return b.String()
}

func b64(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

func rsaJWK(kid string, k *rsa.PublicKey, more ...string) map[string]string {
	j := map[string]string{"kty": "RSA", "kid": kid, "n": b64(k.N.Bytes()), "e": b64(big.NewInt(int64(k.E)).Bytes())}
	for i := 0; i+1 < len(more); i += 2 {
		j[more[i]] = more[i+1]
	}
	return j
}

func ecJWK(t *testing.T, kid string, k *ecdsa.PublicKey) map[string]string {
	t.Helper()
	point, err := k.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	half := (len(point) - 1) / 2
	return map[string]string{"kty": "EC", "kid": kid, "crv": k.Curve.Params().Name, "x": b64(point[1 : 1+half]), "y": b64(point[1+half:])}
}

func jwks(t *testing.T, keys ...map[string]string) string {
	t.Helper()
	data, err := json.Marshal(map[string]any{"keys": keys})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// good are claims that the settings of these tests take; changes replace some, nil removes.
func good(at time.Time, changes map[string]any) jwt.MapClaims {
	claims := jwt.MapClaims{
		"iss": "https://id.example", "aud": []string{"other", "slotway"}, "sub": "alice", "scope": "chat read openid",
		"exp": at.Add(time.Minute).Unix(), "iat": at.Unix(),
	}
	for k, v := range changes {
		if claims[k] = v; v == nil {
			delete(claims, k)
		}
	}
	return claims
}

func sign(t *testing.T, alg string, key any, claims jwt.MapClaims, header ...string) string {
	t.Helper()
	token := jwt.NewWithClaims(jwt.GetSigningMethod(alg), claims)
	for i := 0; i+1 < len(header); i += 2 {
		token.Header[header[i]] = header[i+1]
	}
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func jwtSettings(keyFile string, algorithms ...string) settings.JWT {
	return settings.JWT{
		Issuer: "https://id.example", Audience: "slotway", Algorithms: algorithms, KeyFile: keyFile,
		UserClaim: "sub", ScopeClaim: "scope",
	}
}

func newTokens(t *testing.T, s settings.JWT, at *clock) *Tokens {
	t.Helper()
	tokens, err := NewTokens(s, &Options{Now: at.now, Secret: func(string) string { return strings.Repeat("s", 48) }})
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

func TestTokenClaims(t *testing.T) {
	at, k := newClock(), signers()
	tokens := newTokens(t, jwtSettings(writeText(t, "k.pem", publicPEM(t, &k.rsa.PublicKey)), "RS256", "ES256"), at)
	after := func(d time.Duration) int64 { return at.at.Add(d).Unix() }
	tests := []struct {
		name    string
		changes map[string]any
		scopes  []Scope
		err     error
	}{
		{"good", nil, []Scope{Chat, Read}, nil},
		{"audience as text", map[string]any{"aud": "slotway"}, []Scope{Chat, Read}, nil},
		{"scopes as a list", map[string]any{"scope": []any{"admin", 7, "chat"}}, []Scope{Chat, Admin}, nil},
		{"no scopes", map[string]any{"scope": nil}, nil, nil},
		{"scopes of another form", map[string]any{"scope": map[string]any{"chat": true}}, nil, nil},
		{"no scope is a part of another", map[string]any{"scope": "chatter readonly Admin"}, nil, nil},
		{"within the leeway", map[string]any{"exp": after(-29 * time.Second), "iat": after(29 * time.Second), "nbf": after(29 * time.Second)}, []Scope{Chat, Read}, nil},
		{"expired", map[string]any{"exp": after(-31 * time.Second)}, nil, ErrNoCredentials},
		{"no expiry", map[string]any{"exp": nil}, nil, ErrNoCredentials},
		{"expiry as text", map[string]any{"exp": "9999999999"}, nil, ErrNoCredentials},
		{"issued tomorrow", map[string]any{"iat": after(31 * time.Second)}, nil, ErrNoCredentials},
		{"not yet", map[string]any{"nbf": after(31 * time.Second)}, nil, ErrNoCredentials},
		{"other issuer", map[string]any{"iss": "https://id.example/"}, nil, ErrNoCredentials},
		{"no issuer", map[string]any{"iss": nil}, nil, ErrNoCredentials},
		{"other audience", map[string]any{"aud": "other"}, nil, ErrNoCredentials},
		{"no audience", map[string]any{"aud": nil}, nil, ErrNoCredentials},
		{"empty audience", map[string]any{"aud": []string{}}, nil, ErrNoCredentials},
		{"no user", map[string]any{"sub": nil}, nil, ErrForbidden},
		{"user is a number", map[string]any{"sub": 7}, nil, ErrForbidden},
		{"reserved user", map[string]any{"sub": "$library"}, nil, ErrForbidden},
		{"user with a control character", map[string]any{"sub": "a\nb"}, nil, ErrForbidden},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := (&Bearer{Tokens: tokens}).Identify(asking("Authorization", "Bearer "+sign(t, "RS256", k.rsa, good(at.at, test.changes))))
			if err != test.err {
				t.Fatalf("got %v, want %v", err, test.err)
			}
			if want := (Identity{Name: "alice", UserID: "alice", Scopes: test.scopes}); err == nil && !cmp.Equal(want, got) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
	text := sign(t, "RS256", k.rsa, good(at.at, nil))
	if _, err := (&Bearer{Tokens: tokens}).Identify(asking("Authorization", "Bearer "+text, "X-User-Id", "bob")); err != ErrForbidden {
		t.Errorf("a token of alice that names bob: %v", err)
	}
}

// What a token says of itself never makes it good.
func TestTokensThatTrick(t *testing.T) {
	at, k := newClock(), signers()
	public := publicPEM(t, &k.rsa.PublicKey, &k.p256.PublicKey)
	tokens := newTokens(t, jwtSettings(writeText(t, "k.pem", public), "RS256", "ES256"), at)
	claims := good(at.at, nil)
	fine := sign(t, "RS256", k.rsa, claims)
	parts := strings.Split(fine, ".")
	head := func(json string) string { return b64([]byte(json)) + "." + parts[1] }
	der, err := x509.MarshalPKIXPublicKey(&k.rsa.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	inHeader := jwt.NewWithClaims(jwt.SigningMethodRS256, claims)
	inHeader.Header["jwk"] = rsaJWK("x", &k.other.PublicKey)
	inHeader.Header["jku"] = "http://127.0.0.1:1/keys"
	ownKey, err := inHeader.SignedString(k.other)
	if err != nil {
		t.Fatal(err)
	}
	crit := jwt.NewWithClaims(jwt.SigningMethodRS256, claims)
	crit.Header["crit"] = []string{"exp"}
	critical, err := crit.SignedString(k.rsa)
	if err != nil {
		t.Fatal(err)
	}
	kid := jwt.NewWithClaims(jwt.SigningMethodRS256, claims)
	kid.Header["kid"] = []any{"a"}
	listed, err := kid.SignedString(k.rsa)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"none":                            head(`{"alg":"none","typ":"JWT"}`) + ".",
		"None":                            head(`{"alg":"None"}`) + ".",
		"none with a signature":           head(`{"alg":"none"}`) + "." + parts[2],
		"no algorithm":                    head(`{"typ":"JWT"}`) + "." + parts[2],
		"the PEM as an HMAC's secret":     sign(t, "HS256", []byte(public), claims),
		"its first block as the secret":   sign(t, "HS256", []byte(publicPEM(t, &k.rsa.PublicKey)), claims),
		"the DER as an HMAC's secret":     sign(t, "HS256", der, claims),
		"the modulus as an HMAC's secret": sign(t, "HS256", k.rsa.N.Bytes(), claims),
		"an algorithm that is not set":    sign(t, "RS512", k.rsa, claims),
		"another type of the same key":    sign(t, "PS256", k.rsa, claims),
		"another key":                     sign(t, "RS256", k.other, claims),
		"a key of another curve":          sign(t, "ES384", k.p384, claims),
		"its own key in the header":       ownKey,
		"critical extensions":             critical,
		"a key id that is a list":         listed,
		"no signature":                    parts[0] + "." + parts[1] + ".",
		"a signature of other claims":     parts[0] + "." + b64([]byte(`{"sub":"bob"}`)) + "." + parts[2],
		"padded":                          fine + "=",
		"bits behind the signature":       loosen(fine),
		"two dots":                        "..",
		"not base64":                      "a b.c.d",
	} {
		if got, err := tokens.identify(text); err != ErrNoCredentials {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for _, text := range []string{fine, sign(t, "ES256", k.p256, claims), sign(t, "RS256", k.rsa, claims, "kid", "../../etc/passwd")} {
		if _, err := tokens.identify(text); err != nil {
			t.Errorf("a good token: %v", err)
		}
	}
}

// loosen changes bits of the last letter that do not take part in the signature: the same
// token must not have two forms.
func loosen(token string) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := strings.IndexByte(letters, token[len(token)-1])
	return token[:len(token)-1] + string(letters[last^1])
}

func TestKeySets(t *testing.T) {
	at, k := newClock(), signers()
	claims := good(at.at, nil)
	bits, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	off := ecJWK(t, "off", &k.p256.PublicKey)
	off["y"] = off["x"] // beside the curve
	set := jwks(t,
		rsaJWK("rsa", &k.rsa.PublicKey, "use", "sig", "alg", "RS256"), ecJWK(t, "p256", &k.p256.PublicKey), ecJWK(t, "p384", &k.p384.PublicKey),
		map[string]string{"kty": "OKP", "kid": "ed", "crv": "Ed25519", "x": b64(k.ed.Public().(ed25519.PublicKey))},
		rsaJWK("enc", &k.other.PublicKey, "use", "enc"), rsaJWK("short", &bits.PublicKey), off,
		map[string]string{"kty": "oct", "kid": "oct", "k": b64([]byte(strings.Repeat("s", 48)))}, map[string]string{"kty": "AKP", "kid": "new"},
	)
	tokens := newTokens(t, jwtSettings(writeText(t, "k.json", set), "RS256", "PS256", "ES256", "ES384", "EdDSA"), at)
	tests := []struct {
		name, text string
		err        error
	}{
		{"RSA", sign(t, "RS256", k.rsa, claims, "kid", "rsa"), nil},
		{"P-256", sign(t, "ES256", k.p256, claims, "kid", "p256"), nil},
		{"P-384", sign(t, "ES384", k.p384, claims, "kid", "p384"), nil},
		{"Ed25519", sign(t, "EdDSA", k.ed, claims, "kid", "ed"), nil},
		{"no id", sign(t, "ES256", k.p256, claims), nil},
		{"algorithm that the key is not for", sign(t, "PS256", k.rsa, claims, "kid", "rsa"), ErrNoCredentials},
		{"the id of another key", sign(t, "ES256", k.p256, claims, "kid", "p384"), ErrNoCredentials},
		{"an unknown id", sign(t, "RS256", k.rsa, claims, "kid", "rsb"), ErrNoCredentials},
		{"a key for encryption", sign(t, "RS256", k.other, claims, "kid", "enc"), ErrNoCredentials},
		{"a short key", sign(t, "RS256", bits, claims, "kid", "short"), ErrNoCredentials},
		{"a secret in the set", sign(t, "HS256", []byte(strings.Repeat("s", 48)), claims, "kid", "oct"), ErrNoCredentials},
	}
	for _, test := range tests {
		if _, err := tokens.identify(test.text); err != test.err {
			t.Errorf("%s: %v, want %v", test.name, err, test.err)
		}
	}
}

func TestSecretTokens(t *testing.T) {
	at := newClock()
	settings := jwtSettings("", "HS256", "HS384")
	settings.SecretEnv = "JWT_SECRET"
	tokens := newTokens(t, settings, at)
	secret := []byte(strings.Repeat("s", 48))
	if _, err := tokens.identify(sign(t, "HS384", secret, good(at.at, nil))); err != nil {
		t.Error(err)
	}
	for _, text := range []string{sign(t, "HS512", secret, good(at.at, nil)), sign(t, "HS256", secret[1:], good(at.at, nil)), sign(t, "HS256", []byte{}, good(at.at, nil))} {
		if _, err := tokens.identify(text); err != ErrNoCredentials {
			t.Errorf("got %v", err)
		}
	}
	for _, env := range []func(string) string{nil, func(string) string { return "short-4711" }} {
		if _, err := NewTokens(settings, &Options{Secret: env}); err == nil || !strings.Contains(err.Error(), "JWT_SECRET") || strings.Contains(err.Error(), "4711") {
			t.Errorf("a short secret: %v", err)
		}
	}
}

func TestTokensThatCannotBeMade(t *testing.T) {
	k := signers()
	private := string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(k.rsa)}))
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	p224, err := ecdsa.GenerateKey(elliptic.P224(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for want, text := range map[string]string{
		"RSA PRIVATE KEY":                private,
		"neither PEM blocks nor a JWKS":  "ssh-rsa AAAA",
		"1024 bits":                      publicPEM(t, &short.PublicKey),
		"curve P-224":                    publicPEM(t, &p224.PublicKey),
		"no public key that signatures":  `{"keys":[]}`,
		"is no JWKS":                     `{"keys":7}`,
		"more than 262144 bytes":         strings.Repeat("x", 300<<10),
		"a public key in it cannot be r": "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
	} {
		if _, err := NewTokens(jwtSettings(writeText(t, "k", text), "RS256"), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	file := writeText(t, "k", publicPEM(t, &k.rsa.PublicKey))
	for _, change := range []func(*settings.JWT){
		func(s *settings.JWT) { s.Issuer = "" }, func(s *settings.JWT) { s.Audience = "" },
		func(s *settings.JWT) { s.Algorithms = nil }, func(s *settings.JWT) { s.UserClaim = "" },
		func(s *settings.JWT) { s.KeyFile = "/nowhere" },
	} {
		s := jwtSettings(file, "RS256")
		change(&s)
		if _, err := NewTokens(s, nil); err == nil {
			t.Errorf("made of %+v", s)
		}
	}
}

// Whatever a token is made of: it is refused, or it was signed with the key.
func FuzzTokens(f *testing.F) {
	at := newClock()
	tokens, err := NewTokens(settings.JWT{
		Issuer: "i", Audience: "a", Algorithms: []string{"HS256"}, SecretEnv: "S", UserClaim: "sub", ScopeClaim: "scope",
	}, &Options{Now: at.now, Secret: func(string) string { return strings.Repeat("s", 32) }})
	if err != nil {
		f.Fatal(err)
	}
	f.Add("e30.e30.", "x")
	f.Add(b64([]byte(`{"alg":"none"}`))+"."+b64([]byte(`{"iss":"i","aud":"a","exp":9999999999,"sub":"u"}`))+".", "")
	f.Fuzz(func(t *testing.T, text, user string) {
		if id, err := tokens.identify(text); err == nil {
			t.Fatalf("%+v", id)
		}
		if err := checkUser(user); err == nil && (user == "" || user[0] == '$' || len(user) > 200) {
			t.Fatalf("took the user %q", user)
		}
	})
}
