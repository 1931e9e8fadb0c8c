package browser

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/slotway/slotway/scripts/harness"
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

// TestWidgetOfAKnownUser: a website gives the widget the credential of its own user, and words of its own.
// The service lets no visitors in.
func TestWidgetOfAKnownUser(t *testing.T) {
	browser := startBrowser(t)
	file := filepath.Join(t.TempDir(), "keys.yaml")
	const key = "slotway_of-alice"
	if err := os.WriteFile(file, fmt.Appendf(nil, "keys:\n- {name: web, hash: \"sha256:%x\", user: alice, scopes: [chat]}\n", sha256.Sum256([]byte(key))), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newSite(t, harness.SetFlags("server.auth.keys_file="+file)...)
	stranger := s.open(t, browser, "data-open", nil, "Failed to load resource")
	stranger.wait(inside(".note") + `.textContent === 'This chat is not available here.'`)
	script := fmt.Sprintf(`window.asked = 0; window.slotway = { words: { message: 'Ihre Nachricht' }, token: async () => (window.asked++ === 0 ? 'slotway_old' : %q) };`, key)
	b := s.openWith(t, browser, script, `data-open data-lang="de"`, nil, "Failed to load resource")
	b.tell("how much is shipping", 2)
	if n := read[int](b, `window.asked`); n != 2 {
		t.Errorf("the page was asked for a token %d times, want 2", n)
	}
	if got := read[string](b, inside("#field")+`.placeholder + ' ' + document.querySelector('slotway-chat').lang + ' ' + JSON.stringify({...localStorage})`); !strings.HasPrefix(got, "Ihre Nachricht de ") || strings.Contains(got, "slotway_") {
		t.Errorf("the field, its language and what is kept: %s", got)
	}
	again := s.openWith(t, browser, script, "data-open", nil, "Failed to load resource") // as on another machine
	again.holds(2)
}

// TestWidgetOfAPerson: a person takes the conversation over, answers in it and gives it back.
func TestWidgetOfAPerson(t *testing.T) {
	browser := startBrowser(t)
	file := filepath.Join(t.TempDir(), "keys.yaml")
	const key = "slotway_of-the-desk"
	if err := os.WriteFile(file, fmt.Appendf(nil, "keys:\n- {name: desk, hash: \"sha256:%x\", service: true, scopes: [read, handoff]}\n", sha256.Sum256([]byte(key))), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newSite(t, harness.SetFlags("server.auth.keys_file="+file, "server.widget.visitors=true")...)
	b := s.open(t, browser, "data-open", nil)
	b.tell("cancel my order", 2)
	b.tell("O-20223", 4)
	b.wait(inside(".offers") + `.children.length > 1`)
	token := read[string](b, `JSON.parse(Object.entries(localStorage).find(([k]) => k.startsWith('slotway '))[1]).token`)
	user, session := visitorOf(t, s, token)
	act := func(body string) {
		t.Helper()
		ask(t, http.MethodPost, s.bot+"/v1/sessions/"+url.PathEscape(session)+"/handoff", body, key, user)
	}
	act(`{"action": "take", "by": "Ann", "message_id": "1"}`)
	b.wait(inside(".who") + `.textContent === 'You are talking to Ann.' && ` + inside(".offers") + `.hidden`)
	b.tell("is it really mine?", 5)
	act(`{"action": "answer", "text": "It is.", "message_id": "2"}`)
	b.holds(6)
	b.wait(inside(".message b") + `.textContent === 'Ann'`)
	b.shot("person")
	b.do(chromedp.Reload())
	b.wait(`document.querySelector('slotway-chat')`)
	b.holds(6)
	b.wait(inside(".who") + `.textContent === 'You are talking to Ann.' && ` + inside(".message b") + `.textContent === 'Ann'`)
	act(`{"action": "give_back", "message_id": "3"}`)
	b.holds(7)
	b.wait(inside(".who") + `.hidden && ` + inside(".offers") + `.children.length > 1`)
	if got := read[[]string](b, said); !strings.Contains(got[6], "Cancel order O-20223") {
		t.Errorf("the question is put again as %q", got[6])
	}
}

// visitorOf returns the user and the session of a visitor's token.
func visitorOf(t *testing.T, s *site, token string) (user, session string) {
	t.Helper()
	var view struct {
		ID string `json:"conversation_id"`
	}
	if err := json.Unmarshal(ask(t, http.MethodGet, s.bot+"/widget/messages", "", token, ""), &view); err != nil {
		t.Fatal(err)
	}
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(token, "slotway_visit_"))
	if err != nil || len(raw) < 16 {
		t.Fatalf("the token of a visitor: %v", err)
	}
	return "web/" + base64.RawURLEncoding.EncodeToString(raw[:16]), view.ID
}

// ask sends a request with a key, for a user, and returns the answer.
func ask(t *testing.T, method, address, body, key, user string) []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if user != "" {
		req.Header.Set("X-User-Id", user)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %s %s %v", method, address, res.Status, text, err)
	}
	return text
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
