package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

// TestWidget uses the widget on a page of another origin, under a strict policy, as people do.
func TestWidget(t *testing.T) {
	browser := startBrowser(t)
	s := newSite(t)
	t.Run("by keyboard", func(t *testing.T) { widgetByKeyboard(t, s.open(t, browser, "", nil)) })
	t.Run("a reload", func(t *testing.T) { widgetReload(t, s.open(t, browser, `data-greeting="Hello."`, nil)) })
	t.Run("streams", func(t *testing.T) {
		slow := &drafting{release: make(chan struct{})}
		widgetStreams(t, s.open(t, browser, "data-open", slow.wrap), slow)
	})
	t.Run("an answer is lost", func(t *testing.T) {
		lost := &losing{seen: map[string]int{}, path: "/widget/messages"}
		widgetLosesAnswers(t, s.open(t, browser, `data-open=""`, lost.wrap, "Failed to load resource", "net::ERR"), lost)
	})
	t.Run("an answer breaks off", func(t *testing.T) {
		c := &cutting{seen: map[string]bool{}}
		widgetCutOff(t, s.open(t, browser, `data-open=""`, c.wrap, "Failed to load resource", "net::ERR"))
	})
	t.Run("said elsewhere", func(t *testing.T) { widgetElsewhere(t, s, s.open(t, browser, `data-open="true"`, nil)) })
	t.Run("hostile text", func(t *testing.T) { widgetHostile(t, s.open(t, browser, `data-open="true"`, hostileReplies)) })
	t.Run("motion", func(t *testing.T) { widgetMotion(t, s.open(t, browser, "", nil)) })
	t.Run("refused", func(t *testing.T) {
		widgetRefused(t, s.open(t, browser, `data-open="true"`, noVisits, "Failed to load resource"))
	})
	t.Run("a token ends", func(t *testing.T) {
		widgetTokenEnds(t, s.open(t, browser, `data-open="true"`, nil, "Failed to load resource"))
	})
}

