package browser

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReport looks at the report after a conversation, in both themes and on a telephone. It counts, so
// it has a service of its own.
func TestReport(t *testing.T) {
	b := openTab(t, startBrowser(t), studioService(t), nil)
	b.prefers("light")
	b.press(true, "p")
	b.shows("#report", "No task was begun.")
	for _, text := range []string{"I want to check my order", "It's O-12345", "cancel it", "no wait, O-20038 instead", "how much is shipping?", "yes", "blorg the fnord O-20149"} {
		b.say(text)
	}
	b.click("#report .head button")
	b.shows("#report", "1 conversation, 7 turns.")
	b.shows("#report", "order_status · 2 turns in all")
	if got := read[[]string](b, `[...document.querySelector('#report table').querySelectorAll('tbody th')].map((e) => e.textContent)`); !cmp.Equal(got, []string{"cancel_order", "order_status", "shipping_cost"}) {
		t.Errorf("the tasks are %q", got)
	}
	b.shows("#report .groups", "{order_id}")
	if text := b.text("#report"); strings.Contains(text, "20149") || strings.Contains(text, "12345") {
		t.Errorf("a value is shown:\n%s", text)
	}
	if n := read[int](b, `document.querySelectorAll('#report table:not(:has(caption)), #report th:not([scope])').length`); n != 0 {
		t.Errorf("%d tables without a caption or heads without a scope", n)
	}
	b.size(1280, 1500)
	b.picture("1280-light-report")
	contrast(t, b)
	b.prefers("dark")
	b.picture("1280-dark-report")
	contrast(t, b)
	b.size(390, 844)
	b.prefers("light")
	b.click("#tab-report")
	b.picture("390-light-report")
	if wide := read[int](b, `document.documentElement.scrollWidth`); wide > 390 {
		t.Errorf("the page is %d pixels wide", wide)
	}
}
