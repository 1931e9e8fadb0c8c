package access_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/router/httpapi/access"
)

func visit(token string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

func TestVisitors(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	clock := func() time.Time { return now }
	key := []byte("a key that two replicas share...")
	here := access.NewVisitors(key, &access.VisitorsOptions{Life: time.Hour, Now: clock})
	there := access.NewVisitors(key, &access.VisitorsOptions{Now: clock})
	token, end := here.Admit()
	if want := now.Add(time.Hour).Truncate(time.Second); !end.Equal(want) {
		t.Errorf("the token ends at %s, want %s", end, want)
	}
	first, visits, err := there.Identify(visit(token))
	if err != nil || !visits || !strings.HasPrefix(first.UserID, "web/") || len(first.UserID) < 20 {
		t.Fatalf("%+v, %t, %v", first, visits, err)
	}
	for _, s := range access.Scopes {
		if first.Has(s) {
			t.Errorf("a visitor has the scope %s", s)
		}
	}
	if !first.Has(access.Visit) {
		t.Error("a visitor may not even visit")
	}
	other, _ := here.Admit()
	second, _, err := here.Identify(visit(other))
	if err != nil || second.UserID == first.UserID {
		t.Errorf("two visitors are %q and %q: %v", first.UserID, second.UserID, err)
	}
	if again, _, err := here.Identify(visit(token)); err != nil || again.UserID != first.UserID {
		t.Errorf("the same visitor is %q and then %q: %v", first.UserID, again.UserID, err)
	}
	if _, _, err := here.Identify(visit(token, access.UserHeader, "alice")); !errors.Is(err, access.ErrForbidden) {
		t.Errorf("a visitor who names another user: %v", err)
	}
	now = end
	if _, visits, err := here.Identify(visit(token)); !visits || !errors.Is(err, access.ErrNoCredentials) {
		t.Errorf("a token at its end: %t, %v", visits, err)
	}
}

// A token that the service did not make is refused, and what is no visitor's token is left to others.
func TestForgedVisits(t *testing.T) {
	v := access.NewVisitors([]byte("ours"), nil)
	foreign, _ := access.NewVisitors([]byte("theirs"), nil).Admit()
	good, _ := v.Admit()
	if _, visits, err := v.Identify(visit(good)); !visits || err != nil {
		t.Fatalf("a good token: %t, %v", visits, err)
	}
	forged := map[string]string{"of another key": foreign, "cut": good[:len(good)-4], "longer": good + "AAAA", "no base64": "slotway_visit_!", "empty": "slotway_visit_"}
	for i := len("slotway_visit_"); i < len(good); i += 7 {
		c := "A"
		if good[i] == 'A' {
			c = "B"
		}
		forged["changed at "+good[:i]] = good[:i] + c + good[i+1:]
	}
	for name, token := range forged {
		if id, visits, err := v.Identify(visit(token)); !visits || !errors.Is(err, access.ErrNoCredentials) || id.UserID != "" {
			t.Errorf("%s: %+v, %t, %v", name, id, visits, err)
		}
	}
	for _, token := range []string{"slotway_abc", "a.b.c", ""} {
		if _, visits, err := v.Identify(visit(token)); visits || err != nil {
			t.Errorf("%q is taken for a visitor's token: %v", token, err)
		}
	}
}
