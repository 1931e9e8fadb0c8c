package httptool

import (
	"net/http"
	"time"

	"github.com/slotway/slotway/tools/egress"
)

// Limits of a tool's connections.
const (
	maxRedirects = 5
	maxHeader    = 64 << 10
	maxConns     = 16
)

// NewClient returns a client for one tool, which connects to what guard permits for the declared
// host. It follows redirects within scheme and host only.
func NewClient(guard *egress.Guard, host string) *http.Client {
	return &http.Client{
		Transport: guard.For(host).Transport(&http.Transport{
			ForceAttemptHTTP2:      true,
			TLSHandshakeTimeout:    5 * time.Second,
			MaxConnsPerHost:        maxConns,
			MaxIdleConnsPerHost:    4,
			IdleConnTimeout:        90 * time.Second,
			ExpectContinueTimeout:  time.Second,
			MaxResponseHeaderBytes: maxHeader,
		}),
		CheckRedirect: sameHost,
	}
}

// sameHost follows redirects within scheme and host. It returns any other redirect as the answer,
// so that neither arguments nor credentials go to a place that the file does not name.
func sameHost(req *http.Request, via []*http.Request) error {
	first := via[0].URL
	if len(via) > maxRedirects || req.URL.Host != first.Host || req.URL.Scheme != first.Scheme {
		return http.ErrUseLastResponse
	}
	return nil
}
