package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/slotway/slotway/internal/test/programtest"
	"github.com/slotway/slotway/scripts/harness"
)

// site is a website on an origin of its own that embeds the widget of a service under a policy that
// allows the service's scripts and answers, and nothing else.
type site struct {
	address string // of its page
	bot     string // of the service, as pages see it
	tag     atomic.Pointer[string]
	front   atomic.Pointer[http.Handler]
	proxy   http.Handler
}

// newSite starts the website and its service, with more flags.
func newSite(t *testing.T, flags ...string) *site {
	t.Helper()
	s := &site{}
	shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", fmt.Sprintf("default-src 'none'; script-src %[1]s; connect-src %[1]s; base-uri 'none'; require-trusted-types-for 'script'", s.bot))
		fmt.Fprintf(w, `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A shop</title>
<script src="%s/widget.js" defer %s></script></head><body><main><h1>A shop</h1><p>With <a id="elsewhere" href="#x">things</a> to buy.</p></main></body></html>`, s.bot, *s.tag.Load())
	}))
	t.Cleanup(shop.Close)
	service := programtest.Start(t, t.TempDir(), append(harness.SetFlags("server.cors="+shop.URL), flags...)...)
	t.Cleanup(func() { service.Stop(t) })
	target, err := url.Parse(service.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	s.proxy = proxy
	bot := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*s.front.Load()).ServeHTTP(w, r) }))
	t.Cleanup(func() {
		bot.CloseClientConnections()
		bot.Close()
	})
	s.address, s.bot = shop.URL, bot.URL
	return s
}

// open opens the page in a tab with its own storage. tag are the attributes of the script's tag.
func (s *site) open(t *testing.T, browser context.Context, tag string, wrap middleware, tolerated ...string) *tab {
	t.Helper()
	return s.openWith(t, browser, "", tag, wrap, tolerated...)
}

// openWith is open for a page that runs a script of its own before.
func (s *site) openWith(t *testing.T, browser context.Context, script, tag string, wrap middleware, tolerated ...string) *tab {
	t.Helper()
	s.serve(wrap)
	s.tag.Store(&tag)
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	b := &tab{t: t, ctx: ctx, address: s.address}
	t.Cleanup(func() {
		cancel()
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, f := range b.faults {
			if !containsAny(f, tolerated) {
				t.Errorf("the page had a fault: %s", f)
			}
		}
	})
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatalf("open a tab: %v", err)
	}
	if script != "" {
		b.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
			return chromedp.Void{}, err
		})
	}
	b.do(chromedp.Navigate(s.address))
	b.wait(`document.querySelector('slotway-chat')`)
	return b
}

// serve puts something between the browser and the service; nil: nothing.
func (s *site) serve(wrap middleware) {
	front := s.proxy
	if wrap != nil {
		front = wrap(front)
	}
	s.front.Store(&front)
}

// inside is an expression for an element of the widget.
func inside(selector string) string {
	return fmt.Sprintf(`document.querySelector('slotway-chat').shadowRoot.querySelector(%q)`, selector)
}

// said is an expression for what the log shows, one line a message.
const said = `[...document.querySelector('slotway-chat').shadowRoot.querySelectorAll('.log .message:not(.dots)')].map((m) => m.className.split(' ')[1] + ': ' + m.querySelector('p').textContent)`

// focused is an expression for the class or id of what has the focus in the widget.
const focused = `(document.querySelector('slotway-chat').shadowRoot.activeElement?.id || document.querySelector('slotway-chat').shadowRoot.activeElement?.className || document.activeElement?.localName)`

// tell types a message into the widget and waits for n messages.
func (b *tab) tell(text string, n int) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](inside("#field") + `.focus()`))
	b.do(chromedp.KeyEvent(text))
	b.enter()
	b.holds(n)
}

// holds waits until the log shows n messages, none of them on its way.
func (b *tab) holds(n int) {
	b.t.Helper()
	b.wait(fmt.Sprintf(`%s.length === %d && !%s`, said, n, inside(".pending, [aria-hidden=true].message")))
}

// push presses a button of the widget.
func (b *tab) push(selector string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](inside(selector) + `.click()`))
}

// motion says whether the system asks for less of it.
func (b *tab) motion(value string) {
	b.t.Helper()
	b.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: value}}})
		return chromedp.Void{}, err
	})
}

// shot saves a screenshot of the widget in the folder SLOTWAY_ARTIFACTS.
func (b *tab) shot(name string) {
	b.t.Helper()
	folder := os.Getenv("SLOTWAY_ARTIFACTS")
	if folder == "" {
		return
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "widget-"+name+".png"), result(b, chromedp.CaptureScreenshot()), 0o644); err != nil {
		b.t.Fatal(err)
	}
}
