package httpapi

import (
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// secure sets headers that keep a browser from treating an answer as anything but data. An adapter
// that serves pages sets its own Content-Security-Policy.
func secure(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin") // no page elsewhere embeds it (Fetch standard, section 3.7)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
}

var (
	unknownHost = &Problem{Status: http.StatusMisdirectedRequest, Code: "unknown_host", Title: "This service has another name", Detail: "Without credentials it answers to localhost and its loopback address only; set server.auth to let others ask."}
	crossOrigin = &Problem{Status: http.StatusForbidden, Code: "cross_origin", Title: "Pages of another origin may not do that", Detail: "The operator lists the origins that may in server.cors."}
)

// originPolicy decides what web pages may do. It reads headers that only browsers send, so other
// programs are not affected.
type originPolicy struct {
	all      bool
	origins  map[string]bool
	cross    *http.CrossOriginProtection
	loopback string
	keyless  bool // there are no credentials: every request is let in
}

func newOriginPolicy(origins []string, loopback string, keyless bool) *originPolicy {
	b := &originPolicy{origins: map[string]bool{}, cross: http.NewCrossOriginProtection(), loopback: loopback, keyless: keyless}
	for _, o := range origins {
		if o == "*" {
			b.all = true
			continue
		}
		b.origins[o] = true
		_ = b.cross.AddTrustedOrigin(o) // no browser sends what is not an origin
	}
	return b
}

// LoopbackHost returns the host of a listener's address if only this machine can reach it, for
// Options.Loopback; otherwise "".
func LoopbackHost(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return ""
	}
	if ip, err := netip.ParseAddr(host); host == "localhost" || (err == nil && ip.Unmap().IsLoopback()) {
		return host
	}
	return ""
}

// allowsHost refuses foreign host names: a page can make its own name resolve to our address and is
// then of our origin ("DNS rebinding"). A service with credentials is safe from that, and beyond
// loopback our own names are unknown.
func (b *originPolicy) allowsHost(host string) bool {
	if b.loopback == "" {
		return true
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if host == "localhost" || host == strings.ToLower(b.loopback) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// allowed reports whether pages of an origin may read answers.
func (b *originPolicy) allowed(origin string) bool {
	return origin != "" && (b.all || b.origins[origin])
}

// check refuses what a page of another origin may not send, and tells the browser what it may read
// (Fetch standard, section 3.3). A page cannot make a browser add a bearer token, so with keys a GET
// of another origin shows nothing, and CrossOriginProtection, which lets it pass, is enough. A
// service without keys accepts every request, so there no method is harmless: a page elsewhere can
// measure the time and size of answers, and each one costs a read of the store.
func (b *originPolicy) check(h http.Header, r *http.Request, anywhere bool) error {
	if len(b.origins) > 0 {
		h.Add("Vary", "Origin")
	}
	if origin := r.Header.Get("Origin"); b.allowed(origin) {
		b.setAllowOrigin(h, origin)
		h.Set("Access-Control-Expose-Headers", exposedHeaders)
		return nil
	}
	if anywhere || b.all {
		return nil
	}
	if b.cross.Check(r) != nil || (b.keyless && !sameOrigin(r)) {
		return crossOrigin
	}
	return nil
}

// sameOrigin reports a request of our own page, of a person (a typed address, a bookmark), or of a
// program that is not a browser. Browsers say which (Fetch Metadata, section 2.2); old ones send the
// page's origin at most. Another port of this machine is the same site but another origin.
func sameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return true
	case "":
		u, err := url.Parse(origin)
		return origin == "" || (err == nil && u.Host == r.Host && u.Host != "")
	}
	return opensPage(r)
}

// opensPage reports a followed link to one of our pages: the browser shows it by itself, and the page
// with the link sees nothing of it.
func opensPage(r *http.Request) bool {
	h := r.Header
	return r.Method == http.MethodGet && h.Get("Sec-Fetch-Mode") == "navigate" && h.Get("Sec-Fetch-Dest") == "document" && (r.URL.Path == "/" || strings.HasPrefix(r.URL.Path, "/studio"))
}

func (b *originPolicy) setAllowOrigin(h http.Header, origin string) {
	if b.all {
		origin = "*"
	}
	h.Set("Access-Control-Allow-Origin", origin)
}

// exposedHeaders are the headers of answers that pages may read.
const exposedHeaders = "X-Conversation-Id, Retry-After, WWW-Authenticate, Mcp-Session-Id"

// allowedHeaders and allowedHeaderPrefixes are the headers of requests that pages may send besides
// the simple ones: MCP's own, and those that the openai clients add.
var (
	allowedHeaders        = []string{"accept", "authorization", "content-type", "idempotency-key", "last-event-id", "x-user-id"}
	allowedHeaderPrefixes = []string{"mcp-", "openai-", "x-stainless-"}
)

// preflight answers a browser's preflight request (Fetch standard, section 4.8): r has the method
// OPTIONS. It reports whether the request was one.
func (b *originPolicy) preflight(w http.ResponseWriter, r *http.Request, handler http.Handler) bool {
	origin := r.Header.Get("Origin")
	m, ok := handler.(methods)
	if origin == "" || r.Header.Get("Access-Control-Request-Method") == "" || !ok || m == nil {
		return false
	}
	h := w.Header()
	h.Add("Vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers")
	if !b.allowed(origin) {
		WriteProblem(w, crossOrigin)
		return true
	}
	b.setAllowOrigin(h, origin)
	h.Set("Access-Control-Allow-Methods", strings.Join(slices.Sorted(maps.Keys(m)), ", "))
	h.Set("Access-Control-Allow-Headers", strings.Join(grantedHeaders(r.Header.Get("Access-Control-Request-Headers")), ", "))
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// grantedHeaders returns the requested headers that may be sent.
func grantedHeaders(list string) []string {
	var out []string
	for name := range strings.SplitSeq(strings.ToLower(list), ",") {
		name = strings.TrimSpace(name)
		known := slices.Contains(allowedHeaders, name)
		for _, p := range allowedHeaderPrefixes {
			known = known || (strings.HasPrefix(name, p) && !strings.ContainsFunc(name, notInHeader))
		}
		if known {
			out = append(out, name)
		}
	}
	return out
}

func notInHeader(r rune) bool {
	return r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
}
