package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
)

// nastyTexts are messages that the page must show as text. The proxy replaces LONE by half a
// surrogate pair.
var nastyTexts = append(shortTexts, strings.Repeat("👩‍👩‍👧", 1000))

// shortTexts are those of them that fit ten thousand times into an import.
var shortTexts = []string{
	evil, `</script><script>document.title='taken'</script>`, `<svg onload="document.title='taken'"><a href="javascript:alert(1)">x</a></svg>`,
	`--><iframe srcdoc="<script>parent.document.title='taken'</script>"></iframe>`, `{{constructor.constructor("document.title='taken'")()}}`,
	"\u202eright to left\u202d \u2066never ended", "half a pair: LONE", "line\u2028separator\r\nand\ttab", `\u003cscript\u003e`,
}

// nastyIDs are session ids with characters that mean something in an address or a selector.
var nastyIDs = []string{`a"b'c`, `a/b/../c`, `a%2Fb`, `a?b#c&d=e`, `\n"]:not(*)`, `<b>bold</b>`, "שלום 7", `__proto__`, "günther 👋"}

// nastyParams are names of members of every JavaScript object.
var nastyParams = []string{"__proto__", "constructor", "toString", "hasOwnProperty"}

// importSession imports a session with count messages.
func importSession(t *testing.T, b *tab, id string, count int, text func(i int) string) {
	t.Helper()
	base := strings.TrimSuffix(b.address, "/studio")
	user := read[string](b, `document.querySelector('#agent').textContent.split(' · ')[1]`)
	at := memory.Moment(time.Now()) // one that was left alone for long begins anew
	a := transfer.Archive{
		Header: transfer.Header{
			Key: memory.Key{UserID: user, AgentID: "shop", SessionID: id}, CreatedAt: at, UpdatedAt: at,
			Counters: memory.Counters{Version: int64(count), NextSeq: int64(count) + 1, Floor: 1, Turns: int64(count / 2)},
		},
		State: memory.State{Params: map[string]any{"order_id": "O-77777"}, PlanExecution: fmt.Appendf(nil, `{"v":1,"turn":%d}`, count/2)},
	}
	for _, name := range nastyParams {
		a.State.Params[name] = "of " + name
	}
	for i := range count {
		role := []memory.Role{memory.User, memory.Agent}[i%2]
		a.Messages = append(a.Messages, memory.Message{Seq: int64(i) + 1, Turn: int64(i/2) + 1, Role: role, Text: text(i), Timestamp: at})
	}
	for i := range count / 2 {
		turn := memory.Turn{Number: int64(i) + 1, RequestID: fmt.Sprint("r", i), Intent: "constructor", Outcome: "responded", At: at}
		turn.Snapshot = &memory.TurnSnapshot{Counters: a.Counters, State: a.State}
		if count > 100 {
			turn.Snapshot = nil
		}
		a.Turns = append(a.Turns, turn)
	}
	var body bytes.Buffer
	if err := a.Write(&body); err != nil {
		t.Fatal(err)
	}
	res, err := http.Post(base+"/v1/sessions/import", "application/x-ndjson", &body)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		var problem map[string]any
		_ = json.NewDecoder(res.Body).Decode(&problem)
		t.Fatalf("import of %q: %s %v", id, res.Status, problem)
	}
}

// lone replaces a word by half a surrogate pair in every answer.
func lone(next http.Handler) http.Handler {
	return rewriting(next, func(path string, body []byte) []byte {
		if !strings.HasPrefix(path, "/v1/") {
			return body
		}
		return bytes.ReplaceAll(body, []byte("LONE"), []byte(`\ud83d`))
	})
}

// nothingRan fails the test if a message was not shown as text.
func nothingRan(t *testing.T, b *tab) {
	t.Helper()
	if got := read[string](b, `document.title`); got != "Slotway studio" {
		t.Errorf("the title is %q", got)
	}
	if n := read[int](b, `document.querySelectorAll('img, iframe, main script, main a[href], svg[onload]').length`); n != 0 {
		t.Errorf("%d elements were made of what was said", n)
	}
	if got := read[string](b, `typeof ({}).polluted + Object.keys(Object.prototype).length`); got != "undefined0" {
		t.Errorf("every object has got something: %s", got)
	}
	if strings.Contains(b.text("body"), "O-77777") {
		t.Error("a masked value is shown")
	}
}

// usable fails the test if the page no longer works.
func usable(t *testing.T, b *tab) {
	t.Helper()
	for _, view := range []string{"memory", "agent", "live", "turn"} {
		b.click("#tab-" + view)
		b.wait(fmt.Sprintf(`document.querySelector('#panel-%s').checkVisibility()`, view))
	}
	if mb := read[float64](b, `performance.memory.usedJSHeapSize`) / (1 << 20); mb > 200 {
		t.Errorf("the page holds %.0f MB", mb)
	}
}

// listed waits until n replies are shown. Imported turns have no trace.
func (b *tab) listed(n int) {
	b.t.Helper()
	b.wait(fmt.Sprintf(`%s === %d`, answers, n))
}

func nastySession(t *testing.T, b *tab) {
	importSession(t, b, "nasty", 2*len(nastyTexts), func(i int) string { return nastyTexts[i/2] + " about O-77777" })
	b.do(chromedp.Evaluate[chromedp.Void](`location.hash = 's=nasty'`))
	b.listed(len(nastyTexts))
	for _, name := range nastyParams {
		b.shows(fmt.Sprintf(`#state tr[data-param="%s"]`, name), "of "+name)
	}
	b.shows(`#state tr[data-param="order_id"] .masked`, "order_id")
	b.click("#previous")
	b.shows("#turn-title", "constructor")
	nothingRan(t, b)
	usable(t, b)
}

