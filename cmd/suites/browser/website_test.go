package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestWebsite: the studio shows the lines that put the widget on a website, and the widget itself, under its
// own strict policy.
func TestWebsite(t *testing.T) {
	browser := startBrowser(t)
	b := openTab(t, browser, studioService(t), nil)
	b.prefers("light")
	b.click("#tab-website")
	b.wait(`document.querySelector('slotway-chat')?.shadowRoot.querySelector('dialog').open`)
	if !read[bool](b, `document.querySelector('#panel-website').scrollTop === 0 && document.activeElement.id === 'tab-website'`) {
		t.Error("the preview takes the focus")
	}
	b.picture("1280-light-website-top")
	base := strings.TrimSuffix(b.address, "/studio")
	b.wait(`document.querySelector('slotway-chat')?.shadowRoot.querySelector('dialog').open`)
	b.shows("#panel-website", fmt.Sprintf(`<script src="%s/widget.js" defer></script>`, base))
	b.shows("#panel-website", "script-src "+base+"; connect-src "+base)
	b.shows("#panel-website", "Visitors without a key may talk.")
	b.shows("#panel-website", "Pages of no other origin may show the chat yet.")
	b.write("#website-title", `Ask "us" <b>`)
	b.shows("#panel-website", `defer data-title="Ask &quot;us&quot; &lt;b>"`)
	b.wait(inside("#title") + `?.textContent === 'Ask "us" <b>'`)
	b.tell("how much is shipping", 2)
	if got := read[[]string](b, said); !strings.HasPrefix(got[1], "agent: Shipping is free") {
		t.Errorf("the preview shows %q", got)
	}
	// It is inside of its stage, and not over the studio.
	if !read[bool](b, `(() => { const s = document.querySelector('.stage').getBoundingClientRect(), p = `+inside("dialog")+`.getBoundingClientRect(); return p.left >= s.left && p.top >= s.top && p.right <= s.right && p.bottom <= s.bottom; })()`) {
		t.Error("the preview is outside of its place")
	}
	b.picture("1280-light-website")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('.stage').scrollIntoView()`))
	b.picture("1280-light-website-preview")
	b.prefers("dark")
	b.picture("1280-dark-website-preview")
	b.click("#tab-agent")
	b.wait(`document.querySelector('slotway-chat') === null`)
}
