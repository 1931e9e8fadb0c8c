package httpapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/slotway/slotway/router/httpapi/access"
)

// failing is an Authenticator that gives an error.
type failing struct{ err error }

func (f failing) Identify(*http.Request) (access.Identity, error) { return access.Identity{}, f.err }

func TestWhoIsLetIn(t *testing.T) {
	reader := access.Identity{Name: "r", UserID: "ann", Scopes: []access.Scope{access.Read}}
	chatter := access.Identity{Name: "c", UserID: "ann", Scopes: []access.Scope{access.Chat}}
	elsewhere := access.Identity{Name: "e", UserID: "ann", Scopes: access.Scopes, Agents: []string{"shop"}}
	here := access.Identity{Name: "h", UserID: "ann", Scopes: access.Scopes, Agents: []string{"shop", "notes"}}
	known := guests{"r": reader, "c": chatter, "e": elsewhere, "h": here}
	tests := []struct {
		name      string
		access    access.Authenticator
		headers   []string
		status    int
		code      string
		challenge string
	}{
		{"no key", known, nil, 401, "unauthorized", `Bearer realm="slotway"`},
		{"wrong key", known, []string{"Authorization", "Bearer x"}, 401, "unauthorized", `Bearer realm="slotway", error="invalid_token"`},
		{"no scope", known, []string{"Authorization", "Bearer r"}, 403, "forbidden", `Bearer realm="slotway", error="insufficient_scope", scope="chat"`},
		{"another agent's", known, []string{"Authorization", "Bearer e"}, 403, "forbidden", ""},
		{"good", known, []string{"Authorization", "Bearer c"}, 200, "", ""},
		{"this agent's", known, []string{"Authorization", "Bearer h"}, 200, "", ""},
		{"no user", failing{access.ErrUserRequired}, nil, 400, "user_required", ""},
		{"bad user", failing{access.ErrBadUser}, nil, 400, "bad_user", ""},
		{"no keys to check with", failing{access.ErrUnavailable}, nil, 503, "auth_unavailable", ""},
		{"unforeseen", failing{fmt.Errorf("about %s", secret)}, nil, 500, "internal", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			api := New(handlerFunc(echo), &Options{Access: test.access, Agent: called("notes")})
			res := post(api, `{"message":"hi"}`, test.headers...)
			if got := res.Header.Get("WWW-Authenticate"); got != test.challenge {
				t.Errorf("WWW-Authenticate %q, want %q", got, test.challenge)
			}
			if test.status == 200 {
				if res.StatusCode != 200 {
					t.Errorf("status %d", res.StatusCode)
				}
				return
			}
			wantProblem(t, res, test.status, test.code)
		})
	}
	api := New(handlerFunc(echo), &Options{Access: known})
	if got := do(api, httptest.NewRequest("GET", "/healthz", nil)).StatusCode; got != 200 {
		t.Errorf("GET /healthz without a key: %d", got)
	}
}

// A face refuses in its own form, with the headers of the door.
func TestRefusalInTheFacesForm(t *testing.T) {
	api := New(handlerFunc(echo), &Options{Access: guests{}, Adapters: []Adapter{faceFunc(func(*API) []Route {
		return []Route{{
			Method: "GET", Path: "/own", Scope: access.Read,
			Handler: func(http.ResponseWriter, *http.Request) { t.Error("let in") },
			Refuse: func(w http.ResponseWriter, p *Problem) {
				w.WriteHeader(p.Status)
				_, _ = w.Write([]byte("own " + p.Code))
			},
		}}
	})}})
	res := do(api, httptest.NewRequest("GET", "/own", nil))
	if body := string(readAll(t, res)); body != "own unauthorized" || res.StatusCode != 401 || res.Header.Get("WWW-Authenticate") == "" {
		t.Errorf("%d %q %v", res.StatusCode, body, res.Header)
	}
}
