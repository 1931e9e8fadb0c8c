package reach

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/internal/test/channeltest"
	"github.com/slotway/slotway/internal/test/runtimetest"
)

// patience is how long a test waits for what must happen at last. A job of a process that was killed
// waits for its lease.
const patience = 2 * time.Minute

// desk is a service with fakes of all platforms.
type desk struct {
	*runtimetest.Runtime

	url       string
	platforms []channeltest.Platform
}

// openDesk opens the agent of testdata/notes.yaml.
func openDesk(t *testing.T, set ...string) *desk {
	d := &desk{platforms: channeltest.All(t)}
	set = append([]string{"telemetry.log=none", "server.limits.rate=0"}, set...)
	for _, p := range d.platforms {
		set = append(set, p.Settings()...)
		for name, value := range p.Env() {
			t.Setenv(name, value)
		}
	}
	d.Runtime = runtimetest.Open(t, runtimetest.Config{File: "testdata/notes.yaml", Set: set, Options: slotway.Options{Access: everyUser{}}})
	server := httptest.NewServer(runtimetest.Checked(t, runtimetest.Serve(d.Runtime)))
	t.Cleanup(server.Close)
	d.url = server.URL
	return d
}

// deliver sends a request of a platform, which must be acknowledged.
func deliver(t *testing.T, r *http.Request) string {
	t.Helper()
	status, body, err := try(r)
	if err != nil || status >= 300 {
		t.Fatalf("a delivery was answered with %d %s, %v", status, body, err)
	}
	return body
}

func try(r *http.Request) (status int, body string, err error) {
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

// until waits until a condition holds.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// sees waits until a person has got as many messages as are wanted, and compares them.
func sees(t *testing.T, p channeltest.Platform, person int, want ...string) []channeltest.Said {
	t.Helper()
	until(t, fmt.Sprintf("person %d of %s has %d messages", person, p.Name(), len(want)), func() bool { return len(p.Screen(person)) >= len(want) })
	got := p.Screen(person)
	if diff := cmp.Diff(want, channeltest.Texts(got)); diff != "" {
		t.Fatalf("person %d of %s: -want +got\n%s", person, p.Name(), diff)
	}
	return got
}

// onEach runs a test for every platform, all at once, and waits for them.
func (d *desk) onEach(t *testing.T, test func(t *testing.T, p channeltest.Platform)) {
	t.Run("on", func(t *testing.T) {
		for _, p := range d.platforms {
			t.Run(p.Name(), func(t *testing.T) {
				t.Parallel()
				test(t, p)
			})
		}
	})
}

func numbered(n int) (want []string) {
	for i := range n {
		want = append(want, fmt.Sprintf("Noted %d.", i+1))
	}
	return want
}

// shuffled returns 1..n twice, each at most reach places from where it belongs.
func shuffled(n, reach int, pick func(int) int) []int {
	var out []int
	for i := range n {
		out = append(out, i+1, i+1)
	}
	for i := range out {
		j := min(i+pick(reach+1), len(out)-1)
		out[i], out[j] = out[j], out[i]
	}
	return slices.Clip(out)
}
