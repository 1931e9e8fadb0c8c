package llm_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/llm"
)

// slowly sends the texts, each after a wait, and then is silent.
func slowly(wait time.Duration, texts ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		for _, text := range texts {
			select {
			case <-time.After(wait):
			case <-r.Context().Done():
				return
			}
			io.WriteString(w, text)
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	}
}

func TestStreamDeadlines(t *testing.T) {
	drip := strings.Split(part("never"), "")
	var keepalives []string
	for range 100 {
		keepalives = append(keepalives, ": wait\n\n")
	}
	var endless []string
	for range 1000 {
		endless = append(endless, part("x"))
	}
	tests := []struct {
		name  string
		wait  time.Duration
		texts []string
		yield time.Duration
		text  string
		code  tools.Code
		took  time.Duration
	}{
		{"in time", 9 * time.Second, []string{part("a"), part("b"), part("c"), done}, 0, "abc", "", 36 * time.Second},
		{"no first", 11 * time.Second, []string{part("a")}, 0, "", tools.Timeout, 10 * time.Second},
		{"no third", time.Second, []string{part("a"), part("b")}, 0, "ab", tools.Timeout, 12 * time.Second},
		{"byte by byte", time.Second, drip, 0, "", tools.Timeout, 10 * time.Second},
		{"keepalives", time.Second, keepalives, 0, "", tools.Timeout, 10 * time.Second},
		{"endless", 7 * time.Second, endless, 0, strings.Repeat("x", 8), tools.Timeout, time.Minute},
		{"a slow reader", time.Second, []string{part("a"), part("b"), done}, 15 * time.Second, "ab", "", 31 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, _ := bubble(t, llm.Options{Timeout: 10 * time.Second}, 0, slowly(tt.wait, tt.texts...))
				start := time.Now()
				text, err := c.Stream(t.Context(), "", nil, func(string) error { time.Sleep(tt.yield); return nil })
				if took := time.Since(start); text != tt.text || tools.CodeOf(err) != tt.code || took != tt.took {
					t.Errorf("%q, %v after %v; want %q, %q after %v", text, err, took, tt.text, tt.code, tt.took)
				}
				var failed *tools.Error
				if errors.As(err, &failed) && !failed.Retryable {
					t.Errorf("%#v is not worth another try, want it to be", err)
				}
			})
		})
	}
}

func TestStreamCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := bubble(t, llm.Options{}, 0, slowly(time.Second, part("a")))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Second, cancel)
		start := time.Now()
		text, err := c.Stream(ctx, "", nil, func(string) error { return nil })
		var failed *tools.Error
		if !errors.As(err, &failed) || failed.Code != tools.Timeout || failed.Retryable || text != "a" || time.Since(start) != 5*time.Second {
			t.Errorf("%q, %#v after %v", text, err, time.Since(start))
		}
	})
}

// TestSlowAnswer: a body of single bytes does not hold a call beyond its time.
func TestSlowAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := bubble(t, llm.Options{Timeout: 10 * time.Second}, 0, slowly(time.Second, strings.Split(hello, "")...))
		start := time.Now()
		if _, err := c.Generate(t.Context(), "", nil); tools.CodeOf(err) != tools.Timeout || time.Since(start) != 10*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

// TestEndlessBodies: a server that never stops sending is hung up on early.
func TestEndlessBodies(t *testing.T) {
	const gigabyte = 1 << 30
	for name, piece := range map[string]string{
		"one line": strings.Repeat("x", 1<<16),
		"comments": strings.Repeat(": wait\n", 1<<13),
		"parts":    strings.Repeat(part(strings.Repeat("some words ", 400)), 16),
		"empty":    strings.Repeat(`data: {"id":"`+strings.Repeat("x", 4096)+`"}`+"\n\n", 16),
		"JSON":     `{"choices":` + strings.Repeat(" ", 1<<16),
		"space":    strings.Repeat(" ", 1<<16),
	} {
		for _, how := range []string{"generate", "stream", "embed"} {
			t.Run(name+"/"+how, func(t *testing.T) {
				sent := make(chan int, 1)
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					n := 0
					defer func() { sent <- n }()
					for n < gigabyte {
						k, err := io.WriteString(w, piece)
						if n += k; err != nil {
							return
						}
					}
				}))
				defer server.Close()
				c, err := llm.New(llm.Options{BaseURL: server.URL, Model: "small", Timeout: time.Minute})
				if err != nil {
					t.Fatal(err)
				}
				switch how {
				case "generate":
					_, err = c.Generate(t.Context(), "", nil)
				case "stream":
					_, err = c.Stream(t.Context(), "", nil, func(string) error { return nil })
				case "embed":
					_, err = c.Embed(t.Context(), []string{"x"})
				}
				if tools.CodeOf(err) != tools.BadResult {
					t.Errorf("%v, want bad_result", err)
				}
				if n := <-sent; n > 64<<20 { // 16 MB and what the sockets hold
					t.Errorf("read on for %d bytes", n)
				}
			})
		}
	}
}