func manyMessages(t *testing.T, b *tab) {
	importSession(t, b, "many", 10_000, func(i int) string { return shortTexts[i%len(shortTexts)] })
	b.do(chromedp.Evaluate[chromedp.Void](`location.hash = 's=many'`))
	b.listed(100)
	for i := range 3 {
		b.click(".earlier")
		b.listed(100 * (i + 2))
	}
	nothingRan(t, b)
	usable(t, b)
}

func longLines(t *testing.T, b *tab) {
	importSession(t, b, "lines", 12, func(i int) string { // the newest two are of 1 MiB: more would only mask for minutes
		return strings.Repeat(string(rune('a'+i)), 1<<(15+5*(i/10)))
	})
	b.do(chromedp.Evaluate[chromedp.Void](`location.hash = 's=lines'`))
	b.listed(1) // a page of messages has room for no more
	b.click(".earlier")
	b.listed(6)
	b.shows("#log", "more characters are not shown here")
	if n := read[int](b, `document.body.textContent.length`); n > 1<<20 {
		t.Errorf("the page shows %d characters", n)
	}
	if wide := read[int](b, `document.scrollingElement.scrollWidth`); wide > 1280 {
		t.Errorf("the page is %d pixels wide", wide)
	}
	usable(t, b)
	b.say("how much is shipping")
}

func nastyNames(t *testing.T, b *tab) {
	for _, id := range nastyIDs {
		body, err := json.Marshal(map[string]string{"message": "how much is shipping", "conversation_id": id})
		if err != nil {
			t.Fatal(err)
		}
		b.post(string(body))
		b.click("#tab-sessions")
		quoted, _ := json.Marshal(id)
		row := fmt.Sprintf(`[...document.querySelectorAll('.sessions li')].find((e) => e.dataset.session === %s)`, quoted)
		b.do(chromedp.Evaluate[chromedp.Void](`location.hash = ''`), chromedp.Evaluate[chromedp.Void](`document.querySelector('#find').dispatchEvent(new Event('input'))`))
		b.wait(row)
		b.do(chromedp.Evaluate[chromedp.Void](row + `.querySelector('.open').click()`))
		b.settle(1)
		if got := read[string](b, `decodeURIComponent(location.hash.slice(3))`); got != id {
			t.Errorf("the address names %q, want %q", got, id)
		}
		b.do(chromedp.Evaluate[chromedp.Void](row + `.querySelector('[aria-label^=Rename]').click()`))
		b.write(".rename input", "t")
		b.enter()
		b.wait(`!document.querySelector('.rename')`)
		b.say("is shipping free")
	}
	nothingRan(t, b)
	// An address that is none of ours is a conversation that is not there.
	b.do(chromedp.Navigate(b.address+"#s=%E0%A4%A"), chromedp.Reload())
	b.shows("#log", "There is no such conversation.")
	b.click("#new")
	b.say("how much is shipping")
}

// burst sends a burst of telemetry to each event stream, and counts how often messages are read.
type burst struct{ reads atomic.Int64 }

func (f *burst) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/messages") {
			f.reads.Add(1)
		}
		if r.URL.Path != "/v1/events" {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		names := []string{"respond", "constructor", "__proto__", "toString", `x" onclick="document.title='taken'`}
		for i := range 5000 {
			stage, _ := json.Marshal(names[i%len(names)])
			text, _ := json.Marshal(nastyTexts[i%len(nastyTexts)])
			fmt.Fprintf(w, "event: telemetry\ndata: {\"time\":\"2026-01-02T03:04:05Z\",\"level\":\"info\",\"stage\":%s,\"session_id\":%s,\"payload\":{\"outcome\":%s,\"__proto__\":{\"polluted\":1}}}\n\n", stage, text, text)
			fmt.Fprintf(w, "event: path\ndata: {\"session_id\":\"flooded\",\"turn\":%d}\n\n", 1000+i)
		}
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
}

func floodOfEvents(t *testing.T, b *tab, f *burst) {
	b.click("#tab-live")
	b.wait(`document.querySelectorAll('.lines li').length === 300`)
	b.click("#pause")
	b.shows("#pause", "Go on")
	nothingRan(t, b)
	usable(t, b)
	if n := f.reads.Load(); n > 200 {
		t.Errorf("the conversation was read %d times", n)
	}
	b.click("#tab-chat, #skip")
	b.say("how much is shipping")
}

// TestStudioWithHostileData shows hostile data in the studio.
func TestStudioWithHostileData(t *testing.T) {
	browser := startBrowser(t)
	service := studioService(t)
	t.Run("texts and names", func(t *testing.T) { nastySession(t, openTab(t, browser, service, lone, "/trace?")) })
	t.Run("many messages", func(t *testing.T) { manyMessages(t, openTab(t, browser, service, lone, "/trace?")) })
	t.Run("long lines", func(t *testing.T) { longLines(t, openTab(t, browser, service, nil, "/trace?")) })
	t.Run("ids", func(t *testing.T) { nastyNames(t, openTab(t, browser, service, nil, "Failed to load resource")) })
	t.Run("a flood", func(t *testing.T) {
		f := &burst{}
		b := openTab(t, browser, service, f.wrap, "/trace?")
		b.post(`{"message":"how much is shipping","conversation_id":"flooded"}`)
		b.do(chromedp.Navigate(strings.TrimSuffix(b.address, "/studio")+"/studio#s="+url.PathEscape("flooded")), chromedp.Reload())
		b.settle(1)
		floodOfEvents(t, b, f)
	})
}
