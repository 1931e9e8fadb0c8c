package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestGoingBack: a person says something in other words, in a copy of the conversation; takes a turn
// back; and finds both conversations by how they began.
func TestGoingBack(t *testing.T) {
	b := openTab(t, startBrowser(t), studioService(t), nil, "/trace") // a copy has no traces of its first turns
	b.say("where is my order?")
	b.say("O-12345")
	first := read[string](b, `location.hash`)
	b.click(`[aria-label="Edit the message of turn 2"]`)
	b.wait(`location.hash !== '` + first + `' && document.querySelector('#message').value === 'O-12345' && ` + answers + ` === 1`)
	read[bool](b, `document.querySelector('#message').value = '', true`)
	b.say("O-20482")
	if got := b.reply(); got == "" {
		t.Error("the copy does not go on")
	}
	b.click("#actions summary")
	b.do(chromedp.Focus(chromedp.CSS("#do-export")))
	b.press(false, kb.Tab) // to what the menu covers
	b.wait(`!document.querySelector('#actions').open`)
	b.click("#actions summary")
	b.click("#do-undo")
	b.wait(answers + ` === 1`)
	b.click("#tab-sessions")
	b.wait(`document.querySelectorAll('.sessions .open').length === 2`)
	if got := read[string](b, `[...document.querySelectorAll('.sessions .open strong')].map((e) => e.textContent).join('; ')`); got != "where is my order?; where is my order?" {
		t.Errorf("the conversations are %q", got)
	}
	b.shows(`.sessions .open[aria-current]`, "waits for")
}
