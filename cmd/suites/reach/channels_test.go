package reach

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/slotway/slotway/internal/test/channeltest"
	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/internal/test/telemetrytest"
)

// A message is answered, and a second delivery of it is not, whatever stores it.
func TestAnswersOnce(t *testing.T) {
	runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
		d := openDesk(t, set...)
		d.onEach(t, func(t *testing.T, p channeltest.Platform) {
			deliver(t, p.Delivery(t, d.url, 1, 1, "take note 1"))
			sees(t, p, 1, "Noted 1.")
			deliver(t, p.Delivery(t, d.url, 1, 1, "take note 1"))
			deliver(t, p.Delivery(t, d.url, 1, 2, "take note 2"))
			sees(t, p, 1, "Noted 1.", "Noted 2.")
		})
	})
}

// Messages that overtake one another, each delivered twice and at the same time, are answered once
// and in the order in which they were sent. Twilio gives no order: there each is answered once.
func TestOutOfOrder(t *testing.T) {
	const messages, people = 8, 3
	d := openDesk(t, "channels.settle=500ms")
	d.onEach(t, func(t *testing.T, p channeltest.Platform) {
		var all sync.WaitGroup
		for person := 1; person <= people; person++ {
			for _, n := range shuffled(messages, 6, rand.IntN) {
				all.Go(func() { deliver(t, p.Delivery(t, d.url, person, n, fmt.Sprintf("take note %d", n))) })
			}
		}
		all.Wait()
		for person := 1; person <= people; person++ {
			if p.Name() == "twilio" {
				until(t, "all are answered", func() bool { return len(p.Screen(person)) >= messages })
				once(t, channeltest.Texts(p.Screen(person)), messages)
				continue
			}
			sees(t, p, person, numbered(messages)...)
		}
	})
}

func once(t *testing.T, texts []string, n int) {
	t.Helper()
	seen := map[string]int{}
	for _, text := range texts {
		seen[text]++
	}
	for _, want := range numbered(n) {
		if seen[want] != 1 {
			t.Errorf("%q was said %d times", want, seen[want])
		}
	}
}

// Options are buttons. A button that is pressed twice counts once, and an old one answers nothing:
// the newest question is asked again.
func TestButtons(t *testing.T) {
	d := openDesk(t)
	d.onEach(t, func(t *testing.T, p channeltest.Platform) {
		if p.Name() == "twilio" {
			deliver(t, p.Delivery(t, d.url, 1, 1, "paint my wall please"))
			sees(t, p, 1, "Which colour?\nred / green / blue")
			return
		}
		deliver(t, p.Delivery(t, d.url, 1, 1, "paint my wall please"))
		asked := sees(t, p, 1, "Which colour?")[0]
		if strings.Join(asked.Options, " ") != "red green blue" {
			t.Fatalf("options %q", asked.Options)
		}
		for range 2 {
			deliver(t, p.Press(t, d.url, 1, 2, asked.Values[1]))
		}
		sees(t, p, 1, "Which colour?", "Shall I paint the wall green?")
		deliver(t, p.Press(t, d.url, 1, 3, asked.Values[0]))
		confirm := sees(t, p, 1, "Which colour?", "Shall I paint the wall green?", "Shall I paint the wall green?")[2]
		deliver(t, p.Press(t, d.url, 1, 4, confirm.Values[0]))
		sees(t, p, 1, "Which colour?", "Shall I paint the wall green?", "Shall I paint the wall green?", "The wall is painted.")
		deliver(t, p.Press(t, d.url, 1, 5, "99:7:abc")) // nothing that was ever offered
		deliver(t, p.Delivery(t, d.url, 1, 6, "take note 1"))
		sees(t, p, 1, "Which colour?", "Shall I paint the wall green?", "Shall I paint the wall green?", "The wall is painted.", "Noted 1.")
	})
}

// In a group everybody sees the buttons of everybody. One that somebody else was asked does nothing.
func TestButtonsOfOthers(t *testing.T) {
	d := openDesk(t)
	d.onEach(t, func(t *testing.T, p channeltest.Platform) {
		if p.Name() == "twilio" {
			return // there are no buttons
		}
		var asked [2]channeltest.Said
		for i := range asked {
			deliver(t, p.Delivery(t, d.url, i+1, 1, "paint my wall please"))
			asked[i] = sees(t, p, i+1, "Which colour?")[0]
		}
		deliver(t, p.Press(t, d.url, 2, 2, asked[0].Values[1]))
		deliver(t, p.Press(t, d.url, 2, 3, asked[1].Values[0]))
		sees(t, p, 2, "Which colour?", "Shall I paint the wall red?")
		sees(t, p, 1, "Which colour?")
	})
}

