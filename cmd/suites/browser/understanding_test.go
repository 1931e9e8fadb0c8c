package browser

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chromedp/chromedp"
)

// accounted gives every turn the same interpretation: two rules chosen, one runner-up, and two
// leftovers, one of which is markup.
func accounted(next http.Handler) http.Handler {
	reading := func(rule, intent string, score float64, spans ...any) map[string]any {
		return map[string]any{"rule": rule, "intent": intent, "score": score, "evidence": 0.95, "share": 0.6, "spans": append([]any{}, spans...)}
	}
	span := func(start, end int) any { return map[string]any{"start": start, "end": end} }
	left := []any{map[string]any{"text": "for my <b>mother</b>", "told": false}, map[string]any{"text": "O-20223", "told": true, "param": "order_id"}}
	return rewriting(next, func(path string, body []byte) []byte {
		var doc map[string]any
		if strings.HasPrefix(path, "/studio") || json.Unmarshal(body, &doc) != nil {
			return body
		}
		events, _ := doc["events"].([]any)
		turns, _ := doc["turns"].([]any)
		switch {
		case strings.HasSuffix(path, "/turns"):
			for _, turn := range turns {
				turn.(map[string]any)["unheard"] = left
			}
		case strings.HasSuffix(path, "/trace"):
			for _, e := range events {
				if e := e.(map[string]any); e["stage"] == "classify" {
					p := e["payload"].(map[string]any)
					p["chosen"] = []any{reading("a task that is named", "cancel_order", 0.91, span(0, 6), span(10, 15)), reading("courtesy", "", 0.5, span(2, 4))}
					p["runners_up"], p["unheard"] = []any{reading("a change of what is known", "change_address", 0.32)}, 2
				}
			}
		default:
			return body
		}
		out, _ := json.Marshal(doc)
		return out
	})
}

// offered returns the texts of the buttons.
func (b *tab) offered() []string {
	b.t.Helper()
	return read[[]string](b, `[...document.querySelectorAll('#options:not([hidden]) button')].map((e) => e.textContent)`)
}

func takenAndOffered(t *testing.T, b *tab) {
	b.prefers("light")
	b.say("cancel my order")
	if got := b.offered(); len(got) != 0 {
		t.Errorf("an order number is asked for, and offered are %q", got)
	}
	b.shows("#taken", "a task that is named cancel_order")
	b.shows("#taken", "evidence 0.95, explains 60 %")
	b.shows("#taken", "a change of what is known change_address")
	b.shows("#taken .left", "for my <b>mother</b>")
	b.shows("#taken .left", "not told")
	b.shows("#steps", "taken by a task that is named, courtesy, 2 left over")
	b.shows("#taken", "Reveal values to see what each rule explains.")
	b.click("#reveal")
	b.shows("#taken .said", "cancel my order")
	if got := read[[]string](b, `[...document.querySelectorAll('#taken mark')].map((e) => e.dataset.rule + ': ' + e.textContent)`); !cmp.Equal(got, []string{"a task that is named: cancel", "a task that is named: order"}) {
		t.Errorf("what the rules explain is marked as %q", got)
	}
	b.click("#reveal")
	b.wait(`document.querySelectorAll('#taken mark').length === 0`)
	b.size(1280, 1500)
	b.say("O-12345")
	b.wait(`document.querySelectorAll('#options button').length === 2`)
	if got := b.offered(); !cmp.Equal(got, []string{"Yes", "No"}) {
		t.Errorf("offered are %q", got)
	}
	b.click("#reveal")
	b.shows("#taken .said", "O-12345")
	for _, theme := range []string{"light", "dark"} {
		b.prefers(theme)
		b.picture("1280-" + theme + "-taken")
		contrast(t, b)
	}
	b.prefers("light")

	// What was typed stays; the offer is said, and is gone then. It outlives a reload.
	b.write("#message", "and then")
	b.do(chromedp.Reload())
	b.settle(2)
	b.wait(`document.querySelectorAll('#options button').length === 2`)
	if n := read[int](b, `document.querySelectorAll('#taken mark').length`); n != 0 {
		t.Errorf("%d stretches are marked in a message that is masked", n)
	}
	b.do(chromedp.Click(chromedp.CSS("#options button:nth-child(2)")))
	b.settle(3)
	b.wait(`document.querySelector('#options').hidden`)
	said := read[string](b, `[...document.querySelectorAll('#log .message.user .text')].at(-1).textContent`)
	if typed := read[string](b, `document.querySelector('#message').value`); said != "no" || typed != "and then" {
		t.Errorf("said %q, and typed is %q", said, typed)
	}
	if focused := read[string](b, `document.activeElement.id`); focused != "message" {
		t.Errorf("the focus is on %q", focused)
	}
	b.size(360, 740)
	b.click("#tab-chat")
	b.picture("360-light-offered")
}
