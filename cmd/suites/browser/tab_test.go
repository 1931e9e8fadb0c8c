package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/slotway/slotway/internal/test/programtest"
)

// pageTime bounds each wait for the page. On an idle machine nothing takes a tenth of it.
const pageTime = 60 * time.Second

func TestMain(m *testing.M) { programtest.Main(m) }

// studioService starts a service with a studio and returns its address.
func studioService(t *testing.T) string {
	t.Helper()
	service := programtest.Start(t, t.TempDir())
	t.Cleanup(func() { service.Stop(t) })
	for _, path := range []string{"/studio", "/v1/agent"} {
		if _, err := service.Get(t.Context(), path); err != nil {
			t.Fatal(err)
		}
	}
	return service.URL
}

// startBrowser starts one browser for all journeys.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	programtest.TakesLong(t)
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		programtest.Missing(t, "no Chromium is installed; run scripts/services.sh start browser")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.WSURLReadTimeout(pageTime),
		chromedp.WindowSize(1280, 900), chromedp.Flag("force-color-profile", "srgb"), chromedp.Flag("lang", "en-GB"))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocated, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocated)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	return ctx
}

// tab is a page in which one person uses the studio.
type tab struct {
	t       *testing.T
	ctx     context.Context
	address string

	mu     sync.Mutex // guards what follows
	faults []string   // exceptions, errors on the console, violations of the policy
}

// middleware stands between the browser and the service.
type middleware func(next http.Handler) http.Handler

// openTab opens the studio in a tab with its own storage. A fault that contains one of tolerated
// does not fail the test: a browser logs each error answer.
func openTab(t *testing.T, browser context.Context, service string, wrap middleware, tolerated ...string) *tab {
	t.Helper()
	target, err := url.Parse(service)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	var front http.Handler = proxy
	if wrap != nil {
		front = wrap(front)
	}
	server := httptest.NewServer(front)
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	b := &tab{t: t, ctx: ctx, address: server.URL + "/studio"}
	t.Cleanup(func() {
		cancel()
		server.CloseClientConnections()
		server.Close()
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
	b.do(chromedp.Navigate(b.address))
	b.wait(`document.querySelector('#agent').textContent !== '' || document.querySelector('dialog') !== null`)
	return b
}

func containsAny(text string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// listen records exceptions, errors on the console and violations of the policy.
func (b *tab) listen(event any) {
	fault := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		fault = "exception: " + e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			fault += " " + e.ExceptionDetails.Exception.Description
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			fault = "console: " + string(e.Type)
		}
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == cdplog.EntryLevelError || e.Entry.Source == cdplog.EntrySourceSecurity {
			fault = fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	}
	if fault != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.faults = append(b.faults, fault)
	}
}

// do runs actions on the page, one after the other. The page redraws lists while a test looks for
// something in them: do looks again for an element that has gone.
func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, pageTime)
	defer cancel()
	for _, action := range actions {
		err := chromedp.Do(ctx, action)
		for err != nil && ctx.Err() == nil && goneElement.MatchString(err.Error()) {
			err = chromedp.Do(ctx, action)
		}
		if err != nil {
			b.t.Fatalf("browser: %v", err)
		}
	}
}

// goneElement matches the errors for an element that is no longer on the page.
var goneElement = regexp.MustCompile(`(?i)could not find node|no node with given id|node with given id does not`)

// wait waits until an expression is true on the page.
func (b *tab) wait(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, pageTime)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		// While a page is loaded there is none to ask.
		if is, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`Boolean(`+expression+`)`)); err == nil && is {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			b.t.Fatalf("never true: %s\nThe page reads:\n%s", expression, b.text("body"))
		}
	}
}

// result runs an action and returns its result.
func result[T any](b *tab, action chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, pageTime)
	defer cancel()
	out, err := chromedp.Run(ctx, action)
	if err != nil {
		b.t.Fatalf("browser: %v", err)
	}
	return out
}

// read evaluates an expression.
func read[T any](b *tab, expression string) T {
	b.t.Helper()
	return result(b, chromedp.Evaluate[T](expression))
}

// text returns the text of an element.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return read[string](b, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ''`, selector))
}

// shows waits until an element shows a text.
func (b *tab) shows(selector, text string) {
	b.t.Helper()
	b.wait(fmt.Sprintf(`document.querySelector(%q)?.innerText.includes(%q)`, selector, text))
}

// press presses keys, with Alt if alt is set.
func (b *tab) press(alt bool, keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		if alt {
			b.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierAlt)))
		} else {
			b.do(chromedp.KeyEvent(key))
		}
	}
}

func (b *tab) click(selector string) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(selector)))
}

// answers is an expression that counts the replies on the page.
const answers = `document.querySelectorAll('#log .message.agent[data-turn]').length`

// say sends a message and waits until its reply and its turn are shown.
func (b *tab) say(text string) {
	b.t.Helper()
	n := read[int](b, answers)
	b.write("#message", text)
	b.enter()
	b.settle(n + 1)
}

// write types into a field, after what it holds.
func (b *tab) write(selector, text string) {
	b.t.Helper()
	b.do(chromedp.SendKeys(chromedp.CSS(selector), text))
}

// enter presses Enter as a keyboard does. chromedp's own key event types a line end even if the
// page handles the key.
func (b *tab) enter() {
	b.t.Helper()
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
		text := "\r"
		if kind == input.DispatchKeyEventTypeKeyUp {
			text = ""
		}
		b.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, t, input.DispatchKeyEvent, input.DispatchKeyEventParams{
				Type: kind, Key: "Enter", Code: "Enter", Text: text, WindowsVirtualKeyCode: 13, NativeVirtualKeyCode: 13,
			})
			return chromedp.Void{}, err
		})
	}
}

// post sends a message without the page.
func (b *tab) post(body string) {
	b.t.Helper()
	res, err := http.Post(strings.TrimSuffix(b.address, "/studio")+"/chat", "application/json", strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		b.t.Fatalf("POST /chat: %s", res.Status)
	}
}

// settle waits until n turns are shown, with the trace of the last.
func (b *tab) settle(n int) {
	b.t.Helper()
	b.wait(fmt.Sprintf(`%s === %d && !document.querySelector('#log .exchange') && document.querySelector('.state.last')`, answers, n))
}

// reply returns the newest reply.
func (b *tab) reply() string {
	b.t.Helper()
	return read[string](b, `[...document.querySelectorAll('#log .message.agent .text')].at(-1)?.textContent ?? ''`)
}

// size sets the size of the window.
func (b *tab) size(width, height int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height))
	b.drawn()
}

// drawn waits until the page has been drawn twice. A window of another size reaches the page's
// script with the next frame, and what it moves stands still in the one after: a click that was
// aimed before would meet another place.
func (b *tab) drawn() {
	b.t.Helper()
	result(b, chromedp.Evaluate[bool](`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`, chromedp.EvalAwaitPromise))
}

// prefers sets the colour scheme that the system prefers.
func (b *tab) prefers(scheme string) {
	b.t.Helper()
	b.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}})
		return chromedp.Void{}, err
	})
	b.drawn()
}

// picture saves a screenshot in the folder SLOTWAY_ARTIFACTS.
func (b *tab) picture(name string) {
	b.t.Helper()
	folder := os.Getenv("SLOTWAY_ARTIFACTS")
	if folder == "" {
		return
	}
	png := result(b, chromedp.CaptureScreenshot())
	if err := os.MkdirAll(folder, 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "studio-"+name+".png"), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}
