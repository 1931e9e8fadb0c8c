package recorded

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// scrubbed replaces secrets.
const scrubbed = "[scrubbed]"

// keys match the forms of credentials.
var keys = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}`),
	regexp.MustCompile(`\b(?:sk|pk|rk|gsk|hf|xai|nvapi|r8|pplx)[-_][A-Za-z0-9_-]{16,}`), // model services
	regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{20,}`),                                      // Google
	regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z0-9]{12,}`),                                  // AWS
	regexp.MustCompile(`\b(?:gh[a-z]_|github_pat_|glpat-|xox[a-z]-)[A-Za-z0-9_-]{8,}`),  // GitHub, GitLab, Slack
	regexp.MustCompile(`\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*`),           // JWT
	regexp.MustCompile(`\b[0-9A-Fa-f]{32,}\b`),                                          // Azure, until 2024
	regexp.MustCompile(`\b[A-Za-z0-9]{60,}\b`),                                          // Azure
}

// credentials are names, in lower case with _ for -, of JSON fields, query parameters and headers
// with secret values.
var credentials = map[string]bool{
	"authorization": true, "proxy_authorization": true, "api_key": true, "apikey": true, "x_api_key": true, "subscription_key": true,
	"access_token": true, "refresh_token": true, "id_token": true, "client_secret": true, "secret": true, "password": true, "sig": true,
}

// isCredential reports whether a name is that of a secret.
func isCredential(name string) bool {
	return credentials[strings.ReplaceAll(strings.ToLower(name), "-", "_")]
}

// scrubber removes the secrets of one exchange.
type scrubber struct{ secrets []string } // the request's own

// newScrubber returns a scrubber for the secrets in a request's headers.
func newScrubber(h http.Header) scrubber {
	var s scrubber
	for name, values := range h {
		if !isCredential(name) {
			continue
		}
		for _, v := range values {
			if _, key, ok := strings.Cut(v, " "); ok {
				v = key // after the scheme
			}
			if len(v) >= 4 { // replacing every "a" would destroy the text
				s.secrets = append(s.secrets, v)
			}
		}
	}
	return s
}

// text removes secrets from a text.
func (s scrubber) text(text string) string {
	for _, secret := range s.secrets {
		text = strings.ReplaceAll(text, secret, scrubbed)
	}
	for _, key := range keys {
		text = key.ReplaceAllString(text, scrubbed)
	}
	return text
}

// target returns the path and query of a URL, with the query sorted by name.
func (s scrubber) target(u *url.URL) string {
	target := s.text(u.EscapedPath())
	query := u.Query()
	for name, values := range query {
		for i, v := range values {
			if query[name][i] = s.text(v); isCredential(name) || strings.EqualFold(name, "key") {
				query[name][i] = scrubbed
			}
		}
	}
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	return target
}

// numbers match arrays of numbers in the form of MarshalIndent; a string has no raw line break.
var numbers = regexp.MustCompile(`\[\n\s*-?\d[-+.\deE,\s]*\]`)

// body returns a body without secrets. JSON is normalised, with sorted fields, and ends in a line
// feed.
func (s scrubber) body(raw []byte) string {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil || dec.Decode(new(any)) != io.EOF {
		return s.text(string(raw))
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if enc.Encode(s.value(v)) != nil { // v came from JSON
		return s.text(string(raw))
	}
	return numbers.ReplaceAllStringFunc(out.String(), func(array string) string {
		return strings.Join(strings.Fields(array), "")
	})
}

// value removes secrets from decoded JSON.
func (s scrubber) value(v any) any {
	switch v := v.(type) {
	case string:
		return s.text(v)
	case []any:
		for i := range v {
			v[i] = s.value(v[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for name, e := range v {
			if _, ok := e.(string); ok && isCredential(name) {
				e = scrubbed
			}
			clean[s.text(name)] = s.value(e)
		}
		return clean
	}
	return v
}
