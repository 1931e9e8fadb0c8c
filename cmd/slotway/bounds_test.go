package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/internal/test/programtest"
	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/telemetry"
)

// fewSessions returns a number of sessions that fills every cache.
func fewSessions() int {
	if programtest.Race {
		return 600
	}
	return 1000
}

// boundSessions returns the number of sessions of the test. SLOTWAY_SESSIONS=100000 is the run that
// the documentation quotes, which takes minutes.
func boundSessions(t *testing.T) int {
	t.Helper()
	text := os.Getenv("SLOTWAY_SESSIONS")
	if text == "" {
		return 2 * fewSessions()
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 2000 {
		t.Fatal("SLOTWAY_SESSIONS must be a number from 2000")
	}
	return n
}

// Tolerances: what the heap may hold more after all sessions than after a few, when
// every cache is full (memory.max_conversations is 500); what it may hold for each session
// where all are one user's, whose index of archived conversations knows every one of them;
// how many times as long a turn may take; and how much longer that counts, whatever the
// factor, on a machine that does other things as well.
const (
	boundHeap    = 8 << 20
	boundSession = 400
	boundTime    = 3.0
	boundNoise   = 2 * time.Millisecond
)

// live are the kinds of services with very many live sessions.
var live = []struct {
	name string
	user func(i int) string
	heap int64 // for each session
}{
	{"each of another user", func(i int) string { return fmt.Sprintf("user-%d", i) }, 0},
	{"nobody says who they are", func(int) string { return "local" }, boundSession},
}

// TestManyLiveSessions: the heap of a service with very many live sessions is that of a service
// with few, because memory.max_conversations bounds it. With SLOTWAY_SESSIONS a turn must not take
// longer either, while the jobs of all those sessions wait and when they are done.
// jobs.TestJobsGiveWay shows that jobs give way to turns.
func TestManyLiveSessions(t *testing.T) {
	programtest.TakesLong(t)
	if testing.Short() {
		t.Skip("opens thousands of sessions")
	}
	for _, c := range live {
		t.Run(c.name, func(t *testing.T) {
			m := openMany(t, c.user)
			few, all := fewSessions(), boundSessions(t)
			m.open(t, 0, few)
			m.drain(t)
			heap, turn := heapBytes(), m.medianTurn(t, few, 0)
			m.open(t, few, all)
			begun := m.done.Load()
			busy := m.medianTurn(t, all, 1)
			during, left := m.done.Load()-begun, int64(m.opened)-m.done.Load()
			m.drain(t)
			heapAll, turnAll := heapBytes(), m.medianTurn(t, all, 2)
			t.Logf("%d sessions: heap %.1f MB, median turn %s; %d sessions: heap %.1f MB, median turn %s, and %s while jobs are worked off (%d were, %d were left)",
				few, mb(heap), turn, all, mb(heapAll), turnAll, busy, during, left)
			if most := boundHeap + c.heap*int64(all-few); heapAll-heap > most {
				t.Errorf("the heap grew by %.1f MB, %.1f are tolerated", mb(heapAll-heap), mb(most))
			}
			if os.Getenv("SLOTWAY_SESSIONS") == "" {
				return // beside other tests times say nothing
			}
			for what, took := range map[string]time.Duration{"with all jobs done": turnAll, "while jobs are worked off": busy} {
				if ratio := took.Seconds() / turn.Seconds(); ratio > boundTime && took-turn > boundNoise {
					t.Errorf("%s a turn takes %.1f times as long, %.1f are tolerated", what, ratio, boundTime)
				}
			}
		})
	}
}

// many is a service with very many sessions, each of which makes one job when it begins.
type many struct {
	*slotway.Runtime
	user   func(i int) string
	opened int
	done   atomic.Int64  // jobs
	ended  chan struct{} // gets something after each job, if nothing is in it
}

// Record counts jobs; it is the telemetry of the service.
func (m *many) Record(e telemetry.Event) {
	job, ok := e.Payload.(telemetry.Job)
	if !ok || job.Outcome != "done" && e.Level != telemetry.LevelError { // one that is given up is found by drain
		return
	}
	m.done.Add(1)
	select {
	case m.ended <- struct{}{}:
	default:
	}
}

func openMany(t *testing.T, user func(i int) string) *many {
	t.Helper()
	m := &many{user: user, ended: make(chan struct{}, 1)}
	var err error
	m.Runtime, err = runtimetest.Try(t.Context(), runtimetest.Config{Data: t.TempDir(), Set: []string{
		"memory.durability=relaxed", "memory.strategy=hybrid", "memory.compression.archive_conversations=true",
	}, Options: slotway.Options{Sink: m}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := (&benchFlags{}).warmUp(t.Context(), m.Runtime); err != nil {
		t.Fatal(err)
	}
	m.opened = warmSessions
	return m
}

// drain waits until all sessions' jobs are done.
func (m *many) drain(t *testing.T) {
	t.Helper()
	for m.done.Load() < int64(m.opened) {
		select {
		case <-m.ended:
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		}
	}
	if left, err := m.Store().Jobs(t.Context(), memory.JobQuery{}); err != nil || len(left) > 0 {
		t.Fatalf("%d jobs are left (%v)", len(left), err)
	}
}

func mb(bytes int64) float64 { return float64(bytes) / (1 << 20) }

func (m *many) key(i int) memory.Key {
	k := (&benchFlags{}).key(m.Runtime, fmt.Sprintf("live-%d", i))
	k.UserID = m.user(i)
	return k
}

// open begins sessions from one number up to, not including, another.
func (m *many) open(t *testing.T, from, until int) {
	t.Helper()
	const clients = 32
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			for i := from + c; i < until; i += clients {
				if _, err := (&slot{key: m.key(i)}).turn(t.Context(), m.Runtime); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	m.opened += until - from
}

// medianTurn goes on in sessions that are spread over all of them, most of which are in no
// cache; those from another offset each time.
func (m *many) medianTurn(t *testing.T, sessions, offset int) time.Duration {
	t.Helper()
	var took []time.Duration
	for i := range 200 {
		d, err := (&slot{key: m.key(i*sessions/200 + offset), n: 1}).turn(t.Context(), m.Runtime)
		if err != nil {
			t.Fatal(err)
		}
		took = append(took, d)
	}
	slices.Sort(took)
	return took[len(took)/2]
}