// A request that the platform has not signed reaches nobody.
func TestUnsigned(t *testing.T) {
	d := openDesk(t)
	d.onEach(t, func(t *testing.T, p channeltest.Platform) {
		for name := range p.Delivery(t, d.url, 1, 1, "take note 1").Header {
			if name == "Content-Type" {
				continue
			}
			for _, value := range []string{"", "1", "v1,AAAA"} {
				r := p.Delivery(t, d.url, 1, 1, "take note 1")
				r.Header.Set(name, value)
				if status, body, err := try(r); err != nil || status != http.StatusUnauthorized || !strings.Contains(body, "bad_signature") {
					t.Errorf("%s: %q: %d %s %v", name, value, status, body, err)
				}
			}
		}
		deliver(t, p.Delivery(t, d.url, 1, 2, "take note 2"))
		sees(t, p, 1, "Noted 2.")
	})
}

// fault makes a platform fail in a way, for some requests.
type fault struct {
	name  string
	taken bool // the platform takes the message nevertheless
	fail  func(w http.ResponseWriter, r *http.Request)
}

var faults = []fault{
	{"too many requests", false, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
	}},
	{"down", false, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }},
	{"hangs up before", false, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
	{"hangs up after", true, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
}

// A platform that fails gets each message later, in order, and once if it lets one look.
func TestPlatformFails(t *testing.T) {
	d := openDesk(t)
	person := 0
	for _, f := range faults {
		person++
		t.Run(f.name, func(t *testing.T) {
			d.onEach(t, func(t *testing.T, p channeltest.Platform) {
				var left atomic.Int32
				left.Store(2)
				p.Fail(func(w http.ResponseWriter, r *http.Request) bool {
					if r.Method != http.MethodPost || left.Add(-1) < 0 {
						return false
					}
					if f.taken {
						p.Answer(httptest.NewRecorder(), r)
					}
					f.fail(w, r)
					return true
				})
				for n := 1; n <= 3; n++ {
					deliver(t, p.Delivery(t, d.url, person, n, fmt.Sprintf("take note %d", n)))
				}
				want := numbered(3)
				if f.taken && !p.Looks() { // the first one was taken twice, and its third attempt is the one that counts
					want = append([]string{want[0], want[0]}, want...)
				}
				sees(t, p, person, want...)
			})
		})
	}
}

// No log has what people say, their numbers, or a secret of a platform, also when sending fails.
func TestNothingInTheLog(t *testing.T) {
	log := filepath.Join(t.TempDir(), "telemetry.jsonl")
	d := openDesk(t, "telemetry.log="+log)
	canaries := []string{"Canary Lane", "5550200001"}
	for _, p := range d.platforms {
		canaries = slices.AppendSeq(canaries, maps.Values(p.Env()))
	}
	d.onEach(t, func(t *testing.T, p channeltest.Platform) {
		var left atomic.Int32
		left.Store(2)
		p.Fail(func(w http.ResponseWriter, r *http.Request) bool {
			switch {
			case r.Method != http.MethodPost || left.Load() <= 0:
				return false
			case left.Add(-1) == 1:
				panic(http.ErrAbortHandler)
			}
			w.WriteHeader(http.StatusBadRequest) // Slack answers 200 whatever it thinks: there it is tried again
			return true
		})
		deliver(t, p.Delivery(t, d.url, 1, 1, "i live in Canary Lane"))
		until(t, "the first answer has failed", func() bool { return left.Load() == 0 })
		deliver(t, p.Delivery(t, d.url, 1, 2, "take note 2"))
		until(t, "the second answer has come", func() bool { return slices.Contains(channeltest.Texts(p.Screen(1)), "Noted 2.") })
	})
	d.Close()
	lines, err := os.ReadFile(log)
	if err != nil || !bytes.Contains(lines, []byte("deliver_")) || !bytes.Contains(lines, []byte("not_delivered")) {
		t.Fatalf("the log does not tell of it: %v\n%s", err, lines)
	}
	for _, canary := range canaries {
		if bytes.Contains(lines, []byte(canary)) {
			t.Errorf("%q is in the log", canary)
		}
	}
	telemetrytest.Lines(t, lines)
}
