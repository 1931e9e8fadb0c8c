package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

// TestStudio uses the studio in a browser as people do.
func TestStudio(t *testing.T) {
	browser := startBrowser(t)
	service := studioService(t)
	open := func(t *testing.T, wrap middleware, tolerated ...string) *tab {
		return openTab(t, browser, service, wrap, tolerated...)
	}
	t.Run("an order is looked up", func(t *testing.T) { orderLookup(t, open(t, nil)) })
	t.Run("a reload before the yes", func(t *testing.T) { reloadInTheMiddle(t, open(t, nil)) })
	t.Run("by keyboard alone", func(t *testing.T) { keyboardAlone(t, open(t, nil)) })
	t.Run("on a telephone", func(t *testing.T) { onATelephone(t, open(t, nil)) })
	t.Run("conversations", func(t *testing.T) { pastConversations(t, open(t, nil, "Failed to load resource")) })
	t.Run("a long one", func(t *testing.T) { longConversation(t, open(t, nil, "/trace?")) })
	t.Run("the flow of a task", func(t *testing.T) { flowOfATask(t, open(t, nil)) })
	t.Run("options by keyboard", func(t *testing.T) { chipsByKeyboard(t, open(t, nil)) })
	t.Run("live", func(t *testing.T) { liveTelemetry(t, open(t, nil)) })
	t.Run("how it was taken", func(t *testing.T) { takenAndOffered(t, open(t, accounted)) })
	t.Run("markup is text", func(t *testing.T) { markupIsText(t, open(t, markup)) })
	t.Run("an unknown machine", func(t *testing.T) { unknownMachine(t, open(t, otherMachine)) })
	t.Run("no trace is left", func(t *testing.T) { noTrace(t, open(t, forgetful, "Failed to load resource")) })
	t.Run("answers get lost", func(t *testing.T) {
		lost := &losing{seen: map[string]int{}}
		answersGetLost(t, open(t, lost.wrap, "Failed to load resource"), lost)
	})
	t.Run("it went on elsewhere", func(t *testing.T) { wentOnElsewhere(t, open(t, deaf, "Failed to load resource")) })
	t.Run("typed ahead of a question", func(t *testing.T) {
		held := &holding{release: make(chan struct{})}
		typedAhead(t, open(t, held.wrap), held)
	})
	t.Run("a key is asked for", func(t *testing.T) { keyIsAskedFor(t, open(t, locked, "Failed to load resource")) })
}

func orderLookup(t *testing.T, b *tab) {
	b.prefers("light")
	b.shows("#log", "Say something to shop")
	b.picture("1280-light-empty")
	b.shows("#log", "cancel an order")
	b.do(chromedp.Click(chromedp.CSS(".welcome li button"))) // i want to check my order
	b.settle(1)
	if got := b.reply(); got != "What's your order number?" {
		t.Errorf("reply %q", got)
	}
	b.shows("#state", "order_id order number")
	wantWay(t, b, "idle → received → classified → planned → asking → waiting")
	b.say("It's O-12345")
	if got := b.reply(); !strings.Contains(got, "O-12345, wool blanket, is pending") {
		t.Errorf("reply %q", got)
	}
	b.shows("#state tr[data-param=order_id] .masked", "order_id")
	b.shows("#why .found", "order_id by pattern, characters 6 to 12")
	b.shows("#why .verdict", "decided by linear")
	b.shows("#why", "The turn went on with order_status: order_id was awaited")
	b.shows("#steps", "find_orders ok")
	if n := read[int](b, `document.querySelectorAll('#why mark').length`); n != 0 {
		t.Errorf("%d values are marked although they are masked", n)
	}
	wantWay(t, b, "waiting → received → classified → planned → calling → planned → calling → planned → responding → planned → responding → planned → responding → responded")
	if got := read[string](b, `document.querySelector('.badge[data-of="calling>planned"] text').textContent`); got != "5·7" {
		t.Errorf("the steps from calling to planned are numbered %q", got)
	}

	b.click("#reveal")
	b.shows("#state tr[data-param=order_id] .value", "O-12345")
	b.shows("#why .said mark", "O-12345")
	if got := b.text("#why .said"); got != "It's O-12345" {
		t.Errorf("the message reads %q", got)
	}
	b.picture("1280-light")
	b.prefers("dark")
	b.picture("1280-dark")
	contrast(t, b)
	b.prefers("light")
	contrast(t, b)

	b.click("#previous")
	b.shows("#turn-title", "Turn 1 of 2")
	b.shows("#state .waits", "order_id")
	b.shows("#state", "No param has a value")
	wantWay(t, b, "idle → received → classified → planned → asking → waiting")
	if got := read[[]string](b, `[...document.querySelectorAll('#log .chosen')].map((e) => e.dataset.turn)`); !cmp.Equal(got, []string{"1", "1"}) {
		t.Errorf("messages of turn 1 that stand out: %q", got)
	}
	b.picture("1280-light-scrubbed")
	contrast(t, b)
	b.click("#newest")
	b.shows("#turn-title", "Turn 2 of 2")
	b.click("#reveal")
	b.shows("#state tr[data-param=order_id] .masked", "order_id")
	b.click("#tab-memory")
	b.shows("#panel-memory", "Recent window")
	b.shows("#panel-memory", "i want to check my order")
	b.picture("1280-light-memory")
}

