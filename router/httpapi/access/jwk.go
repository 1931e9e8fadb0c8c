package access

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/golang-jwt/jwt/v5"

	"github.com/slotway/slotway/config/source"
)

// verifier is a key that checks signatures.
type verifier struct {
	id  string // "": it has none
	alg string // the only algorithm it is for; "": those that fit its type
	key jwt.VerificationKey
}

// fits reports whether an algorithm is for this type of key. Without this check the text of a public
// key could serve as the secret of an HMAC, or one curve be taken for another.
func (v verifier) fits(alg string) bool {
	if v.alg != "" && v.alg != alg {
		return false
	}
	switch key := v.key.(type) {
	case []byte:
		return strings.HasPrefix(alg, "HS")
	case *rsa.PublicKey:
		return strings.HasPrefix(alg, "RS") || strings.HasPrefix(alg, "PS")
	case *ecdsa.PublicKey:
		return alg == curveAlgorithms[key.Curve.Params().BitSize]
	case ed25519.PublicKey:
		return alg == "EdDSA"
	}
	return false
}

// curveAlgorithms name the one algorithm of each curve (RFC 7518, section 3.4), by its size.
var curveAlgorithms = map[int]string{256: "ES256", 384: "ES384", 521: "ES512"}

// keySet is a fixed set of keys.
type keySet []verifier

func (s keySet) find(id string) ([]verifier, error) { return s.named(id), nil }

// named returns the keys with an id and those without one; "" returns all.
func (s keySet) named(id string) []verifier {
	var out []verifier
	for _, v := range s {
		if id == "" || v.id == "" || v.id == id {
			out = append(out, v)
		}
	}
	return out
}

// maxKeySet bounds a file or an answer that holds keys, in bytes.
const maxKeySet = 256 << 10

// fileKeys reads public keys from a file: PEM or a JWKS.
func fileKeys(path string) (keySource, error) {
	data, err := source.ReadFile(path, maxKeySet)
	if err != nil {
		return nil, fmt.Errorf("read server.auth.jwt.key_file: %w", err)
	}
	read := parsePEM
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		read = parseJWKS
	}
	set, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return set, nil
}

func readKeySet(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxKeySet+1))
	if err == nil && len(data) > maxKeySet {
		err = fmt.Errorf("more than %d bytes", maxKeySet)
	}
	return data, err
}

// parsePEM reads public keys and certificates. It refuses a private key, which does not belong here.
func parsePEM(data []byte) (keySet, error) {
	var set keySet
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		key, err := pemKey(block)
		if err != nil {
			return nil, err
		}
		if err := checkKey(key); err != nil {
			return nil, err
		}
		set = append(set, verifier{key: key})
	}
	if len(set) == 0 {
		return nil, errors.New("holds neither PEM blocks nor a JWKS")
	}
	return set, nil
}

func pemKey(block *pem.Block) (any, error) {
	switch block.Type {
	case "PUBLIC KEY":
		key, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil {
			return nil, errors.New("a public key in it cannot be read")
		}
		return key, nil
	case "RSA PUBLIC KEY":
		key, err := x509.ParsePKCS1PublicKey(block.Bytes)
		if err != nil {
			return nil, errors.New("a public key in it cannot be read")
		}
		return key, nil
	case "CERTIFICATE":
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, errors.New("a certificate in it cannot be read")
		}
		return cert.PublicKey, nil
	}
	return nil, fmt.Errorf("holds a block %q; public keys and certificates are taken", block.Type)
}

// minRSA is the shortest RSA key that is taken, in bits (RFC 7518, section 3.3).
const minRSA = 2048

// checkKey refuses short keys and types of keys that no algorithm uses.
func checkKey(key any) error {
	switch key := key.(type) {
	case *rsa.PublicKey:
		if key.N.BitLen() < minRSA {
			return fmt.Errorf("an RSA key has %d bits, at least %d are needed", key.N.BitLen(), minRSA)
		}
		return nil
	case *ecdsa.PublicKey:
		if curveAlgorithms[key.Curve.Params().BitSize] == "" {
			return fmt.Errorf("a key is on the curve %s; P-256, P-384 and P-521 are taken", key.Curve.Params().Name)
		}
		return nil
	case ed25519.PublicKey:
		return nil
	}
	return errors.New("a key is neither RSA, ECDSA nor Ed25519")
}

// jwk is one key of a set (RFC 7517, RFC 7518 section 6, RFC 8037 section 2).
type jwk struct {
	Kty, Kid, Alg, Use, Crv string
	N, E, X, Y              string
}

// parseJWKS reads a key set. It skips keys for other uses and of unknown types, as RFC 7517, section 5
// advises; a set without any other key is an error.
func parseJWKS(data []byte) (keySet, error) {
	var doc struct{ Keys []jwk }
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, errors.New("is no JWKS")
	}
	var set keySet
	for _, j := range doc.Keys {
		if j.Use != "" && j.Use != "sig" {
			continue
		}
		if key := j.public(); key != nil && checkKey(key) == nil {
			set = append(set, verifier{id: j.Kid, alg: j.Alg, key: key})
		}
	}
	if len(set) == 0 {
		return nil, errors.New("the JWKS has no public key that signatures can be checked with")
	}
	return set, nil
}

// public returns the key, or nil if its type is unknown.
func (j jwk) public() any {
	switch j.Kty {
	case "RSA":
		n, e := number(j.N), number(j.E)
		if n == nil || e == nil || e.BitLen() > 31 || e.Int64() < 3 || e.Bit(0) == 0 {
			return nil
		}
		return &rsa.PublicKey{N: n, E: int(e.Int64())}
	case "EC":
		return j.point()
	case "OKP":
		if x := octets(j.X); j.Crv == "Ed25519" && len(x) == ed25519.PublicKeySize {
			return ed25519.PublicKey(x)
		}
	}
	return nil
}

// curves are those of RFC 7518, section 6.2.1.1.
var curves = map[string]elliptic.Curve{"P-256": elliptic.P256(), "P-384": elliptic.P384(), "P-521": elliptic.P521()}

func (j jwk) point() any {
	curve := curves[j.Crv]
	if curve == nil {
		return nil
	}
	x, y := octets(j.X), octets(j.Y)
	if size := (curve.Params().BitSize + 7) / 8; len(x) != size || len(y) != size {
		return nil
	}
	// The form of SEC 1, section 2.3.3. A point beside the curve is an error.
	key, err := ecdsa.ParseUncompressedPublicKey(curve, append(append([]byte{4}, x...), y...))
	if err != nil {
		return nil
	}
	return key
}

func octets(text string) []byte {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	return raw
}

func number(text string) *big.Int {
	raw := octets(text)
	if len(raw) == 0 {
		return nil
	}
	return new(big.Int).SetBytes(raw)
}
