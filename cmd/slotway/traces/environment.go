package traces

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// surroundings are what the environment says of requests to the collector.
type surroundings struct {
	headers http.Header
	tls     *tls.Config // nil: as usual
}

// variable is the value of one of OpenTelemetry's variables, that of traces before that of all signals,
// and its name; "" if neither is set.
func variable(name string) (value, from string) {
	for _, from = range []string{"OTEL_EXPORTER_OTLP_TRACES_" + name, "OTEL_EXPORTER_OTLP_" + name} {
		if value = strings.TrimSpace(os.Getenv(from)); value != "" {
			return value, from
		}
	}
	return "", ""
}

// environment reads the variables that hold credentials and certificates. Errors name the variable, never
// its value.
func environment(endpoint string) (*surroundings, error) {
	s := &surroundings{headers: http.Header{}}
	text, from := variable("HEADERS")
	for pair := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		plain, err := url.PathUnescape(value)
		if name = strings.TrimSpace(name); err != nil || !isToken(name) {
			return nil, fmt.Errorf("%s is no list of NAME=VALUE with commas between them", from)
		}
		s.headers.Set(name, strings.TrimSpace(plain))
	}
	if !strings.HasPrefix(endpoint, "https:") {
		return s, nil
	}
	var err error
	s.tls, err = certificates()
	return s, err
}

// isToken reports whether a text may be the name of a header.
func isToken(name string) bool {
	for _, r := range name {
		if r > 0x7e || !strings.ContainsRune("!#$%&'*+-.^_`|~", r) && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') {
			return false
		}
	}
	return name != ""
}

// certificates are those that a collector is trusted by, and the client's own.
func certificates() (*tls.Config, error) {
	authority, from := variable("CERTIFICATE")
	own, ownFrom := variable("CLIENT_CERTIFICATE")
	key, keyFrom := variable("CLIENT_KEY")
	if authority == "" && (own == "" || key == "") {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if authority != "" {
		pem, err := os.ReadFile(authority)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s: the file holds no certificate in PEM", from)
		}
	}
	if own != "" && key != "" {
		pair, err := tls.LoadX509KeyPair(own, key)
		if err != nil {
			return nil, fmt.Errorf("%s and %s: %w", ownFrom, keyFrom, err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}