func wantWay(t *testing.T, b *tab, want string) {
	t.Helper()
	b.shows(".way", want[strings.LastIndex(want, " ")+1:])
	b.wait(fmt.Sprintf(`document.querySelector('.way')?.textContent.endsWith(%q)`, ": "+want))
	states := strings.Split(want, " → ")
	if got := read[string](b, `document.querySelector('.state.last').dataset.state`); got != states[len(states)-1] {
		t.Errorf("the last state is %s, want %s", got, states[len(states)-1])
	}
}

func reloadInTheMiddle(t *testing.T, b *tab) {
	b.say("cancel my order")
	b.say("O-20223")
	if got := b.reply(); !strings.HasPrefix(got, "Cancel order O-20223") {
		t.Fatalf("reply %q", got)
	}
	b.shows("#state .waits", "a yes or no before cancel_order is called")
	b.shows("#why", "The turn went on with cancel_order: order_id was awaited")
	b.picture("1280-light-confirming")
	b.prefers("dark")
	b.picture("1280-dark-confirming")
	b.prefers("light")
	b.size(1280, 1500)
	b.picture("1280-light-confirming-whole")
	b.size(1280, 900)
	before := b.text("#state .waits")
	where := read[string](b, `location.href`)
	b.write("#message", "ye")

	b.do(chromedp.Reload())
	b.settle(2)
	if got := read[string](b, `location.href`); got != where || !strings.Contains(got, "#s=") {
		t.Errorf("the page was at %s and is at %s", where, got)
	}
	b.shows("#state .waits", before)
	b.shows("#turn-title", "Turn 2 of 2")
	if got := read[string](b, `document.querySelector('#message').value`); got != "ye" {
		t.Errorf("what was being written is %q", got)
	}
	if got := b.reply(); !strings.HasPrefix(got, "Cancel order order_id") {
		t.Errorf("read back without revealing, the reply is %q", got)
	}
	b.write("#message", "s")
	b.enter()
	b.settle(3)
	if got := b.reply(); got != "Done: order O-20223 is cancelled." {
		t.Errorf("reply %q", got)
	}
	b.shows("#steps", "cancel_order ok, writes")
	b.click("#new")
	b.shows("#log", "Say something to shop")
	b.do(chromedp.NavigateBack())
	b.settle(3)
}

