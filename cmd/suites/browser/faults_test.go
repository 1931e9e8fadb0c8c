package browser

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// evil is markup that an attacker would send, or have an agent send.
const evil = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script><b>bold</b>`

// markup makes the agent's replies markup, in every answer that holds them.
func markup(next http.Handler) http.Handler {
	text, _ := json.Marshal(evil)
	return rewriting(next, func(path string, body []byte) []byte {
		if path == "/studio" || strings.HasPrefix(path, "/studio/") || path == "/v1/events" {
			return body
		}
		return bytes.ReplaceAll(body, []byte(`"Shipping is free from $50; below that it is $5.90."`), text)
	})
}

func markupIsText(t *testing.T, b *tab) {
	b.say("how much is shipping")
	b.say(evil)
	if got := read[[]string](b, `[...document.querySelectorAll('#log .text')].map((e) => e.textContent)`); got[1] != evil || got[2] != evil {
		t.Errorf("the messages read %q", got)
	}
	b.click("#tab-sessions")
	b.do(chromedp.WaitVisible(chromedp.CSS(".sessions .open[aria-current]")))
	b.click(`.sessions li:has([aria-current]) button[aria-label^="Rename"]`)
	b.write(".rename input", `<img src=x onerror="document.title='taken'">`)
	b.enter()
	b.shows(".sessions", "<img src=x")
	b.click("#tab-memory")
	b.shows("#panel-memory", "<script>")
	if n := read[int](b, `document.querySelectorAll('img, b, main script').length`); n != 0 {
		t.Errorf("%d elements were made of what was said", n)
	}
	if got := read[string](b, `document.title`); got != "Slotway studio" {
		t.Errorf("the title is %q", got)
	}
	// The policy holds even where the page makes a mistake.
	if !read[bool](b, `(() => { try { document.createElement('div').innerHTML = '<b>'; return false; } catch { return true; } })()`) {
		t.Error("markup could be assigned from a string")
	}
	b.mu.Lock()
	b.faults = nil // the browser tells of the attempt
	b.mu.Unlock()
}

// otherMachine adds a state that the studio does not know.
func otherMachine(next http.Handler) http.Handler {
	return rewriting(next, func(path string, body []byte) []byte {
		if path != "/v1/agent" {
			return body
		}
		return bytes.Replace(body, []byte(`"transitions":[`), []byte(`"transitions":[{"from":"planned","on":"muse","to":"musing"},{"from":"musing","on":"result","to":"planned"},`), 1)
	})
}

func unknownMachine(t *testing.T, b *tab) {
	b.say("how much is shipping")
	if n := read[int](b, `document.querySelectorAll('.graph .state').length`); n != 11 {
		t.Errorf("%d states are drawn, want 11", n)
	}
	hidden := read[[]string](b, `(() => { const box = document.querySelector('.graph').viewBox.baseVal; return [...document.querySelectorAll('.graph .state')].filter((g) => { const r = g.getBBox(); return r.x < 0 || r.y < 0 || r.x + r.width > box.width || r.y + r.height > box.height; }).map((g) => g.dataset.state); })()`)
	if len(hidden) > 0 {
		t.Errorf("outside the picture: %q", hidden)
	}
	wantWay(t, b, "idle → received → classified → planned → responding → planned → responding → planned → responding → responded")
}

// rewriting changes the bodies of answers.
func rewriting(next http.Handler, change func(path string, body []byte) []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/events" {
			next.ServeHTTP(w, r)
			return
		}
		r.Header.Del("Accept-Encoding")
		rec := &recorded{header: w.Header(), status: http.StatusOK}
		next.ServeHTTP(rec, r)
		w.Header().Del("Content-Length")
		w.WriteHeader(rec.status)
		_, _ = w.Write(change(r.URL.Path, rec.body.Bytes()))
	})
}

// recorded is an answer that is held back.
type recorded struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorded) Header() http.Header         { return r.header }
func (r *recorded) WriteHeader(status int)      { r.status = status }
func (r *recorded) Write(b []byte) (int, error) { return r.body.Write(b) }

// losing loses the first answer to each message, answers the second try with 503, and passes the
// third.
type losing struct {
	path string // of the messages; "": /chat

	mu       sync.Mutex     // guards what follows
	seen     map[string]int // times that a message came, by its id
	followed int
}

func (l *losing) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/events" {
			l.cut(next, w, r)
			return
		}
		if r.Method != http.MethodPost || r.URL.Path != cmp.Or(l.path, "/chat") {
			next.ServeHTTP(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		var message struct {
			ID string `json:"message_id"`
		}
		_ = json.Unmarshal(body, &message)
		l.mu.Lock()
		l.seen[message.ID]++
		n := l.seen[message.ID]
		l.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		switch n {
		case 1: // it has its effect, but nobody hears of it
			next.ServeHTTP(&recorded{header: http.Header{}}, r)
			panic(http.ErrAbortHandler)
		case 2:
			w.Header().Set("Access-Control-Allow-Origin", "*")
			w.Header().Set("Access-Control-Expose-Headers", "Retry-After")
			w.Header().Set("Retry-After", "1")
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `{"title":"Too many turns are under way","code":"overloaded"}`)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// cut ends the first event stream at once.
func (l *losing) cut(next http.Handler, w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	l.followed++
	n := l.followed
	l.mu.Unlock()
	if n == 1 {
		panic(http.ErrAbortHandler)
	}
	next.ServeHTTP(w, r)
}

func answersGetLost(t *testing.T, b *tab, lost *losing) {
	b.shows("#link", "live")
	b.write("#message", "cancel O-20334")
	b.enter()
	b.shows("#log", "Sending again in 1 s")
	b.settle(1)
	b.write("#message", "how much is shipping")
	b.enter()
	b.wait(`document.querySelector('#log .exchange')`)
	b.do(chromedp.Reload()) // while it is on its way
	b.settle(2)
	b.shows("#link", "live")
	lost.mu.Lock()
	defer lost.mu.Unlock()
	if len(lost.seen) != 2 {
		t.Errorf("two messages were sent under %d ids", len(lost.seen))
	}
	for id, n := range lost.seen {
		if n < 3 || id == "" {
			t.Errorf("message %q was sent %d times, want 3 or more", id, n)
		}
	}
	if got := read[string](b, `sessionStorage.getItem('slotway.outbox')`+" ?? ''"); got != "" {
		t.Errorf("still to be sent: %s", got)
	}
}

// forgetful has no trace of any turn.
func forgetful(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/trace") {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"title":"The trace is gone","status":404,"code":"trace_gone"}`)
	})
}

