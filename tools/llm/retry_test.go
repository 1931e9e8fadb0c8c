package llm_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/llm"
)

const hello = `{"choices":[{"message":{"content":"Hello."}}]}`

// busy answers with each status once, and then with hello.
func busy(t *testing.T, asked *int, header string, statuses ...int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !strings.Contains(string(body), `"content":"hi"`) {
			t.Errorf("asked with %q, %v", body, err)
		}
		*asked++
		if *asked <= len(statuses) {
			if header == "date" {
				header = time.Now().Add(3 * time.Second).UTC().Format(http.TimeFormat)
			}
			w.Header().Set("Retry-After", header)
			w.WriteHeader(statuses[*asked-1])
			return
		}
		io.WriteString(w, hello)
	}
}

func TestRetry(t *testing.T) {
	tests := []struct {
		name     string
		opts     llm.Options
		header   string // Retry-After
		statuses []int
		code     tools.Code
		asked    int
		min, max time.Duration // the time of the call
	}{
		{"seconds", llm.Options{}, "2", []int{429}, "", 2, 2 * time.Second, 2 * time.Second},
		{"date", llm.Options{}, "date", []int{503}, "", 2, 3 * time.Second, 3 * time.Second},
		{"no header", llm.Options{}, "", []int{503}, "", 2, 250 * time.Millisecond, 500 * time.Millisecond},
		{"nonsense", llm.Options{}, "soon", []int{429}, "", 2, 250 * time.Millisecond, 500 * time.Millisecond},
		{"no time", llm.Options{}, "-5", []int{429}, "", 2, 250 * time.Millisecond, 500 * time.Millisecond},
		{"doubled", llm.Options{Retries: 3}, "", []int{503, 429, 503}, "", 4, 1750 * time.Millisecond, 3500 * time.Millisecond},
		{"only once", llm.Options{}, "1", []int{429, 429}, tools.RateLimited, 2, time.Second, time.Second},
		{"off", llm.Options{Retries: -1}, "1", []int{429}, tools.RateLimited, 1, 0, 0},
		{"too long", llm.Options{}, "11", []int{429}, tools.RateLimited, 1, 0, 0},
		{"after the deadline", llm.Options{Timeout: 3 * time.Second}, "3", []int{503}, tools.Unavailable, 1, 0, 0},
		{"second after the deadline", llm.Options{Timeout: 3 * time.Second, Retries: 5}, "2", []int{503, 503}, tools.Unavailable, 2, 2 * time.Second, 2 * time.Second},
		{"other trouble", llm.Options{}, "1", []int{500}, tools.Unavailable, 1, 0, 0},
		{"gateway", llm.Options{}, "1", []int{502}, tools.Unavailable, 1, 0, 0},
		{"refused", llm.Options{}, "1", []int{400}, tools.InvalidInput, 1, 0, 0},
	}
	for _, tt := range tests {
		for _, how := range []string{"generate", "stream"} {
			t.Run(tt.name+"/"+how, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					asked := 0
					c, _ := bubble(t, tt.opts, 0, busy(t, &asked, tt.header, tt.statuses...))
					messages := []llm.Message{{Role: "user", Text: "hi"}}
					var text string
					var err error
					start := time.Now()
					if how == "generate" {
						text, err = c.Generate(t.Context(), "", messages)
					} else {
						text, err = c.Stream(t.Context(), "", messages, func(string) error { return nil })
					}
					took := time.Since(start)
					if tools.CodeOf(err) != tt.code || (err == nil && text != "Hello.") || asked != tt.asked {
						t.Errorf("%q, %v after %d requests; want %q after %d", text, err, asked, tt.code, tt.asked)
					}
					if took < tt.min || took > tt.max {
						t.Errorf("took %v, want %v to %v", took, tt.min, tt.max)
					}
				})
			})
		}
	}
}