func keyboardAlone(t *testing.T, b *tab) {
	focused := func() string {
		return read[string](b, `document.activeElement.id || document.activeElement.textContent.trim()`)
	}
	want := func(id string) {
		t.Helper()
		if got := focused(); got != id {
			t.Errorf("the focus is on %q, want %q", got, id)
		}
	}
	b.press(false, kb.Tab)
	want("skip")
	b.enter()
	want("message")
	if got := read[string](b, `location.hash`); got != "" {
		t.Errorf("the fragment is %q", got)
	}
	for i, text := range []string{"how much is shipping", "where is my order"} {
		b.do(chromedp.KeyEvent(text))
		b.enter()
		b.settle(i + 1)
	}
	want("message")
	b.press(true, "l")
	want("tab-live")
	b.press(false, kb.ArrowLeft, kb.ArrowLeft, kb.ArrowLeft)
	want("tab-turn")
	b.press(false, kb.Tab, kb.Tab, kb.Tab)
	want("scrub")
	b.press(false, kb.ArrowLeft)
	b.shows("#turn-title", "Turn 1 of 2")
	if got := read[string](b, `document.activeElement.getAttribute('aria-valuetext')`); got != "Turn 1: shipping_cost, responded" {
		t.Errorf("the timeline says %q", got)
	}
	b.press(true, ".")
	b.shows("#turn-title", "Turn 2 of 2")
	b.press(true, "r")
	b.wait(`document.querySelector('#reveal').getAttribute('aria-pressed') === 'true'`)
	b.press(true, "k")
	b.shows("dialog", "begin a new conversation")
	b.picture("1280-shortcuts")
	b.press(false, kb.Escape)
	b.wait(`!document.querySelector('dialog')`)
	want("scrub")
	b.press(true, "n")
	b.shows("#log", "Say something to shop")
	want("message")
	visible := read[bool](b, `(() => { const s = getComputedStyle(document.activeElement); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2; })()`)
	if !visible {
		t.Error("what has the focus does not look different")
	}
	nameless := read[[]string](b, `[...document.querySelectorAll('button, input, select, textarea')].filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).map((e) => e.outerHTML)`)
	if len(nameless) > 0 {
		t.Errorf("without a name: %q", nameless)
	}
}

func onATelephone(t *testing.T, b *tab) {
	b.size(390, 844)
	b.wait(`getComputedStyle(document.querySelector('#tab-chat')).display !== 'none'`)
	b.prefers("light")
	b.click("#tab-chat")
	b.say("where is O-20112")
	narrow := func(view string) {
		t.Helper()
		if wide := read[int](b, `document.scrollingElement.scrollWidth`); wide > 390 {
			t.Errorf("%s is %d pixels wide", view, wide)
		}
		// Nothing is cut off at the right, other than what scrolls by itself.
		out := read[[]string](b, `[...document.querySelectorAll('main *')].filter((e) => e.checkVisibility() && !e.closest('svg, .hidden, .scroll, .flow-box, .tabs') && e.getBoundingClientRect().right > 390.5).map((e) => e.tagName + '.' + e.className)`)
		if len(out) > 0 {
			t.Errorf("%s: beyond the edge: %q", view, out)
		}
	}
	for _, view := range []string{"chat", "turn", "agent", "memory", "live", "sessions", "report"} {
		b.click("#tab-" + view)
		b.wait(fmt.Sprintf(`document.querySelector('#panel-%s').checkVisibility()`, view))
		if view == "sessions" {
			b.wait(`document.querySelector('.sessions li')`)
			if wide := read[float64](b, `document.querySelector('.sessions .open').getBoundingClientRect().width`); wide < 300 {
				t.Errorf("a conversation has %v pixels beside its buttons", wide)
			}
		}
		if n := read[int](b, `[...document.querySelectorAll('.chat, .panel')].filter((e) => e.checkVisibility()).length`); n != 1 {
			t.Errorf("%d views are shown at once", n)
		}
		narrow(view)
		b.picture("390-light-" + view)
	}
	b.prefers("dark")
	for _, view := range []string{"chat", "turn"} {
		b.click("#tab-" + view)
		b.wait(fmt.Sprintf(`document.querySelector('#panel-%s').checkVisibility()`, view))
		b.picture("390-dark-" + view)
		contrast(t, b)
	}
	b.click("#theme") // light, whatever the system says
	if got := read[string](b, `getComputedStyle(document.body).backgroundColor`); got != "rgb(246, 246, 242)" {
		t.Errorf("the background of the light theme is %s", got)
	}
}

