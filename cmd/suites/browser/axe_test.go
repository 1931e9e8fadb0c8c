package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/handbook"
	"github.com/slotway/slotway/internal/test/programtest"
)

// axe returns the source of axe-core, which looks for what keeps people from using a page.
func axe(t *testing.T) string {
	t.Helper()
	folder := programtest.NodeFolder(t, "SLOTWAY_TEST_AXE_NODE", "axe", "axe-core")
	source, err := os.ReadFile(filepath.Join(folder, "node_modules/axe-core/axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// findings runs axe on the page and returns what it finds.
func findings(b *tab, source string) []string {
	b.t.Helper()
	if !read[bool](b, `typeof window.axe === 'object'`) {
		b.do(chromedp.Evaluate[chromedp.Void](source + "\n;undefined"))
	}
	b.do(chromedp.Evaluate[chromedp.Void](`window.axeFound = null; axe.run(document, { resultTypes: ['violations'] }).then((r) => {
  window.axeFound = r.violations.flatMap((v) => v.nodes.map((n) => v.id + ' (' + v.impact + '): ' + n.target.join(' ') + ': ' + n.failureSummary.replaceAll('\n', ' ')));
}, (err) => { window.axeFound = ['axe failed: ' + err]; }); undefined`))
	b.wait(`window.axeFound !== null`)
	return read[[]string](b, `window.axeFound`)
}

// TestAxeOfTheAgentsPage looks at what `slotway docs` writes.
func TestAxeOfTheAgentsPage(t *testing.T) {
	browser := startBrowser(t)
	source := axe(t)
	agent, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if err := handbook.Write(w, agent, handbook.Options{}); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	defer cancel()
	if err := chromedp.Do(ctx); err != nil { // with a deadline, the tab would end with it
		t.Fatal(err)
	}
	b := &tab{t: t, ctx: ctx}
	b.do(chromedp.Navigate(server.URL))
	for _, size := range [][2]int64{{1280, 900}, {390, 844}} {
		b.size(size[0], size[1])
		for _, scheme := range []string{"light", "dark"} {
			b.prefers(scheme)
			if found := findings(b, source); len(found) > 0 {
				t.Errorf("%s, %d pixels wide:\n%s", scheme, size[0], strings.Join(found, "\n"))
			}
			if wide := read[int64](b, `document.scrollingElement.scrollWidth`); wide > size[0] {
				t.Errorf("the page is %d pixels wide in a window of %d", wide, size[0])
			}
		}
	}
}

// TestAxe looks at each view of the studio, light and dark, wide and narrow.
func TestAxe(t *testing.T) {
	browser := startBrowser(t)
	source := axe(t)
	b := openTab(t, browser, studioService(t), nil)
	report := func(where string) {
		t.Helper()
		if found := findings(b, source); len(found) > 0 {
			t.Errorf("%s:\n%s", where, strings.Join(found, "\n"))
		}
	}
	b.prefers("light")
	b.shows("#log", "Say something to shop")
	report("nothing said yet")
	b.say("cancel my order")
	b.say("O-20482")
	for _, size := range [][2]int64{{1280, 900}, {390, 844}} {
		b.size(size[0], size[1])
		for _, scheme := range []string{"light", "dark"} {
			b.prefers(scheme)
			for _, view := range read[[]string](b, `[...document.querySelectorAll('#tabs [role=tab]')].filter((t) => t.checkVisibility()).map((t) => t.dataset.tab)`) {
				b.click("#tab-" + view)
				b.wait(fmt.Sprintf(`document.querySelector('#panel-%s').checkVisibility()`, view))
				if view == "agent" {
					b.wait(`document.querySelector('#flow [data-mark=now]')`)
				}
				report(fmt.Sprintf("%s, %s, %d pixels wide", view, scheme, size[0]))
			}
		}
	}
	b.size(1280, 900)
	b.click("#actions summary")
	report("the menu of actions")
	b.click("#do-test")
	b.shows("dialog", "conversation:")
	report("the test of a conversation")
	b.press(false, kb.Escape)
	b.wait(`document.querySelector('dialog') === null`)
	b.click("#help")
	b.shows("dialog", "begin a new conversation")
	report("the list of shortcuts")
	b.press(false, kb.Escape)
	b.wait(`document.querySelector('dialog') === null`)
	b.click("#actions summary")
	b.click("#do-take")
	report("before a person takes over")
	b.click("#take")
	b.shows("#person", "A person has taken over")
	b.write("#person-text", "Hello.")
	b.click("#answer")
	b.shows("#log .message.person", "Hello.")
	for _, scheme := range []string{"light", "dark"} {
		b.prefers(scheme)
		report("a person has the conversation, " + scheme)
	}
}
