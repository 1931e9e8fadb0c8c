package accesstest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
)

// Case is a service that holds the data of an owner.
type Case struct {
	API      *httpapi.API
	Owner    string                  // key of the user whose data is there, with all scopes
	Stranger string                  // key of another user, with all scopes
	Only     map[access.Scope]string // for each scope, a key of the owner that has only this one
	Visitor  string                  // the token of a visitor; "": no visitors are let in
	Canaries []string                // texts that stand in the owner's data and nowhere else
	Handler  http.Handler            // wraps the API; nil: the API itself

	// Fill has a value for each wildcard of the paths, such as the owner's session for {id}.
	Fill map[string]string
	// Body returns a request that the owner's key may send to a route. nil, and "" for a route, sends {};
	// kind "" is application/json.
	Body func(r httpapi.Route) (kind, body string)
	// Intact reports whether the owner's data is unchanged; it is called at the end.
	Intact func(t *testing.T)
}

// Run tries every route that has a scope: without a key and with a wrong one (401), with keys of every
// other scope (403), and with the stranger's key, which must not see the owner's data: 403 or 404
// where the path names it.
func Run(t *testing.T, c *Case) {
	t.Helper()
	if len(c.Canaries) == 0 {
		t.Fatal("no canary to look for")
	}
	// A stranger's request may create a session with the owner's id, so the routes that name a session
	// are tried first.
	routes := slices.Clone(c.API.Routes())
	slices.SortStableFunc(routes, func(a, b httpapi.Route) int {
		return strings.Count(b.Path, "{") - strings.Count(a.Path, "{")
	})
	tried, shown := 0, 0
	for _, r := range routes {
		if r.Scope == "" {
			continue
		}
		tried++
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			if r.Method == http.MethodGet && !streams(r) {
				_, body := c.send(r, c.Owner)
				shown += len(c.canariesIn(body))
			}
			c.without(t, r)
			c.stranger(t, r)
		})
	}
	if tried == 0 || shown == 0 {
		t.Errorf("%d routes were tried, and the owner was shown %d canaries: this test cannot fail", tried, shown)
	}
	if c.Intact != nil {
		c.Intact(t)
	}
}

// without tries missing and wrong keys, and keys with the wrong scope.
func (c *Case) without(t *testing.T, r httpapi.Route) {
	t.Helper()
	for name, key := range map[string]string{"no key": "", "a wrong key": c.Owner + "x"} {
		res, body := c.send(r, key)
		if res.StatusCode != http.StatusUnauthorized || !strings.HasPrefix(res.Header.Get("WWW-Authenticate"), "Bearer") {
			t.Errorf("%s: status %d, WWW-Authenticate %q", name, res.StatusCode, res.Header.Get("WWW-Authenticate"))
		}
		c.nothing(t, name, res, body)
	}
	if c.Visitor != "" {
		c.visitor(t, r)
	}
	for _, scope := range access.Scopes {
		key, ok := c.Only[scope]
		if !ok {
			t.Fatalf("no key with only the scope %s", scope)
		}
		if scope == r.Scope {
			continue
		}
		res, body := c.send(r, key)
		if res.StatusCode != http.StatusForbidden {
			t.Errorf("a key with the scope %s: status %d, want 403", scope, res.StatusCode)
		}
		c.nothing(t, "a key with the scope "+string(scope), res, body)
	}
}

// visitor tries a token that opens only the routes that are for visitors.
func (c *Case) visitor(t *testing.T, r httpapi.Route) {
	t.Helper()
	res, body := c.send(r, c.Visitor)
	if forbidden := res.StatusCode == http.StatusForbidden; forbidden == r.Visitors {
		t.Errorf("a visitor: status %d", res.StatusCode)
	}
	c.nothing(t, "a visitor", res, body)
}

// stranger tries another user's key.
func (c *Case) stranger(t *testing.T, r httpapi.Route) {
	t.Helper()
	if streams(r) && !strings.Contains(r.Path, "{") {
		return // it would not end
	}
	res, body := c.send(r, c.Stranger)
	if c.named(r) && res.StatusCode != http.StatusNotFound && res.StatusCode != http.StatusForbidden {
		t.Errorf("another user: status %d, want 403 or 404", res.StatusCode)
	}
	if res.StatusCode >= http.StatusInternalServerError {
		t.Errorf("another user: status %d", res.StatusCode)
	}
	c.nothing(t, "another user", res, body)
}

// named reports whether the path of a route names the owner's session.
func (c *Case) named(r httpapi.Route) bool { return strings.Contains(r.Path, "{id}") }

// streams reports a route whose answer has no end.
func streams(r httpapi.Route) bool {
	return r.Method == http.MethodGet && slices.Contains([]string{"/v1/events", "/mcp"}, r.Path)
}

// send calls a route in process.
func (c *Case) send(r httpapi.Route, key string) (*http.Response, string) {
	path := r.Path
	for name, value := range c.Fill {
		path = strings.ReplaceAll(strings.ReplaceAll(path, "{"+name+"...}", value), "{"+name+"}", value)
	}
	kind, body := "application/json", "{}"
	if c.Body != nil {
		if k, b := c.Body(r); b != "" {
			body = b
			if k != "" {
				kind = k
			}
		}
	}
	req := httptest.NewRequest(r.Method, path, strings.NewReader(body))
	req.Header.Set("Content-Type", kind)
	req.Header.Set("Accept", "application/json, text/event-stream")
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	w := httptest.NewRecorder()
	handler := c.Handler
	if handler == nil {
		handler = c.API
	}
	handler.ServeHTTP(w, req)
	res := w.Result()
	text, _ := io.ReadAll(res.Body) // of a recorder: never fails
	return res, string(text)
}

// nothing fails if an answer holds the owner's data.
func (c *Case) nothing(t *testing.T, who string, res *http.Response, body string) {
	t.Helper()
	var head strings.Builder
	_ = res.Header.Write(&head) // to memory: never fails
	for _, canary := range c.canariesIn(head.String() + body) {
		t.Errorf("%s is shown %q: status %d", who, canary, res.StatusCode)
	}
}

func (c *Case) canariesIn(text string) []string {
	var found []string
	for _, canary := range c.Canaries {
		if strings.Contains(text, canary) {
			found = append(found, canary)
		}
	}
	return found
}
