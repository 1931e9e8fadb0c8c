package studio

import (
	"bytes"
	"net/http"
	"time"

	"github.com/slotway/slotway/router/httpapi"
)

// Policy is the Content-Security-Policy of the page and its files.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// Adapter serves the studio.
type Adapter struct{}

var _ httpapi.Adapter = Adapter{}

// Routes implements httpapi.Adapter. All routes are open: they hold only the page.
func (Adapter) Routes(*httpapi.API) []httpapi.Route {
	return []httpapi.Route{
		{Method: http.MethodGet, Path: "/{$}", Handler: moveTo("studio", http.StatusTemporaryRedirect)},
		{Method: http.MethodGet, Path: "/studio", Handler: servePage},
		{Method: http.MethodGet, Path: "/studio/{$}", Handler: moveTo("../studio", http.StatusPermanentRedirect)},
		{Method: http.MethodGet, Path: "/studio/{file}", Handler: serveFile},
		{Method: http.MethodGet, Path: "/studio/{release}/{file}", Handler: serveFile},
	}
}

// servePage answers with the page. It is never cached, because it names the release of its files.
func servePage(w http.ResponseWriter, r *http.Request) {
	guard(w.Header())
	w.Header().Set("Cache-Control", "no-store")
	send(w, r, site().page)
}

// moveTo redirects to an address that is relative to the request's: the service may be mounted at any
// path, and the page names its files relative to its own address.
func moveTo(address string, status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		guard(w.Header())
		w.Header().Set("Location", address)
		w.WriteHeader(status)
	}
}

// serveFile answers with a file. Under its release's name it never changes. Under any other, which a
// page of another replica requests during a rollout, it is revalidated each time.
func serveFile(w http.ResponseWriter, r *http.Request) {
	guard(w.Header())
	file, ok := site().files[r.PathValue("file")]
	if !ok {
		httpapi.WriteProblem(w, &httpapi.Problem{
			Status: http.StatusNotFound, Code: "not_found", Title: "No such file",
			Detail: "The studio is at /studio.",
		})
		return
	}
	keep := "no-cache"
	if r.PathValue("release") == site().release {
		keep = "public, max-age=31536000, immutable"
	}
	w.Header().Set("Cache-Control", keep)
	w.Header().Set("ETag", file.tag)
	send(w, r, file)
}

// send writes a file, or 304 if the client has it already.
func send(w http.ResponseWriter, r *http.Request, f file) {
	w.Header().Set("Content-Type", f.kind)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.body))
}

// guards are the headers of every answer. Only our scripts run, and no other page can embed, read or
// probe this one.
var guards = [][2]string{
	{"Content-Security-Policy", Policy},
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "no-referrer"},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
	{"X-Frame-Options", "DENY"}, // for browsers that do not read frame-ancestors
}

func guard(h http.Header) {
	for _, g := range guards {
		h.Set(g[0], g[1])
	}
}