// TestRetryWish: a wait that is not begun is told to whoever asked.
func TestRetryWish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		c, _ := bubble(t, llm.Options{}, 0, busy(t, &asked, "60", 429))
		_, err := c.Generate(t.Context(), "", []llm.Message{{Role: "user", Text: "hi"}})
		var failed *tools.Error
		if !errors.As(err, &failed) || failed.RetryAfter != time.Minute || !failed.Retryable || failed.Uncertain {
			t.Errorf("%#v", err)
		}
	})
}

func TestRetryRefusedConnection(t *testing.T) {
	for refused, code := range map[int]tools.Code{0: "", 1: "", 2: tools.Unavailable} {
		synctest.Test(t, func(t *testing.T) {
			c, dials := bubble(t, llm.Options{}, refused, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, hello) })
			_, err := c.Generate(t.Context(), "", nil)
			if tools.CodeOf(err) != code || int(dials.Load()) != min(refused+1, 2) {
				t.Errorf("%d refused: %v after %d dials, want %q", refused, err, dials.Load(), code)
			}
		})
	}
}

// TestRetryCallersDeadline: the time of whoever asks is kept as the call's own is.
func TestRetryCallersDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		c, _ := bubble(t, llm.Options{}, 0, busy(t, &asked, "3", 503))
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		start := time.Now()
		if _, err := c.Generate(ctx, "", []llm.Message{{Role: "user", Text: "hi"}}); tools.CodeOf(err) != tools.Unavailable || time.Since(start) != 0 {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

// moved is a network in which a request reaches a server that sends it on to another,
// which refuses it.
type moved struct{ asked int }

func (m *moved) RoundTrip(r *http.Request) (*http.Response, error) {
	m.asked++
	httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{})
	return nil, syscall.ECONNREFUSED
}

func TestNoRetryOfSentRequest(t *testing.T) {
	network := &moved{}
	c, err := llm.New(llm.Options{BaseURL: "http://model.invalid", Model: "small", HTTPClient: &http.Client{Transport: network}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Generate(t.Context(), "", nil); tools.CodeOf(err) != tools.Unavailable || network.asked != 1 {
		t.Errorf("%v after %d requests", err, network.asked)
	}
}

// TestNoRetryOfLostConnection: what may have reached the server is not sent again.
func TestNoRetryOfLostConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		c, _ := bubble(t, llm.Options{Retries: 5}, 0, func(http.ResponseWriter, *http.Request) {
			asked++
			panic(http.ErrAbortHandler)
		})
		if _, err := c.Generate(t.Context(), "", nil); tools.CodeOf(err) != tools.Unavailable || asked != 1 {
			t.Errorf("%v after %d requests", err, asked)
		}
	})
}

func TestWithRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		c, _ := bubble(t, llm.Options{}, 0, busy(t, &asked, "1", 503, 503, 503))
		messages := []llm.Message{{Role: "user", Text: "hi"}}
		start := time.Now()
		if _, err := c.WithRetries(0).Generate(t.Context(), "", messages); tools.CodeOf(err) != tools.Unavailable || asked != 1 || time.Since(start) != 0 {
			t.Errorf("without: %v after %d requests", err, asked)
		}
		if text, err := c.WithModel("other").WithRetries(2).Generate(t.Context(), "", messages); text != "Hello." || asked != 4 {
			t.Errorf("with two: %q, %v after %d requests", text, err, asked)
		}
	})
}

// TestCancelledWait: whoever no longer wants the answer does not wait for the retry.
func TestCancelledWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		c, _ := bubble(t, llm.Options{}, 0, busy(t, &asked, "5", 429))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		_, err := c.Generate(ctx, "", []llm.Message{{Role: "user", Text: "hi"}})
		if tools.CodeOf(err) != tools.Timeout || time.Since(start) != time.Second || asked != 1 {
			t.Errorf("%v after %v and %d requests", err, time.Since(start), asked)
		}
	})
}
