package httptool

import (
	"net/url"
	pathpkg "path"
	"strings"
	"testing"
)

// FuzzFill: whatever the argument is, scheme, host and the shape of the path are those
// of the template, and the server decodes the argument as it was given.
func FuzzFill(f *testing.F) {
	for _, s := range []string{"O-1", "../../admin", "a/b", "%2e%2e", "?x=1", "#f", "@evil.example", "\\..\\", "\x00", "ä", "a;b", "//h"} {
		f.Add(s)
	}
	tmpl, err := parseURL("https://api.example.com/v1/orders/{id}/lines?of={id}")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, id string) {
		u, err := tmpl.fill(map[string]any{"id": id})
		if err != nil {
			if id != "" && !climbs(id) {
				t.Fatalf("%q refused: %v", id, err)
			}
			return
		}
		if u.Scheme != "https" || u.Host != "api.example.com" || u.User != nil || u.Fragment != "" {
			t.Fatalf("%q leads to %s", id, u)
		}
		if want := "/v1/orders/" + url.PathEscape(id) + "/lines"; u.EscapedPath() != want {
			t.Fatalf("path %q, want %q", u.EscapedPath(), want)
		}
		if got := u.Query().Get("of"); got != id {
			t.Fatalf("query %q, want %q", got, id)
		}
	})
}

// A server that decodes slashes before it resolves the path, as many do, stays below the one
// that was declared; ids with dots and slashes in them are none of that.
func TestArgumentsDoNotClimb(t *testing.T) {
	tmpl, err := parseURL("https://api.example.com/v1/orders/{id}/lines")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{
		"..", ".", "../..", "../../admin", "a/../b", "a/..", "a/./b", "/..", "../", "..\\admin", "a\\..\\b", "%2e%2e", "a%2F..%2Fb", "..%2fadmin",
		"a/%2e%2e/b", "%252e%252e%252fadmin", "a/..;x=1/b", "..;", "%25252525252e", "a/ .. /b", "100%/%2e%2e/x", "%zz%2F..%2Fb",
	} {
		if u, err := tmpl.fill(map[string]any{"id": id}); err == nil {
			t.Errorf("%q leads to %s", id, u)
		}
	}
	for _, id := range []string{"O-1", "a/b", "a..b", "..a", "a..", "...", "v1.2/x.y", "100%", "50%-off", "a;b", "x%2Fy", "a\\b", " "} {
		u, err := tmpl.fill(map[string]any{"id": id})
		if err != nil {
			t.Errorf("%q: %v", id, err)
			continue
		}
		for path, rounds := u.EscapedPath(), 0; rounds < 3; rounds++ {
			if decoded, err := url.PathUnescape(path); err == nil {
				path = decoded
			}
			if got := pathpkg.Clean(path); !strings.HasPrefix(got, "/v1/orders/") || !strings.HasSuffix(got, "/lines") {
				t.Errorf("%q is read as %s", id, got)
			}
		}
	}
}

// Arguments that are harmless alone make no ".." together, or with what stands beside them.
// What the template declares itself is meant.
func TestArgumentsDoNotClimbTogether(t *testing.T) {
	for _, test := range []struct {
		source, a, b string
		refused      bool
	}{
		{"https://h/v1/.{a}/x", ";x", "", true},
		{"https://h/v1/{a}{b}/x", "y/.", "./z", true},
		{"https://h/v1/{a}.{b}/x", "y/", "./z", true},
		{"https://h/v1/{a}%2e/x", "y/.%2", "", false},
		{"https://h/v1/%2e{a}/x", ";y", "", true},
		{"https://h/v1/{a}.{b}/x", "y", "z", false},
		{"https://h/a/../v1/{a}/x", "fine", "", false},
		{"https://h/v1/{a}/x?q={b}", "fine", "../..", false},
	} {
		tmpl, err := parseURL(test.source)
		if err != nil {
			t.Fatal(err)
		}
		if u, err := tmpl.fill(map[string]any{"a": test.a, "b": test.b}); (err != nil) != test.refused {
			t.Errorf("%s with %q and %q leads to %v, %v", test.source, test.a, test.b, u, err)
		}
	}
}
