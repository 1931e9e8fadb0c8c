package httptool

import (
	"net"
	"net/http"
	"syscall"
	"time"
)

// Limits of a tool's connections.
const (
	maxRedirects = 5
	maxHeader    = 64 << 10
	maxConns     = 16
)

// newClient returns a client of the tool's own. control, when set, is asked before each
// connection is made and may refuse its address.
func newClient(control func(network, address string, c syscall.RawConn) error) *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second, Control: control}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            dialer.DialContext,
			ForceAttemptHTTP2:      true,
			TLSHandshakeTimeout:    5 * time.Second,
			MaxConnsPerHost:        maxConns,
			MaxIdleConnsPerHost:    4,
			IdleConnTimeout:        90 * time.Second,
			ExpectContinueTimeout:  time.Second,
			MaxResponseHeaderBytes: maxHeader,
		},
		CheckRedirect: sameHost,
	}
}

// sameHost follows redirects within scheme and host. Any other answer is taken as it is,
// a 3xx, so that neither arguments nor credentials go where the file did not send them.
func sameHost(req *http.Request, via []*http.Request) error {
	first := via[0].URL
	if len(via) > maxRedirects || req.URL.Host != first.Host || req.URL.Scheme != first.Scheme {
		return http.ErrUseLastResponse
	}
	return nil
}