func noTrace(t *testing.T, b *tab) {
	b.write("#message", "where is my order")
	b.enter()
	for _, place := range []string{".machine .hint", "#why", "#steps"} {
		b.shows(place, "keeps no trace of this turn")
	}
	b.shows("#state .waits", "order_id")
	if n := read[int](b, `document.querySelectorAll('.state.lit, .edge.lit').length`); n != 0 {
		t.Errorf("%d parts of the picture are lit", n)
	}
}

// locked is a service with an API key.
func locked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		open := r.URL.Path == "/studio" || strings.HasPrefix(r.URL.Path, "/studio/")
		keyed, user := r.Header.Get("Authorization") == "Bearer sesame", r.Header.Get("X-User-Id")
		if open || keyed && user == "Zoë" {
			r.Header.Del("Authorization") // the service behind it has no keys
			r.Header.Del("X-User-Id")
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/problem+json")
		if keyed && user == "" {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"title":"For which user?","status":400,"code":"user_required"}`)
			return
		}
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"title":"Who is asking?","status":401,"code":"unauthorized"}`)
	})
}

func keyIsAskedFor(t *testing.T, b *tab) {
	b.shows("dialog", "This service asks for a key")
	b.picture("1280-key")
	b.write("#key", "sesam")
	b.enter()
	b.shows("dialog", "not known to the service")
	b.write("#key", "sesame")
	b.enter()
	b.shows("dialog", "For which user")
	b.write("#user", "Zoë")
	b.enter()
	b.shows("#agent", "shop")
	b.say("how much is shipping")
	b.shows("#link", "live")
	stored := read[string](b, `JSON.stringify([location.href, {...localStorage}, document.cookie])`)
	if strings.Contains(stored, "sesame") {
		t.Errorf("the key is kept beyond the tab: %s", stored)
	}
	b.do(chromedp.Reload())
	b.settle(1)
	b.click("#access")
	b.click("dialog .choices button") // forget it
	b.shows("dialog", "This service asks for a key")
	if left := read[string](b, `document.querySelector('#log').textContent + document.querySelector('#agent').textContent + sessionStorage.getItem('slotway.key')`); left != "null" {
		t.Errorf("without the key there is still %q", left)
	}
}
