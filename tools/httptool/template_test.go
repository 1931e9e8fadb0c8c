package httptool

import (
	"net/url"
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
			if id != "" && id != "." && id != ".." {
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
