package config

import (
	"regexp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/source"
)

// secretWords are parts of the names of credentials.
var secretWords = []string{
	"authorization", "cookie", "token", "secret", "password", "passwd", "passphrase", "credential",
	"apikey", "api-key", "api_key", "access-key", "access_key", "private-key", "private_key", "subscription-key",
}

// secretForms matches credentials under any name: what follows an authorization scheme, and the
// prefixes that issuers add for scanners.
var secretForms = regexp.MustCompile(`(?i:^(?:bearer|basic|token|apikey|api-key)\s+[^\s$]{8,}$)|` +
	`\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_|\bglpat-|\bxox[abprs]-|\bAKIA[0-9A-Z]{16}\b|` +
	`\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.|-----BEGIN [A-Z ]*PRIVATE KEY`)

// urlPassword finds user:password@ in a URL or DSN, dsnPassword password=... in a DSN.
var (
	urlPassword = regexp.MustCompile(`://[^/?#@\s]*:([^/?#@\s]+)@`)
	dsnPassword = regexp.MustCompile(`(?i)\bpassword\s*=\s*('[^']+'|[^\s&;]+)`)
	urlQuery    = regexp.MustCompile(`[?&]([^=&#\s]+)=([^&#\s]+)`)
)

// lintSecrets finds credentials in the file itself. Its messages never quote them.
func (b *builder) lintSecrets() {
	for _, e := range b.root.Get("tools").Entries() {
		b.lintNamedSecrets(e.Value.Get("headers"))
		b.lintNamedSecrets(e.Value.Get("env"))
		b.lintNamedSecrets(e.Value.Get("params"))
		b.lintSecretURL(e.Value.Get("url"))
	}
	for _, e := range b.root.Get("mcp_servers").Entries() {
		b.lintNamedSecrets(e.Value.Get("headers"))
		b.lintNamedSecrets(e.Value.Get("env"))
		b.lintSecretURL(e.Value.Get("url"))
	}
	for _, e := range b.root.Get("databases").Entries() {
		b.lintSecretURL(e.Value.Get("dsn"))
	}
}

func (b *builder) warnSecret(n *source.Node) {
	b.problems.Warn(source.Secret, n, "a credential stands in the file", "put it in the environment and write ${NAME}; if the file was shared, replace the credential")
}

// lintNamedSecrets checks names with values.
func (b *builder) lintNamedSecrets(n *source.Node) {
	for _, e := range n.Entries() {
		value := e.Value.Text()
		if e.Value.Kind() == source.KindText && (isSecret(e.Key, value) || secretForms.MatchString(value)) {
			b.warnSecret(e.Value)
		}
	}
}

// isSecret reports a literal value under the name of a credential.
func isSecret(name, value string) bool {
	name = strings.ToLower(name)
	if strings.HasSuffix(name, "_file") || strings.HasSuffix(name, "_path") { // names the place of the credential
		return false
	}
	return isLiteral(value) && slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(name, w) })
}

// isLiteral reports text that comes neither from the environment nor from an argument.
func isLiteral(value string) bool {
	return len(value) >= 4 && !strings.Contains(value, "${") && !strings.HasPrefix(value, "$") && !strings.HasPrefix(value, "{")
}

func (b *builder) lintSecretURL(n *source.Node) {
	text := n.Text()
	for _, form := range []*regexp.Regexp{urlPassword, dsnPassword} {
		if m := form.FindStringSubmatch(text); m != nil && isLiteral(m[1]) {
			b.warnSecret(n)
			return
		}
	}
	for _, m := range urlQuery.FindAllStringSubmatch(text, -1) {
		if isSecret(m[1], m[2]) {
			b.warnSecret(n)
			return
		}
	}
	if secretForms.MatchString(text) {
		b.warnSecret(n)
	}
}
