package conversation

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/slotway/slotway/internal/test/programtest"
)

// tally counts what does not hold, by kind.
type tally struct {
	mu    sync.Mutex
	tried int
	kinds map[string][]string
}

func (c *tally) try() { c.mu.Lock(); c.tried++; c.mu.Unlock() }

func (c *tally) add(kind, format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kinds == nil {
		c.kinds = map[string][]string{}
	}
	c.kinds[kind] = append(c.kinds[kind], fmt.Sprintf(format, args...))
}

// held compares the counts with those that are known. A kind that is not among them must not
// be there at all, and a write or an error is never known. SLOTWAY_TALK_SHOW=1 prints every case. With another number of drawn agents
// only what does harm fails: the known counts are those of plain `go test`.
func (c *tally) held(t *testing.T, known map[string]int) {
	t.Helper()
	show := os.Getenv("SLOTWAY_TALK_SHOW") != ""
	for _, kind := range slices.Sorted(maps.Keys(known)) {
		if strings.HasPrefix(kind, "WRITE") || strings.HasPrefix(kind, "ERROR") {
			t.Errorf("%s: nothing is allowed", kind)
		}
		if n := len(c.kinds[kind]); n < known[kind] && !programtest.Race {
			t.Logf("%s: %d, known were %d: lower it", kind, n, known[kind])
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(c.kinds)) {
		list := c.kinds[kind]
		slices.Sort(list)
		t.Logf("%s: %d of %d", kind, len(list), c.tried)
		allowed, isKnown := known[kind]
		if isKnown && os.Getenv("SLOTWAY_TALK_DRAWS") != "" {
			allowed = len(list)
		}
		if more := len(list) > allowed; more || show {
			if more {
				t.Errorf("%s: %d, known are %d", kind, len(list), known[kind])
			}
			for i, line := range list {
				if i == 40 && !show {
					t.Logf("  and %d more", len(list)-i)
					break
				}
				t.Log("  " + line)
			}
		}
	}
}
