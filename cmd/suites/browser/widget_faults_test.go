package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// drafting sends drafts before each answer, and the answer once it is released.
type drafting struct{ release chan struct{} }

func (d *drafting) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/widget/messages" {
			next.ServeHTTP(w, r)
			return
		}
		answer := &recorded{header: w.Header(), status: http.StatusOK}
		next.ServeHTTP(answer, r)
		w.Header().Del("Content-Length")
		fmt.Fprint(w, ": working\n\nevent: draft\ndata: Of\n\nevent: void\ndata: void\n\nevent: draft\ndata: Ship\n\nevent: draft\ndata: ping\n\n")
		_ = http.NewResponseController(w).Flush()
		<-d.release
		_, _ = w.Write(answer.body.Bytes())
	})
}

func widgetStreams(t *testing.T, b *tab, d *drafting) {
	b.do(chromedp.Evaluate[chromedp.Void](inside("#field") + `.focus()`))
	b.do(chromedp.KeyEvent("how much is shipping"))
	b.enter()
	b.wait(said + `.at(-1) === 'agent: Shipping'`)
	if !read[bool](b, inside(".message:last-child")+`.getAttribute('aria-hidden') === 'true'`) {
		t.Error("a draft is read out")
	}
	b.do(chromedp.KeyEvent("and what"))
	b.enter() // one message at a time
	close(d.release)
	b.holds(2)
	if got := read[[]string](b, said); got[1] != "agent: Shipping is free from $50; below that it is $5.90." {
		t.Errorf("the log shows %q", got)
	}
	if got := read[string](b, inside("#field")+`.value`); got != "and what" {
		t.Errorf("what was typed meanwhile is %q", got)
	}
}

func widgetLosesAnswers(t *testing.T, b *tab, lost *losing) {
	b.do(chromedp.Evaluate[chromedp.Void](inside("#field") + `.focus()`))
	b.do(chromedp.KeyEvent("cancel my order"))
	b.enter()
	b.wait(inside(".note") + `.textContent.startsWith('The service is busy')`)
	b.holds(2)
	b.do(chromedp.KeyEvent("O-20334"))
	b.enter()
	b.wait(inside(".note") + `.textContent !== ''`)
	b.do(chromedp.Reload()) // while it is on its way
	b.wait(`document.querySelector('slotway-chat')`)
	b.holds(4)
	lost.mu.Lock()
	if len(lost.seen) != 2 {
		t.Errorf("two messages were sent under %d ids", len(lost.seen))
	}
	for id, n := range lost.seen {
		if n < 3 || id == "" {
			t.Errorf("message %q was sent %d times, want 3 or more", id, n)
		}
	}
	lost.mu.Unlock()
	got := read[[]string](b, said)
	if got[0] != "user: cancel my order" || !strings.Contains(got[3], "already delivered") {
		t.Errorf("the log shows %q", got)
	}
	if n := read[int](b, inside(".note")+`.textContent.length`); n > 0 {
		t.Errorf("it still says %q", read[string](b, inside(".note")+`.textContent`))
	}
}

// cutting cuts the stream of the first answer to each message, after a draft.
type cutting struct {
	mu   sync.Mutex // guards seen
	seen map[string]bool
}

func (c *cutting) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/widget/messages" {
			next.ServeHTTP(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		cut := !c.seen[string(body)]
		c.seen[string(body)] = true
		c.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		if !cut {
			next.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(&recorded{header: w.Header(), status: http.StatusOK}, r) // it has its effect
		w.Header().Del("Content-Length")
		fmt.Fprint(w, "event: draft\ndata: Cancel\n\nevent: done\ndata: {\"mess")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
}

// widgetCutOff confirms a write whose answer breaks off: the order is cancelled once.
func widgetCutOff(t *testing.T, b *tab) {
	for i, text := range []string{"cancel my order", "O-20223", "yes"} {
		b.do(chromedp.Evaluate[chromedp.Void](inside("#field") + `.focus()`))
		b.do(chromedp.KeyEvent(text))
		b.enter()
		b.wait(inside(".note") + `.textContent.startsWith('No connection. Your message is kept')`)
		b.holds(2*i + 2)
	}
	got := read[[]string](b, said)
	b.do(chromedp.Reload())
	b.wait(`document.querySelector('slotway-chat')`)
	b.holds(6)
	if again := read[[]string](b, said); again[4] != "user: yes" || !strings.Contains(got[5], "cancelled") || !strings.Contains(again[5], "cancelled") {
		t.Errorf("the log shows %q, and after a reload %q", got, again)
	}
}

// hostileText stands for a reply that tries to become markup.
const hostileText = evil + " see https://good.example/a?b=1. and javascript:alert(1) http://plain.example https://user@ev\u202eil\n2nd line"

func hostileReplies(next http.Handler) http.Handler {
	text, _ := json.Marshal(hostileText)
	return rewriting(next, func(path string, body []byte) []byte {
		if path != "/widget/messages" {
			return body
		}
		body = bytes.ReplaceAll(body, []byte(`"name":"shop"`), []byte(`"name":"<b>shop</b>"`))
		body = bytes.ReplaceAll(body, []byte(`"options":[]`), []byte(`"options":[{"title":"<img src=x>","say":"yes"}]`))
		return bytes.ReplaceAll(body, []byte(`"Shipping is free from $50; below that it is $5.90."`), text)
	})
}

func widgetHostile(t *testing.T, b *tab) {
	b.tell("how much is shipping", 2)
	b.tell(evil, 4)
	got := read[[]string](b, said)
	if got[1] != "agent: "+hostileText || got[2] != "user: "+evil {
		t.Errorf("the log shows %q", got)
	}
	if n := read[int](b, `document.querySelector('slotway-chat').shadowRoot.querySelectorAll('img, script, b').length`); n != 0 {
		t.Errorf("%d elements were made of what was said", n)
	}
	if got := read[string](b, `document.title`); got != "A shop" {
		t.Errorf("the title is %q", got)
	}
	links := read[[]string](b, `[...document.querySelector('slotway-chat').shadowRoot.querySelectorAll('.log a')].map((a) => [a.href, a.textContent, a.rel, a.target].join(' '))`)
	want := []string{
		"https://good.example/a?b=1 https://good.example/a?b=1 noopener noreferrer _blank",
		"https://user@ev/ https://user@ev noopener noreferrer _blank",
	}
	if diff := cmp.Diff(want, links); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if got := read[string](b, inside(".offers button")+`.textContent`+`+`+inside("#title")+`.textContent`); got != "<img src=x><b>shop</b>" {
		t.Errorf("an option and the title read %q", got)
	}
	if !read[bool](b, `getComputedStyle(`+inside(".agent p")+`).whiteSpace.includes('pre-wrap')`) {
		t.Error("line ends are lost")
	}
}

func noVisits(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/widget/visits" {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `{"code": "no_visitors", "title": "Visitors may not talk here", "status": 403}`)
	})
}
