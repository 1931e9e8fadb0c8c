package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

// marked is an expression for the nodes of the flow with a mark, by their texts.
func marked(mark string) string {
	return fmt.Sprintf(`[...document.querySelectorAll('#flow [data-mark=%s]')].map((g) => [...g.querySelectorAll('text.text')].map((t) => t.textContent).join(' '))`, mark)
}

func wantMarked(t *testing.T, b *tab, mark string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), read[[]string](b, marked(mark))); diff != "" {
		t.Errorf("%s (-want +got)\n%s", mark, diff)
	}
}

func flowOfATask(t *testing.T, b *tab) {
	b.prefers("light")
	b.click("#tab-agent")
	b.shows("#flow-about", "No task is under way")
	b.wait(`!document.querySelector('.flow-legend').checkVisibility() && !document.querySelector('#flow-params').checkVisibility()`)
	b.picture("1280-light-agent-empty")

	// A sentence of a task goes into the field, by keyboard, and is not sent.
	b.do(chromedp.Focus(chromedp.CSS(`.skill[data-intent=cancel_order]`)))
	b.enter()
	b.wait(`document.activeElement.id === 'message' && document.querySelector('#message').value === 'i want to cancel an order'`)
	b.enter()
	b.settle(1)
	b.wait(`document.querySelector('#flow [data-mark=now]')?.dataset.param === 'order_id'`)
	wantMarked(t, b, "done", "cancel an order", "one of these is enough")
	wantMarked(t, b, "next", "order_id == nil")
	b.shows("#flow-params tr[data-param=order_id]", "asked now")
	b.shows("#flow-params tr[data-param=zip]", "open")

	// The picture follows the conversation as turns come.
	b.say("O-20889")
	b.wait(`document.querySelector('#flow [data-mark=now]')?.classList.contains('confirm')`)
	wantMarked(t, b, "done", "cancel an order", "one of these is enough", "order number", "order_id == nil", "get_order", `order.status == "shipped"`, `order.status == "delivered"`, `order.status in ["cancelled", "returned"]`)
	wantMarked(t, b, "next", "cancel_kept", "cancel_order")
	b.shows("#flow-params tr[data-param=order_id] .masked", "order_id")
	b.shows("#flow-words", "Stands at: Cancel order {order_id}")
	if at := read[float64](b, `(() => { const box = document.querySelector('#flow').getBoundingClientRect(), now = document.querySelector('#flow [data-mark=now]').getBoundingClientRect(); return Math.min(now.top - box.top, box.bottom - now.bottom); })()`); at < 0 {
		t.Errorf("the node at which the task stands is %v pixels out of sight", -at)
	}
	b.picture("1280-light-agent")
	contrast(t, b)
	b.prefers("dark")
	b.picture("1280-dark-agent")
	contrast(t, b)
	flowContrast(t, b)
	b.prefers("light")
	flowContrast(t, b)

	// An earlier turn is lit as it was.
	b.press(true, ",")
	b.wait(`document.querySelector('#flow [data-mark=now]')?.dataset.param === 'order_id'`)
	b.press(true, ".")
	b.wait(`document.querySelector('#flow [data-mark=now]')?.classList.contains('confirm')`)

	// What ended is lit to its end, and the way that was not taken is not.
	b.say("no")
	b.wait(`document.querySelector('#flow [data-mark=done].ends')`)
	if got := read[[]string](b, marked("done")); got[len(got)-1] != "cancel_kept" {
		t.Errorf("a no ends at %q", got)
	}
	wantMarked(t, b, "now")
	unbroken(t, b)
	if got := read[[]string](b, marked("done")); !slices.ContainsFunc(got, func(text string) bool { return strings.HasPrefix(text, "Cancel order {order_id}") }) {
		t.Errorf("the confirmation that was answered is not among %q", got)
	}

	// So is a task that one message begins and ends, whose params no state has held.
	b.say("where is my order O-20482")
	b.wait(`document.querySelector('#flow [data-mark=done].ends text.text')?.textContent === 'order_status'`)
	b.shows("#flow-params tr[data-param=order_id]", "filled")
	unbroken(t, b)

	// Any other task can be looked at.
	b.do(chromedp.SetValue(chromedp.CSS("#flow-intent"), "return_order"), chromedp.Evaluate[chromedp.Void](`document.querySelector('#flow-intent').dispatchEvent(new Event('change'))`))
	b.shows("#flow-words", "This task is not under way")
	wantMarked(t, b, "done")
	apart := read[[]string](b, overlapping)
	if len(apart) > 0 {
		t.Errorf("texts that lie on each other, or outside of their boxes: %q", apart)
	}

	b.size(390, 844)
	b.click("#tab-agent")
	if wide := read[int](b, `document.scrollingElement.scrollWidth`); wide > 390 {
		t.Errorf("the page is %d pixels wide", wide)
	}
	b.picture("390-light-agent")
	b.prefers("dark")
	b.picture("390-dark-agent")
	b.click(`.skill[data-intent=order_status]`)
	b.wait(`document.querySelector('#panel-chat').checkVisibility() && document.querySelector('#message').value === 'i want to check my order'`)
}