func widgetByKeyboard(t *testing.T, b *tab) {
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('#elsewhere').focus()`))
	b.press(false, kb.Tab)
	if got := read[string](b, focused); got != "launch" {
		t.Fatalf("the focus is on %s, want the button", got)
	}
	b.enter()
	b.wait(inside("dialog") + `.open && ` + focused + ` === 'field'`)
	b.do(chromedp.KeyEvent("cancel my order"))
	b.enter()
	b.holds(2)
	b.do(chromedp.KeyEvent("O-12345"))
	b.enter()
	b.holds(4)
	b.wait(inside(".offers") + `.children.length > 1 && ` + inside("#title") + `.textContent === 'shop'`)
	titles := read[[]string](b, `[...`+inside(".offers")+`.children].map((c) => c.textContent)`)
	b.press(false, kb.Shift+kb.Tab)
	for range 6 { // backwards from the field, to the first option
		if read[string](b, inside(".offers")+`.parentNode.querySelector(':focus')?.textContent ?? ''`) == titles[0] {
			break
		}
		b.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
	}
	b.enter()
	b.holds(6)
	got := read[[]string](b, said)
	if got[0] != "user: cancel my order" || got[2] != "user: O-12345" || !strings.HasPrefix(got[3], "agent: Cancel order O-12345") {
		t.Errorf("the log shows %q", got)
	}
	if focus := read[string](b, focused); focus != "field" {
		t.Errorf("after an option the focus is on %s", focus)
	}
	b.press(false, kb.Escape)
	b.wait(`!` + inside("dialog") + `.open && ` + focused + ` === 'launch'`)
	b.wait(inside(".launch") + `.getAttribute('aria-expanded') === 'false'`)
}

func widgetReload(t *testing.T, b *tab) {
	b.push(".launch")
	b.tell("cancel my order", 3)
	b.tell("O-20001", 5)
	b.wait(inside(".offers") + `.children.length > 1`)
	before := read[[]string](b, said)
	options := read[string](b, inside(".offers")+`.textContent`)
	b.do(chromedp.Reload())
	b.wait(`document.querySelector('slotway-chat')`)
	b.holds(5)
	after := read[[]string](b, said)
	if len(after) != 5 || after[0] != "agent: Hello." || after[1] != before[1] || after[2] != before[2] {
		t.Errorf("after a reload the log shows %q, before it %q", after, before)
	}
	if !read[bool](b, inside("dialog")+`.open`) || read[string](b, `document.activeElement.localName`) == "slotway-chat" {
		t.Error("after a reload the panel is closed, or takes the focus")
	}
	b.wait(inside(".offers") + `.textContent === ` + fmt.Sprintf("%q", options))
	b.tell("no", 7)
}

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
	if !read[bool](b, inside(".message:last-child")+`.getAttribute('aria-hidden') === 'true' && `+inside(".log")+`.getAttribute('aria-busy') === 'true'`) {
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

// widgetElsewhere says something without the page, as another tab or a person in the agent's place would.
func widgetElsewhere(t *testing.T, s *site, b *tab) {
	b.tell("cancel my order", 2)
	token := read[string](b, `JSON.parse(Object.entries(localStorage).find(([k]) => k.startsWith('slotway '))[1]).token`)
	post := func(text, id string) {
		t.Helper()
		body, _ := json.Marshal(map[string]string{"text": text, "message_id": id})
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.bot+"/widget/messages", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if text, err := io.ReadAll(res.Body); err != nil || !bytes.Contains(text, []byte("event: done")) {
			t.Fatalf("%s %s: %v", res.Status, text, err)
		}
	}
	post("O-20334", "elsewhere-1")
	b.holds(4) // within a few seconds, and once
	b.tell("no", 6)
	b.press(false, kb.Escape)
	b.wait(`!` + inside("dialog") + `.open`)
	post("how much is shipping", "elsewhere-2")
	b.do(chromedp.Evaluate[chromedp.Void](`dispatchEvent(new Event('online'))`)) // a closed panel looks seldom
	b.wait(inside(".count") + `.checkVisibility() && ` + inside(".count") + `.textContent === '1'`)
	if got := read[string](b, inside(".launch")+`.getAttribute('aria-label')`); got != "Open the chat. New messages: 1" {
		t.Errorf("the button is called %q", got)
	}
	b.push(".launch")
	b.holds(8)
	if read[bool](b, inside(".count")+`.checkVisibility()`) {
		t.Error("what was read is still counted")
	}
}

// hostileText is what an agent could be made to say.
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

func widgetMotion(t *testing.T, b *tab) {
	const running = `document.getAnimations().length + document.querySelector('slotway-chat').shadowRoot.getAnimations().length`
	b.motion("no-preference")
	b.do(chromedp.Evaluate[chromedp.Void](`window.seen = 0; document.querySelector('slotway-chat').shadowRoot.addEventListener('animationstart', () => { window.seen += 1; }); undefined`))
	b.push(".launch")
	b.wait(`window.seen > 0`)
	b.push(".close")
	b.motion("reduce")
	b.do(chromedp.Evaluate[chromedp.Void](`window.seen = 0; undefined`))
	b.push(".launch")
	b.tell("how much is shipping", 2)
	if n := read[int](b, `window.seen + `+running); n != 0 {
		t.Errorf("%d things move although the person asks for none", n)
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

func widgetRefused(t *testing.T, b *tab) {
	b.wait(inside(".note") + `.textContent === 'This chat is not available here.'`)
	b.do(chromedp.Evaluate[chromedp.Void](inside("#field") + `.focus()`))
	b.do(chromedp.KeyEvent("hello"))
	b.enter()
	b.wait(inside(".note button:last-child"))
	b.push(".note button:last-child") // edit
	b.wait(inside("#field") + `.value === 'hello' && ` + said + `.length === 0`)
}

// widgetTokenEnds: a visitor whose token has ended is a new one, and sees nothing of the old conversation.
func widgetTokenEnds(t *testing.T, b *tab) {
	b.tell("cancel my order", 2)
	b.do(chromedp.Evaluate[chromedp.Void](`{ const [k, v] = Object.entries(localStorage).find(([k]) => k.startsWith('slotway ')); localStorage.setItem(k, JSON.stringify({ ...JSON.parse(v), token: 'slotway_visit_AAAA' })); }`))
	b.tell("how much is shipping", 2)
	if got := read[[]string](b, said); !slices.Equal(got, []string{"user: how much is shipping", "agent: Shipping is free from $50; below that it is $5.90."}) {
		t.Errorf("the log shows %q", got)
	}
}

// TestWidgetForEverybody looks at the widget light and dark, on a screen and on a telephone, and in a page
// that is read from right to left.
func TestWidgetForEverybody(t *testing.T) {
	browser := startBrowser(t)
	source := axe(t)
	s := newSite(t)
	b := s.open(t, browser, `data-title="Ask the shop" data-greeting="Hello! What can I do for you?"`, nil)
	report := func(where string) {
		t.Helper()
		b.wait(`true`)
		if found := findings(b, source); len(found) > 0 {
			t.Errorf("%s:\n%s", where, strings.Join(found, "\n"))
		}
	}
	b.prefers("light")
	report("closed")
	b.shot("closed")
	b.push(".launch")
	b.tell("cancel my order", 3)
	b.tell("O-20223", 5)
	b.wait(inside(".offers") + `.children.length > 1`)
	for _, direction := range []string{"ltr", "rtl"} {
		b.do(chromedp.Evaluate[chromedp.Void](`document.documentElement.dir = '` + direction + `'; undefined`))
		for _, size := range [][2]int64{{1280, 900}, {640, 450}, {320, 568}} { // 640: 1280 at 200 %
			b.size(size[0], size[1])
			for _, scheme := range []string{"light", "dark"} {
				b.prefers(scheme)
				where := fmt.Sprintf("%s-%d-%s", direction, size[0], scheme)
				report(where)
				b.shot(where)
				fits(t, b, where)
			}
		}
	}
}

// fits fails the test if a part of the panel is outside the window or hidden by another.
func fits(t *testing.T, b *tab, where string) {
	t.Helper()
	lost := read[[]string](b, `[...document.querySelector('slotway-chat').shadowRoot.querySelectorAll('.panel, .head, .log, form, #field, .send, .close, .offers button')].filter((e) => {
  const r = e.getBoundingClientRect();
  return r.width === 0 || r.left < -0.5 || r.top < -0.5 || r.right > innerWidth + 0.5 || (r.bottom > innerHeight + 0.5 && !e.closest('.offers'));
}).map((e) => e.id || e.className || e.localName)`)
	if len(lost) > 0 {
		t.Errorf("%s: outside the window: %q", where, lost)
	}
	if wide := read[int64](b, `document.scrollingElement.scrollWidth - innerWidth`); wide > 0 {
		t.Errorf("%s: the page is %d pixels too wide", where, wide)
	}
	if h := read[float64](b, inside(".log")+`.clientHeight`); h < 45 {
		t.Errorf("%s: the messages have %.0f pixels", where, h)
	}
}
