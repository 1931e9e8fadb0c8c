package browser

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestHandoff: a person takes a conversation over in one tab, while the user talks in another. Each sees
// what the other does as it happens, and nothing that is said to the person confirms anything.
func TestHandoff(t *testing.T) {
	browser, service := startBrowser(t), studioService(t)
	user := openTab(t, browser, service, nil)
	user.say("cancel O-12345")
	user.shows("#options", "Yes")
	ann := openTab(t, browser, service, nil, "Failed to load resource")
	read[bool](ann, `location.hash = '`+read[string](user, `location.hash`)+`', true`)
	ann.wait(answers + ` === 1`)
	ann.click("#actions summary")
	ann.click("#do-take")
	ann.write("#person-name", "Ann")
	ann.picture("handoff-take")
	ann.click("#take")
	ann.shows("#person", "Ann has taken over this conversation")
	user.shows("#person", "Ann has taken over this conversation")
	user.wait(`document.querySelector('#options').hidden`)
	user.write("#message", "yes, but who are you?")
	user.enter()
	ann.wait(`[...document.querySelectorAll('#log .message.user .text')].at(-1)?.textContent === 'yes, but who are you?'`)
	ann.write("#person-text", "I am Ann. I'll look into it.")
	ann.picture("handoff-answer")
	ann.click("#answer")
	user.shows("#log .message.person", "I am Ann. I'll look into it.")
	user.shows("#log .message.person .meta", "Ann")
	ann.wait(`document.querySelector('#person-text').value === ''`)
	ann.shows("#state", "a yes or no before")
	user.picture("handoff-user")
	ann.size(390, 844)
	ann.picture("handoff-narrow")
	ann.prefers("dark")
	ann.size(1280, 900)
	ann.picture("handoff-dark")
	ann.click("#give-back")
	ann.wait(`document.querySelector('#person').hidden`)
	user.wait(`document.querySelector('#person').hidden && [...document.querySelectorAll('#log .message.agent .text')].at(-1)?.textContent.includes("This can't be undone.")`)
	user.shows("#options", "Yes")
	user.wait(`document.querySelector('.state.last')`)
	user.picture("handoff-back")
	user.say("yes") // the page has shown the question again, and says so
	if got := user.reply(); got != "Done: order O-12345 is cancelled." {
		t.Errorf("after the give back, yes: %q", got)
	}
	ann.do(chromedp.Focus(chromedp.CSS("#message")))
	ann.say("I want to talk to a person")
	ann.shows("#person", "waits for a person")
	ann.picture("handoff-wanted")
}

// TestHandoffNeedsItsScope: who may only chat and read sees who has the conversation, and nothing to take
// it with.
func TestHandoffNeedsItsScope(t *testing.T) {
	b := openTab(t, startBrowser(t), studioService(t), withScopes(`["chat","read"]`))
	b.say("I want to talk to a person")
	b.shows("#person", "waits for a person")
	if read[bool](b, `document.querySelector('#take').checkVisibility() || !document.querySelector('#do-take').hidden`) {
		t.Error("there is something to take it with")
	}
}

// withScopes has the service say that the key has other scopes.
func withScopes(scopes string) middleware {
	named := regexp.MustCompile(`"scopes":\[[^\]]*\]`)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/agent" {
				next.ServeHTTP(w, r)
				return
			}
			r.Header.Del("Accept-Encoding")
			kept := httptest.NewRecorder()
			next.ServeHTTP(kept, r)
			w.Header().Set("Content-Type", kept.Header().Get("Content-Type"))
			_, _ = w.Write(named.ReplaceAll(kept.Body.Bytes(), []byte(`"scopes":`+scopes))) // the page is gone
		})
	}
}