// unbroken fails the test if a lit node of the flow, other than the first, is reached by no lit edge.
func unbroken(t *testing.T, b *tab) {
	t.Helper()
	nodes := read[int](b, `document.querySelectorAll('#flow [data-mark=done]').length`)
	if edges := read[int](b, `document.querySelectorAll('#flow .edge.taken').length`); edges < nodes-1 {
		t.Errorf("%d lit edges between %d lit nodes: %q", edges, nodes, read[[]string](b, marked("done")))
	}
}

// overlapping lists texts of the flow that lie on another node's box or label, or outside of their own.
const overlapping = `(() => {
  const out = [], boxes = [...document.querySelectorAll('#flow .node, #flow .label')].map((g) => ({ g, r: g.querySelector('.border, rect').getBoundingClientRect() }));
  const name = (g) => [...g.querySelectorAll('text')].map((t) => t.textContent).join(' ');
  for (const { g, r } of boxes) {
    for (const t of g.querySelectorAll('text')) {
      const q = t.getBoundingClientRect();
      if (q.left < r.left - 1 || q.right > r.right + 1 || q.top < r.top - 2 || q.bottom > r.bottom + 2) out.push('outside: ' + t.textContent);
    }
    for (const o of boxes) {
      if (o.g !== g && r.left < o.r.right && o.r.left < r.right && r.top < o.r.bottom && o.r.top < r.bottom) out.push(name(g) + ' on ' + name(o.g));
    }
  }
  return out;
})()`

// flowContrast fails the test if a text of the picture has less contrast than 4.5:1 with its box.
func flowContrast(t *testing.T, b *tab) {
	t.Helper()
	poor := read[[]string](b, `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  return [...document.querySelectorAll('#flow text')].flatMap((e) => {
    const [a, c] = [light(rgb(getComputedStyle(e).fill)), light(rgb(getComputedStyle(e.parentElement.querySelector('.border, rect')).fill))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (c + 0.05);
    return ratio < 4.5 ? [e.textContent + ' ' + ratio.toFixed(2)] : [];
  });
})()`)
	if len(poor) > 0 {
		t.Errorf("too little contrast in the picture: %q", poor)
	}
}

// chipsByKeyboard answers a question with the offered options, by keyboard alone.
func chipsByKeyboard(t *testing.T, b *tab) {
	b.say("cancel my order")
	b.say("O-20482")
	b.wait(`document.querySelectorAll('#options .option').length > 0`)
	b.picture("1280-light-chips")
	names := read[[]string](b, `[...document.querySelectorAll('#options .option')].map((e) => e.textContent)`)
	if len(names) < 2 || !strings.EqualFold(names[0], "yes") {
		t.Errorf("the options of a confirmation are %q", names)
	}
	// From the message field one step back in the order of focus is the last option.
	b.do(chromedp.Focus(chromedp.CSS("#message")))
	b.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
	if got := read[string](b, `document.activeElement.textContent`); got != names[len(names)-1] {
		t.Errorf("the focus is on %q", got)
	}
	for range len(names) - 1 {
		b.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
	}
	b.enter()
	b.settle(3)
	if got := b.reply(); got != "Done: order O-20482 is cancelled." {
		t.Errorf("reply %q", got)
	}
	b.wait(`document.querySelector('#options').hidden && document.activeElement.id === 'message'`)
}
