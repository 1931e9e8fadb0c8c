package egress

import "net/http"

// Transport sends requests through a guard.
type Transport struct {
	guard   *Guard
	direct  *http.Transport
	proxied *http.Transport // dials nothing but the operator's proxy
}

var _ http.RoundTripper = (*Transport)(nil)

// Transport returns a transport with the limits of base; it replaces base's dialer and proxy. A nil
// base is the zero http.Transport.
func (g *Guard) Transport(base *http.Transport) *Transport {
	if base == nil {
		base = &http.Transport{}
	}
	if g == nil {
		g = open()
	}
	t := &Transport{guard: g, direct: base.Clone(), proxied: base.Clone()}
	t.direct.DialContext, t.direct.DialTLSContext, t.direct.Proxy = g.DialContext, nil, nil
	t.proxied.DialContext, t.proxied.DialTLSContext, t.proxied.Proxy = g.dial, nil, g.proxy
	return t
}

// RoundTrip checks the target if a proxy connects to it; otherwise dialling checks it.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	proxy, err := t.guard.proxy(req)
	if err == nil && proxy != nil {
		if err = t.guard.Check(req.Context(), req.URL.Hostname()); err == nil {
			return t.proxied.RoundTrip(req)
		}
	}
	if err != nil {
		if req.Body != nil {
			req.Body.Close() // a RoundTripper must always close it
		}
		return nil, err
	}
	return t.direct.RoundTrip(req)
}

// CloseIdleConnections closes the connections kept for later requests.
func (t *Transport) CloseIdleConnections() {
	t.direct.CloseIdleConnections()
	t.proxied.CloseIdleConnections()
}
