package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// deaf is a network without event streams.
func deaf(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/events" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// stands reads the number of the conversation's last turn, and the write that waits for a yes.
func (b *tab) stands() (turn int64, confirming string) {
	b.t.Helper()
	session := strings.TrimPrefix(read[string](b, `location.hash`), "#s=")
	res, err := http.Get(strings.TrimSuffix(b.address, "/studio") + "/v1/sessions/" + session + "/state")
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	var state struct {
		Turn       int64  `json:"turn"`
		Confirming string `json:"confirming"`
	}
	if err := json.NewDecoder(res.Body).Decode(&state); err != nil {
		b.t.Fatal(err)
	}
	return state.Turn, state.Confirming
}

// wentOnElsewhere: the page asks about one order; elsewhere the person says no and asks for
// another. Then the page does not carry out a yes, shows what was said, and sends nothing again
// before the person does.
func wentOnElsewhere(t *testing.T, b *tab) {
	b.say("cancel O-20001")
	if got := b.reply(); !strings.HasPrefix(got, "Cancel order O-20001") {
		t.Fatalf("reply %q", got)
	}
	session := strings.TrimPrefix(read[string](b, `location.hash`), "#s=")
	for _, text := range []string{"no", "cancel O-20445"} {
		b.post(fmt.Sprintf(`{"message":%q,"conversation_id":%q}`, text, session))
	}
	b.write("#message", "yes")
	b.enter()
	b.shows("#log", "Not sent. The conversation went on elsewhere")
	b.wait(answers + ` === 3`)
	if got := b.reply(); !strings.HasPrefix(got, "Cancel order order_id") && !strings.HasPrefix(got, "Cancel order O-20445") {
		t.Errorf("what was said elsewhere is not shown: the last reply is %q", got)
	}
	b.picture("1280-moved-on")
	contrast(t, b)
	for range 2 {
		if turn, asks := b.stands(); turn != 3 || asks != "cancel_order" {
			t.Errorf("the conversation stands after turn %d and waits for a yes to %s", turn, asks)
		}
		b.do(chromedp.Reload()) // the message is kept, and not sent by that
		b.shows("#log", "Not sent. The conversation went on elsewhere")
		b.wait(answers + ` === 3`)
	}
	if got := read[[]string](b, `[...document.querySelectorAll('#log .exchange .text')].map((e) => e.textContent)`); len(got) != 1 || got[0] != "yes" {
		t.Errorf("kept for sending again: %q", got)
	}
	b.click("#log .exchange .link-button") // send again
	b.settle(4)
	if got := b.reply(); !strings.HasPrefix(got, "Done: order O-20445") {
		t.Errorf("reply %q", got)
	}
}

// holding delays the first message until release.
type holding struct {
	once    sync.Once
	release chan struct{}
}

func (h *holding) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/chat" {
			h.once.Do(func() { <-h.release })
		}
		next.ServeHTTP(w, r)
	})
}

// typedAhead: a message that was written before a reply came answers that reply, unless the reply
// asks for a yes.
func typedAhead(t *testing.T, b *tab, held *holding) {
	for _, text := range []string{"hello", "how much is shipping", "cancel O-20667", "yes"} {
		b.write("#message", text)
		b.enter()
	}
	b.shows("#log", "Waiting for its turn")
	close(held.release)
	b.shows("#log", "Not sent. It was written before the agent asked for a yes or no")
	b.wait(answers + ` === 3`)
	if turn, asks := b.stands(); turn != 3 || asks != "cancel_order" {
		t.Errorf("the conversation stands after turn %d and waits for a yes to %s", turn, asks)
	}
	b.click("#log .exchange .link-button:nth-of-type(2)") // edit
	b.wait(`document.querySelector('#message').value === 'yes' && !document.querySelector('#log .exchange')`)
	b.press(false, kb.Backspace, kb.Backspace, kb.Backspace)
	b.write("#message", "no")
	b.enter()
	b.settle(4)
}
