package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// boundSessions is how many sessions the bound is shown with: SLOTWAY_SESSIONS=100000 is what
// the documentation quotes, and takes minutes.
func boundSessions(t *testing.T) int {
	t.Helper()
	text := os.Getenv("SLOTWAY_SESSIONS")
	if text == "" {
		return 4000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 4000 {
		t.Fatal("SLOTWAY_SESSIONS must be a number from 4000")
	}
	return n
}

// Tolerances: what the heap may hold more after all sessions than after a thousand, when
// every cache is full (memory.max_conversations is 500), and how many times as long a turn
// may take.
const (
	boundHeap = 8 << 20
	boundTime = 3.0
)

// The heap of a service with very many live sessions is that of one with a thousand: what
// memory holds is bounded by memory.max_conversations, not by how many there are. Neither
// does a turn cost more.
func TestManyLiveSessions(t *testing.T) {
	if testing.Short() {
		t.Skip("opens thousands of sessions")
	}
	all := boundSessions(t)
	dir := t.TempDir()
	a, err := newApp(t.Context(), &flags{data: dir, set: []string{"memory.durability=relaxed", "telemetry.log=" + filepath.Join(dir, "log")}}, parts{observed: true})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if err := warmUp(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	openSome(t, a, 0, 1000)
	heap, turn := heapBytes(), medianTurn(t, a, 1000, 0)
	openSome(t, a, 1000, all)
	heapAll, turnAll := heapBytes(), medianTurn(t, a, all, 1)
	t.Logf("1,000 sessions: heap %.1f MB, median turn %s; %d sessions: heap %.1f MB, median turn %s", mb(heap), turn, all, mb(heapAll), turnAll)
	if heapAll-heap > boundHeap {
		t.Errorf("the heap grew by %.1f MB, %.1f are tolerated", mb(heapAll-heap), mb(boundHeap))
	}
	if ratio := turnAll.Seconds() / turn.Seconds(); ratio > boundTime {
		t.Errorf("a turn takes %.1f times as long, %.1f are tolerated", ratio, boundTime)
	}
}

func mb(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// ownKey is the session of a user of its own: an index of all that one user has said grows
// with what they say, and is bounded by itself.
func ownKey(a *app, i int) memory.Key {
	k := benchKey(a, fmt.Sprintf("live-%d", i))
	k.UserID = fmt.Sprintf("user-%d", i)
	return k
}

// openSome begins sessions from one number up to, not including, another.
func openSome(t *testing.T, a *app, from, until int) {
	t.Helper()
	const clients = 32
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			for i := from + c; i < until; i += clients {
				if _, err := (&slot{key: ownKey(a, i)}).turn(t.Context(), a); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// medianTurn goes on in sessions that are spread over all of them, most of which are in no
// cache; those from another offset each time.
func medianTurn(t *testing.T, a *app, sessions, offset int) time.Duration {
	t.Helper()
	var took []time.Duration
	for i := range 200 {
		d, err := (&slot{key: ownKey(a, i*sessions/200+offset), n: 1}).turn(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		took = append(took, d)
	}
	slices.Sort(took)
	return took[len(took)/2]
}
