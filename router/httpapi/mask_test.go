package httpapi

import (
	"net/http"
	"strings"
	"testing"
)

// inTheMiddle is a conversation whose state holds canaries wherever one can stand: a frame
// set aside with a name, a choice of values, a result that repeats them.
func (w *fixture) inTheMiddle(t testing.TB, session string) {
	t.Helper()
	w.say(t, session, "badge please", canaryName, "track my parcels")
}

// finished is a conversation that went through everything, so that no param is left.
func (w *fixture) finished(t testing.TB, session string) {
	t.Helper()
	w.inTheMiddle(t, session)
	w.say(t, session, "the first", canaryPin, "yes")
}

// No masked answer holds a redacted value, whichever route it is of; every one that has
// something to hide shows it when asked to by an admin.
func TestEveryAnswerIsMasked(t *testing.T) {
	w := newFixture(t)
	w.inTheMiddle(t, "mid")
	w.finished(t, "end")
	w.say(t, "sure", "badge please", canaryName, canaryPin)
	for _, session := range []string{"mid", "end", "sure"} {
		about := `{"title":"for Zaphod \"Canary\" Beeblebrox","tags":["Zaphod \"Canary\" Beeblebrox"]}`
		checkMasked(t, w, http.MethodPatch, "/v1/sessions/"+session, about, true)
	}
	search := `{"query":"badge Zaphod Beeblebrox Here you are","limit":50,"explain":true}`
	checkMasked(t, w, http.MethodPost, "/v1/memory/search", search, true)
	checkMasked(t, w, http.MethodGet, "/v1/sessions", "", true)
	w.say(t, "told", canaryName, "badge please", canaryName)
	checkMasked(t, w, http.MethodGet, "/v1/sessions?preview=true&limit=1", "", true)
	checkMasked(t, w, http.MethodGet, "/v1/agent", "", false)
	for _, session := range []string{"mid", "end", "sure"} {
		at := "/v1/sessions/" + session
		checkMasked(t, w, http.MethodGet, at, "", true)
		for part, hides := range map[string]bool{
			"/messages?inactive=true": true, "/state": true, "/turns": true, "/export": true, "/trace": false,
		} {
			checkMasked(t, w, http.MethodGet, at+part, "", hides)
		}
	}
	// The tier tells of everything, which this session alone has heard of.
	checkMasked(t, w, http.MethodGet, "/v1/sessions/end/context?text=Zaphod+%22Canary%22+Beeblebrox", "", true)
}

func checkMasked(t *testing.T, w *fixture, method, path, body string, hides bool) {
	t.Helper()
	res := w.ask(method, path, body)
	text := string(readAll(t, res))
	if res.StatusCode != http.StatusOK {
		t.Errorf("%s %s: %d %s", method, path, res.StatusCode, text)
		return
	}
	for _, canary := range canaries {
		if strings.Contains(text, canary) {
			t.Errorf("%s %s tells %s:\n%s", method, path, canary, text)
		}
	}
	if !hides {
		return
	}
	sign := "?"
	if strings.Contains(path, "?") {
		sign = "&"
	}
	open := w.ask(method, path+sign+"reveal=true", body)
	shown := string(readAll(t, open))
	if open.StatusCode != http.StatusOK || !containsAny(shown, canaries) {
		t.Errorf("%s %s does not reveal: %d %s", method, path, open.StatusCode, shown)
	}
	refused := w.ask(method, path+sign+"reveal=true", body, "X-Test-Scopes", "read,chat")
	if text := string(readAll(t, refused)); refused.StatusCode != http.StatusForbidden || containsAny(text, canaries) {
		t.Errorf("%s %s reveals without the scope admin: %d %s", method, path, refused.StatusCode, text)
	}
}

func containsAny(text string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}
