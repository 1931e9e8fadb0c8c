package prom

import "time"

// Routes sets the patterns that HTTP counts by name; any other is "other".
func (m *Metrics) Routes(patterns []string) {
	routes := make(map[string]bool, len(patterns))
	for _, p := range patterns {
		routes[p] = true
	}
	m.routes.Store(&routes)
}

// HTTP counts an answered request: the pattern of its route, one of those in Routes, its method, the
// status of the answer, and how long it took.
func (m *Metrics) HTTP(route, method string, status int, d time.Duration) {
	route = label(*m.routes.Load(), route)
	class := classes[0]
	if i := status / 100; i > 0 && i < len(classes) {
		class = classes[i]
	}
	m.requests.WithLabelValues(route, label(methods, method), class).Inc()
	m.httpSeconds.WithLabelValues(route).Observe(seconds(d))
}

// InFlight counts requests that began (1) or ended (-1).
func (m *Metrics) InFlight(change int) { m.inFlight.Add(float64(change)) }

// Limited counts a request that a limit refused; reason is a code such as rate or body.
func (m *Metrics) Limited(reason string) {
	m.limited.WithLabelValues(m.codes.of(limitReason, reason)).Inc()
}
