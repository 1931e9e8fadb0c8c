package httpapi

import (
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// secure sets the headers that keep a browser from making anything of an answer but data. A
// face that shows pages sets its own Content-Security-Policy.
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

// browsers decides what pages may do here. Programs other than browsers send none of the
// headers that it reads and are not touched.
type browsers struct {
	all      bool
	origins  map[string]bool
	cross    *http.CrossOriginProtection
	loopback string
}

func newBrowsers(origins []string, loopback string) *browsers {
	b := &browsers{origins: map[string]bool{}, cross: http.NewCrossOriginProtection(), loopback: loopback}
	for _, o := range origins {
		if o == "*" {
			b.all = true
			continue
		}
		b.origins[o] = true
		_ = b.cross.AddTrustedOrigin(o) // what is no origin is sent by no browser
	}
	return b
}

// LoopbackHost is the host of a listener's address if only this machine reaches it, for
// Options.Loopback; else "".
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

// knowsHost refuses the names of others: a page may have its own name resolve to our
// address and then is of the same origin as we ("DNS rebinding"). Where credentials are
// asked for it has none, and beyond loopback our names are not known.
func (b *browsers) knowsHost(host string) bool {
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
func (b *browsers) allowed(origin string) bool {
	return origin != "" && (b.all || b.origins[origin])
}

// permit refuses what a page of another origin may not send, and tells the browser what it
// may read (Fetch standard, section 3.3). A page cannot make a browser add a bearer token,
// but a service without keys takes whatever reaches it.
func (b *browsers) permit(h http.Header, r *http.Request, anywhere bool) error {
	if len(b.origins) > 0 {
		h.Add("Vary", "Origin")
	}
	if origin := r.Header.Get("Origin"); b.allowed(origin) {
		b.share(h, origin)
		h.Set("Access-Control-Expose-Headers", exposed)
		return nil
	}
	if anywhere || b.all {
		return nil
	}
	if b.cross.Check(r) != nil {
		return crossOrigin
	}
	return nil
}

func (b *browsers) share(h http.Header, origin string) {
	if b.all {
		origin = "*"
	}
	h.Set("Access-Control-Allow-Origin", origin)
}

// exposed are the headers of answers that pages may read.
const exposed = "X-Conversation-Id, Retry-After, WWW-Authenticate, Mcp-Session-Id"

// asked are the headers of requests that pages may send besides the simple ones, and
// the beginnings of such: MCP's own, and those that the openai clients add.
var (
	asked         = []string{"accept", "authorization", "content-type", "idempotency-key", "last-event-id", "x-user-id"}
	askedPrefixes = []string{"mcp-", "openai-", "x-stainless-"}
)

// preflight answers a browser that asks beforehand what a page may send (Fetch standard,
// section 4.8): r has the method OPTIONS. It reports whether the request was that.
func (b *browsers) preflight(w http.ResponseWriter, r *http.Request, handler http.Handler) bool {
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
	b.share(h, origin)
	h.Set("Access-Control-Allow-Methods", strings.Join(slices.Sorted(maps.Keys(m)), ", "))
	h.Set("Access-Control-Allow-Headers", strings.Join(grantable(r.Header.Get("Access-Control-Request-Headers")), ", "))
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// grantable are the headers that were asked for and may be sent.
func grantable(list string) []string {
	var out []string
	for name := range strings.SplitSeq(strings.ToLower(list), ",") {
		name = strings.TrimSpace(name)
		known := slices.Contains(asked, name)
		for _, p := range askedPrefixes {
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
