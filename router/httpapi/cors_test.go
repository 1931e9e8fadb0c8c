package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPagesOfOtherOrigins(t *testing.T) {
	const app, evil = "https://app.example", "https://evil.example"
	face := faceFunc(func(*API) []Route {
		fine := func(http.ResponseWriter, *http.Request) {}
		script := func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		}
		return []Route{{Method: "POST", Path: "/anywhere", Handler: fine, Anywhere: true}, {Method: "GET", Path: "/look", Handler: fine}, {Method: "GET", Path: "/studio/x", Handler: script}}
	})
	tests := []struct {
		name    string
		origins []string
		method  string
		path    string
		headers map[string]string
		status  int
		allow   string // Access-Control-Allow-Origin
	}{
		{"a program", nil, "POST", "/chat", nil, 200, ""},
		{"our own page", nil, "POST", "/chat", map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": "http://slotway.test"}, 200, ""},
		{"our own page in an old browser", nil, "POST", "/chat", map[string]string{"Origin": "http://slotway.test"}, 200, ""},
		{"another page", nil, "POST", "/chat", map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": evil}, 403, ""},
		{"another page of the site", nil, "POST", "/chat", map[string]string{"Sec-Fetch-Site": "same-site", "Origin": "http://x.slotway.test"}, 403, ""},
		{"another page in an old browser", nil, "POST", "/chat", map[string]string{"Origin": evil}, 403, ""},
		{"a page without an origin", nil, "POST", "/chat", map[string]string{"Origin": "null"}, 403, ""},
		{"another page that only looks", nil, "GET", "/look", map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": evil}, 403, ""},
		{"an image of another page", nil, "GET", "/look", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}, 403, ""},
		{"a frame of another page", nil, "GET", "/studio/x", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}, 403, ""},
		{"another port that only looks", nil, "GET", "/look", map[string]string{"Sec-Fetch-Site": "same-site"}, 403, ""},
		{"another page that looks for what is there", nil, "HEAD", "/look", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403, ""},
		{"another page that looks, in an old browser", nil, "GET", "/look", map[string]string{"Origin": evil}, 403, ""},
		{"a page without an origin that looks", nil, "GET", "/look", map[string]string{"Origin": "null"}, 403, ""},
		{"our own page that looks", nil, "GET", "/look", map[string]string{"Sec-Fetch-Site": "same-origin"}, 200, ""},
		{"our own page that looks, in an old browser", nil, "GET", "/look", map[string]string{"Origin": "http://slotway.test"}, 200, ""},
		{"a typed address", nil, "GET", "/look", map[string]string{"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, 200, ""},
		{"a link to the studio", nil, "GET", "/studio/x", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, 200, ""},
		{"a link to anything else", nil, "GET", "/look", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, 403, ""},
		{"a page that may", []string{app}, "POST", "/chat", map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": app}, 200, app},
		{"a page that may, looking", []string{app}, "GET", "/look", map[string]string{"Origin": app}, 200, app},
		{"one that is nearly it", []string{app}, "POST", "/chat", map[string]string{"Origin": app + ".evil.example"}, 403, ""},
		{"another port", []string{app}, "POST", "/chat", map[string]string{"Origin": app + ":8443"}, 403, ""},
		{"not encrypted", []string{app}, "POST", "/chat", map[string]string{"Origin": "http://app.example"}, 403, ""},
		{"no origin where all may", []string{"*"}, "POST", "/chat", map[string]string{"Sec-Fetch-Site": "cross-site"}, 200, ""},
		{"any page where all may", []string{"*"}, "POST", "/chat", map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": evil}, 200, "*"},
		{"null where all may", []string{"*"}, "POST", "/chat", map[string]string{"Origin": "null"}, 200, "*"},
		{"a route for all", nil, "POST", "/anywhere", map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": evil}, 200, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			api := New(handlerFunc(echo), &Options{Origins: test.origins, Adapters: []Adapter{face}})
			r := httptest.NewRequest(test.method, "http://slotway.test"+test.path, strings.NewReader(`{"message":"hi"}`))
			r.Header.Set("Content-Type", "application/json")
			for k, v := range test.headers {
				r.Header.Set(k, v)
			}
			res := do(api, r)
			h := res.Header
			if res.StatusCode != test.status || h.Get("Access-Control-Allow-Origin") != test.allow || h.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("status %d, headers %v, want %d, %q", res.StatusCode, h, test.status, test.allow)
			}
			if (h.Get("Access-Control-Expose-Headers") != "") != (test.allow != "") {
				t.Errorf("exposed %q", h.Get("Access-Control-Expose-Headers"))
			}
			if test.status == 403 {
				wantProblem(t, res, 403, "cross_origin")
			}
		})
	}
}

// With keys a look of another page shows it nothing: it cannot send one.
func TestPagesThatLookWhereKeysAreAsked(t *testing.T) {
	face := faceFunc(func(*API) []Route {
		return []Route{{Method: "GET", Path: "/look", Scope: "read", Handler: func(http.ResponseWriter, *http.Request) {}}}
	})
	api := New(handlerFunc(echo), &Options{Access: scoped{}, Adapters: []Adapter{face}})
	r := httptest.NewRequest("GET", "/look", nil)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	wantProblem(t, do(api, r), 401, "unauthorized")
	r.Header.Set("X-Test-User", "ann")
	if res := do(api, r); res.StatusCode != 200 {
		t.Errorf("status %d", res.StatusCode)
	}
}

func TestPreflight(t *testing.T) {
	const app = "https://app.example"
	ask := func(origins []string, path, origin, headers string) *http.Response {
		r := httptest.NewRequest(http.MethodOptions, path, nil)
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", "POST")
		r.Header.Set("Access-Control-Request-Headers", headers)
		return do(New(handlerFunc(echo), &Options{Origins: origins, Access: guests{}}), r) // no key is asked for
	}
	res := ask([]string{app}, "/chat", app, "authorization,content-type, Idempotency-Key,x-user-id,mcp-session-id,x-stainless-os,x-evil,cookie")
	got := map[string]string{}
	for k := range res.Header {
		if strings.HasPrefix(k, "Access-Control-") {
			got[k] = res.Header.Get(k)
		}
	}
	want := map[string]string{
		"Access-Control-Allow-Origin": app, "Access-Control-Allow-Methods": "POST", "Access-Control-Max-Age": "600",
		"Access-Control-Allow-Headers": "authorization, content-type, idempotency-key, x-user-id, mcp-session-id, x-stainless-os",
	}
	if diff := cmp.Diff(want, got); diff != "" || res.StatusCode != 204 || !strings.Contains(res.Header.Get("Vary"), "Origin") {
		t.Errorf("status %d (-want +got)\n%s", res.StatusCode, diff)
	}
	if got := ask([]string{"*"}, "/chat", "https://any.example", "").Header.Get("Access-Control-Allow-Origin"); got != "*" {
		t.Errorf("all may: %q", got)
	}
	for _, origins := range [][]string{nil, {app}} {
		res := ask(origins, "/chat", "https://evil.example", "authorization")
		if res.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("headers %v", res.Header)
		}
		wantProblem(t, res, 403, "cross_origin")
	}
	wantProblem(t, ask([]string{app}, "/nowhere", app, ""), 404, "not_found")
	wantProblem(t, do(New(handlerFunc(echo), nil), httptest.NewRequest("OPTIONS", "/chat", nil)), 405, "method_not_allowed")
}

func TestHostOfALoopbackService(t *testing.T) {
	tests := []struct {
		loopback, host string
		ok             bool
	}{
		{"127.0.0.1", "127.0.0.1:8080", true},
		{"127.0.0.1", "localhost:8080", true},
		{"127.0.0.1", "LOCALHOST", true},
		{"127.0.0.1", "[::1]:8080", true},
		{"::1", "[::1]", true},
		{"127.0.0.1", "127.9.9.9", true},
		{"localhost", "localhost:1", true},
		{"127.0.0.1", "evil.example:8080", false},
		{"127.0.0.1", "localhost.evil.example", false},
		{"127.0.0.1", "127.0.0.1.nip.example", false},
		{"127.0.0.1", "192.0.2.1", false},
		{"127.0.0.1", "0.0.0.0:8080", false},
		{"127.0.0.1", "", false},
		{"", "evil.example", true}, // beyond loopback, or with keys
	}
	for _, test := range tests {
		api := New(handlerFunc(echo), &Options{Loopback: test.loopback})
		r := httptest.NewRequest("GET", "/healthz", nil)
		r.Host = test.host
		res := do(api, r)
		if (res.StatusCode == 200) != test.ok {
			t.Errorf("%q at %q: %d", test.host, test.loopback, res.StatusCode)
		}
		if !test.ok {
			wantProblem(t, res, 421, "unknown_host")
		}
	}
	for addr, want := range map[string]string{
		"127.0.0.1:8080": "127.0.0.1", "localhost:0": "localhost", "[::1]:1": "::1", "0.0.0.0:8080": "", ":8080": "", "[::]:1": "", "192.0.2.1:1": "", "example.com:1": "", "x": "",
	} {
		if got := LoopbackHost(addr); got != want {
			t.Errorf("LoopbackHost(%q) = %q, want %q", addr, got, want)
		}
	}
}

func TestSecurityHeaders(t *testing.T) {
	api := New(handlerFunc(echo), &Options{Adapters: []Adapter{faceFunc(func(*API) []Route {
		return []Route{{Method: "GET", Path: "/page", Handler: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Security-Policy", "default-src 'self'")
		}}}
	})}})
	for _, path := range []string{"/healthz", "/nowhere"} {
		h := do(api, httptest.NewRequest("GET", path, nil)).Header
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
			"X-Frame-Options":         "DENY", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
			"Cross-Origin-Resource-Policy": "same-origin", "Strict-Transport-Security": "",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
	}
	if got := do(api, httptest.NewRequest("GET", "/page", nil)).Header.Values("Content-Security-Policy"); len(got) != 1 || got[0] != "default-src 'self'" {
		t.Errorf("a face's own policy: %q", got)
	}
}