func pastConversations(t *testing.T, b *tab) {
	b.say("where is my order")
	first := read[string](b, `location.hash`)
	b.click("#tab-sessions")
	row := fmt.Sprintf(`li[data-session="%s"]`, strings.TrimPrefix(first, "#s="))
	b.do(chromedp.WaitVisible(chromedp.CSS(row)))
	b.picture("1280-sessions")
	b.click(row + ` button[aria-label^="Rename"]`)
	b.write(row+" input", "The lost parcel")
	b.enter()
	b.shows(row, "The lost parcel")
	b.click("#new")
	b.say("how much is shipping")
	if second := read[string](b, `location.hash`); second == first {
		t.Error("a new conversation has the old one's id")
	}
	b.write("#find", "lost PARCEL")
	b.wait(`document.querySelectorAll('.sessions li').length === 1`)
	b.click(row + " .open")
	b.settle(1)
	if got := b.reply(); got != "What's your order number?" {
		t.Errorf("the conversation that was opened ends with %q", got)
	}
	b.click(row + ` button[aria-label^="Delete"]`)
	b.shows("dialog", "erased")
	b.enter() // the focus is on the harmless one
	b.wait(`!document.querySelector('dialog')`)
	b.do(chromedp.WaitVisible(chromedp.CSS(row)))
	b.click(row + ` button[aria-label^="Delete"]`)
	b.click("dialog .danger")
	b.shows("#panel-sessions", "No conversation is called that.")
	b.shows("#log", "Say something to shop")
	b.do(chromedp.NavigateBack())
	b.shows("#log", "There is no such conversation.")
}

func longConversation(t *testing.T, b *tab) {
	const turns = 105 // more messages than are read at once
	for i := range turns {
		b.post(fmt.Sprintf(`{"message":"how much is shipping","conversation_id":"long","message_id":"m%d"}`, i))
	}
	b.do(chromedp.Evaluate[chromedp.Void](`location.hash = 's=long'`))
	b.settle(100)
	b.shows("#turn-title", "Turn 105 of 105")
	b.click(".earlier")
	b.settle(turns)
	b.wait(`!document.querySelector('.earlier')`)
	b.click("#log .link-button") // of the first message
	b.shows("#turn-title", "Turn 1 of 105")
}

func liveTelemetry(t *testing.T, b *tab) {
	b.shows("#link", "live")
	b.click("#tab-live")
	b.say("how much is shipping")
	b.shows("#panel-live .lines", "shipping_cost")
	b.picture("1280-live")
	b.do(chromedp.SetValue(chromedp.CSS("#stage"), "respond"), chromedp.Evaluate[chromedp.Void](`document.querySelector('#stage').dispatchEvent(new Event('change'))`))
	b.wait(`[...document.querySelectorAll('.lines .stage')].every((e) => e.textContent === 'respond')`)
	n := read[int](b, `document.querySelectorAll('.lines li').length`)
	b.click("#pause")
	b.say("is shipping free")
	b.shows("#panel-live", "new since the pause")
	if got := read[int](b, `document.querySelectorAll('.lines li').length`); got != n {
		t.Errorf("%d lines, then %d although the list pauses", n, got)
	}
	b.click("#pause")
	b.wait(fmt.Sprintf(`document.querySelectorAll('.lines li').length === %d`, n+1))
	// What is said elsewhere shows up here.
	session := strings.TrimPrefix(read[string](b, `location.hash`), "#s=")
	b.post(`{"message":"do you charge for delivery","conversation_id":"` + session + `"}`)
	b.settle(3)
	b.shows("#log", "do you charge for delivery")
}

// contrast fails the test if a text on the page has less contrast than WCAG 2.2 AA requires: 4.5:1,
// whatever its size.
func contrast(t *testing.T, b *tab) {
	t.Helper()
	poor := read[[]string](b, `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (e) => { for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; } return [255, 255, 255]; };
  const poor = [];
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.checkVisibility({ opacityProperty: true }) || e.closest('svg, .hidden, :disabled, [aria-disabled=true], option')) continue;
    const s = getComputedStyle(e);
    const [a, c] = [light(rgba(s.color)), light(behind(e))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (c + 0.05);
    if (ratio < 4.5) poor.push(e.tagName + '.' + e.className + ' ' + e.textContent.trim().slice(0, 30) + ' ' + ratio.toFixed(2));
  }
  return poor;
})()`)
	if len(poor) > 0 {
		t.Errorf("too little contrast: %q", poor)
	}
}
