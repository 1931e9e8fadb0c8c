package httpapi

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A search finds what its caller can see. What is masked is not found, whole or in part, by a
// title or by a tag, and pages are numbered as if it were not there.
func TestASearchConfirmsNothingThatIsMasked(t *testing.T) {
	w := newFixture(t)
	about := func(session, title string, tags ...string) {
		t.Helper()
		body := string(mustJSON(map[string]any{"title": title, "tags": append([]string{}, tags...)}))
		if res := w.ask(http.MethodPatch, "/v1/sessions/"+session, body); res.StatusCode != http.StatusOK {
			t.Fatalf("%d %s", res.StatusCode, readAll(t, res))
		}
	}
	w.say(t, "hidden", "badge please", canaryName, canaryPin)
	about("hidden", "for Zaphod \"Canary\" Beeblebrox with 73914", canaryPin, "red")
	for _, name := range []string{"first", "second"} {
		w.say(t, name, "badge please")
		about(name, name+" with 73914 as somebody's guess", canaryPin, "red")
	}
	find := func(query string, headers ...string) string {
		t.Helper()
		got := object(t, w.ask(http.MethodGet, "/v1/sessions?"+query, "", headers...))
		ids := strings.Fields(sessionIDs(got))
		slices.Sort(ids) // in which order they changed is not what is asked here
		return fmt.Sprint(strings.Join(ids, " "), " ", got["next_offset"])
	}
	for query, want := range map[string]string{
		"text=73914":          "first second <nil>",
		"text=with+739":       "first second <nil>",
		"text=zaphod":         " <nil>",
		"text=Beeble":         " <nil>",
		"tag=73914":           "first second <nil>",
		"text=FOR":            "hidden <nil>",
		"text=hidd":           "hidden <nil>",
		"text=r+n":            " <nil>", // over the edge of "for {name}"
		"tag=red":             "first hidden second <nil>",
		"tag=red&text=with":   "first hidden second <nil>",
		"text=73914&offset=2": " <nil>",
	} {
		if got := find(query, "X-Test-Scopes", "read"); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	for query, want := range map[string]string{"text=73914": "first hidden second <nil>", "text=zaphod": "hidden <nil>", "tag=73914": "first hidden second <nil>"} {
		if got := find(query + "&reveal=true"); got != want {
			t.Errorf("%s revealed: %q, want %q", query, got, want)
		}
	}
	one, other := find("text=73914&limit=1"), find("text=73914&limit=1&offset=1")
	if want := []string{"first 1 second <nil>", "second 1 first <nil>"}; !slices.Contains(want, one+" "+other) {
		t.Errorf("page by page: %q, %q", one, other)
	}
	if diff := cmp.Diff(find("text="+url.QueryEscape("nobody")), find("text=zaphod")); diff != "" {
		t.Errorf("a masked value and none differ:\n%s", diff)
	}
}
