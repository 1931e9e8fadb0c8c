package reach

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/channeltest"
	"github.com/slotway/slotway/internal/test/programtest"
)

// TestKilled kills the service again and again while people write on all platforms, whose deliveries
// come twice, out of order, and until they are acknowledged. At the end each message was answered
// once, and the answers came in the order of the turns. Telegram cannot be asked what was sent: a kill
// between its taking a message and the move of the mark may say that one message twice in a row.
func TestKilled(t *testing.T) {
	programtest.TakesLong(t)
	const people, messages, kills = 4, 15, 12
	platforms := channeltest.All(t)
	agent, err := filepath.Abs("testdata/notes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--agent", agent}
	for _, p := range platforms {
		p.Fail(slowly(p))
		for _, set := range p.Settings() {
			args = append(args, "--set", set)
		}
		for name, value := range p.Env() {
			t.Setenv(name, value)
		}
	}
	service := programtest.Start(t, t.TempDir(), args...)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // of a test

	var all sync.WaitGroup
	for _, p := range platforms {
		for person := 1; person <= people; person++ {
			order := shuffled(messages, 4, random.IntN)
			all.Go(func() {
				for _, n := range order {
					time.Sleep(300 * time.Millisecond) // so that people write as long as the service is killed
					until(t, "a delivery is acknowledged", func() bool {
						status, _, err := try(p.Delivery(t, service.URL, person, n, fmt.Sprintf("take note %d", n)))
						return err == nil && status < 300
					})
				}
			})
		}
	}
	for range kills {
		time.Sleep(time.Duration(100+random.IntN(900)) * time.Millisecond) // when a kill comes is drawn
		service.Kill()
		service.Restart(t)
	}
	all.Wait()
	for _, p := range platforms {
		for person := 1; person <= people; person++ {
			said := func() []string { return unrepeated(p, channeltest.Texts(p.Screen(person))) }
			until(t, fmt.Sprintf("person %d of %s has all answers", person, p.Name()), func() bool { return len(said()) >= messages })
			once(t, said(), messages)
		}
	}
	service.Stop(t)
	for _, p := range platforms {
		t.Logf("%s: %d messages were sent to %d people", p.Name(), total(p, people), people)
	}
}

// slowly has every third message answered long after it was taken, so that kills fall between.
func slowly(p channeltest.Platform) func(w http.ResponseWriter, r *http.Request) bool {
	var n atomic.Int32
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost || n.Add(1)%3 != 0 {
			return false
		}
		p.Answer(w, r)
		time.Sleep(150 * time.Millisecond)
		return true
	}
}

// unrepeated drops repetitions in a row where a platform does not let one look.
func unrepeated(p channeltest.Platform, texts []string) []string {
	var out []string
	for i, text := range texts {
		if i == 0 || text != texts[i-1] || p.Looks() {
			out = append(out, text)
		}
	}
	return out
}

func total(p channeltest.Platform, people int) int {
	n := 0
	for person := 1; person <= people; person++ {
		n += len(p.Screen(person))
	}
	return n
}
