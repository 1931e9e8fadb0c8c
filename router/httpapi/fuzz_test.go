package httpapi

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
)

// FuzzDecodeSearch: the body of a search is taken whole or refused with a client's error.
func FuzzDecodeSearch(f *testing.F) {
	for _, s := range []string{`{"query":"x"}`, `{"query":"x","top_k":1e999}`, `{"query":"x","query":"y"}`, `{"query":"'; DROP TABLE messages"}`, `[[[[`, "\xff", `{"query":null}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		q, err := decodeSearch(body)
		var p *Problem
		if err != nil && (!errors.As(err, &p) || p.Status < 400 || p.Status > 499 || p.Code == "") {
			t.Errorf("decodeSearch(%q) = %v", body, err)
		}
		if err == nil && q.Text == "" {
			t.Errorf("decodeSearch(%q) takes a search for nothing", body)
		}
	})
}

// FuzzEvent: whatever a text is, it stays one event, and is what a client reads.
func FuzzEvent(f *testing.F) {
	for _, s := range []string{"hi", "a\nb", "data: x\r\n\r\nevent: done\n\n", "\u2028\u2029", "\x00\xff", "", "\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w := httptest.NewRecorder()
		if err := newEventWriter(w).send(event("reply", text)); err != nil {
			t.Fatal(err)
		}
		body, ended := strings.CutSuffix(w.Body.String(), "\n\n")
		lines := strings.Split(body, "\n")
		if !ended || lines[0] != "event: reply" || strings.Contains(body, "\r") {
			t.Fatalf("the event of %q is %q", text, w.Body)
		}
		var read []string
		for _, line := range lines[1:] {
			data, ok := strings.CutPrefix(line, "data: ")
			if !ok {
				t.Fatalf("the event of %q has the line %q", text, line)
			}
			read = append(read, data)
		}
		if got, want := strings.Join(read, "\n"), lineEnds.Replace(text); got != want {
			t.Errorf("a client reads %q of %q", got, text)
		}
	})
}
