//go:build failpoint

package sqlite

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// points are all fail points of the package, and how often each is passed before the
// process dies there.
var points = []struct {
	name  string
	times int
}{
	{"before_begin", 40},
	{"after_begin", 40},
	{"after_statement", 300}, // in the midst of a commit, or of a deletion
	{"before_commit", 40},
	{"after_commit", 40},
}

const (
	failpointFile = "SLOTWAY_TEST_FAILPOINT_FILE"
	talkers       = 4
)

// ledger is what a process acknowledged before it died.
type ledger struct {
	turns   [talkers]int64
	started [talkers]map[string]bool
	views   [talkers]int64
	made    int64 // sessions that came and went
	erased  int64
	lines   int
}

// TestFailPoints has a process under load die at each point, several times on one file, and
// compares what is then there with what it had acknowledged.
//
//	go test -tags failpoint ./memory/sqlite -run FailPoints
func TestFailPoints(t *testing.T) {
	if file := os.Getenv(failpointFile); file != "" {
		acknowledge(t, file)
		return
	}
	for _, point := range points {
		t.Run(point.name, func(t *testing.T) {
			t.Parallel()
			file := newFile(t)
			l := &ledger{}
			for i := range l.started {
				l.started[i] = map[string]bool{}
			}
			for round := range 3 {
				lines := l.lines
				dieAt(t, file, fmt.Sprintf("%s:%d", point.name, point.times+round), l)
				if l.lines == lines {
					t.Error("nothing was acknowledged before the point: the run proves nothing")
				}
				l.compare(t, file)
			}
		})
	}
}

// dieAt runs this test binary until it dies by the fail point, and keeps the ledger.
func dieAt(t *testing.T, file, point string, l *ledger) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFailPoints$")
	cmd.Env = append(os.Environ(), failpointFile+"="+file, failpointEnv+"="+point)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	scan := bufio.NewScanner(out)
	for scan.Scan() {
		var what string
		var i int
		var n int64
		if _, err := fmt.Sscan(scan.Text(), &what, &i, &n); err != nil {
			t.Logf("the process says: %s", scan.Text())
			continue
		}
		l.lines++
		switch what {
		case "turn":
			l.turns[i] = max(l.turns[i], n)
		case "start":
			l.started[i][startKey(n)] = true
		case "view":
			l.views[i] = max(l.views[i], n)
		case "made":
			l.made = max(l.made, n)
		case "erased":
			l.erased = max(l.erased, n)
		}
	}
	var ended *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &ended) || ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the process did not die at %s: %v", point, err)
	}
}

func startKey(turn int64) string { return fmt.Sprint("call-", turn) }

func guest(n int64) memory.Key {
	return memory.Key{UserID: "guest", AgentID: "agent", SessionID: fmt.Sprint("guest-", n)}
}

// compare holds the ledger against the file: what was acknowledged is there, in order; what
// was not is whole or absent.
func (l *ledger) compare(t *testing.T, file string) {
	t.Helper()
	mustBeSound(t, file) // no half turn, no row of no session, no gap
	store, err := Open(t.Context(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for i := range talkers {
		snap := mustLoad(t, store, benchKey(i), memory.LoadOptions{Recent: 10_000})
		if snap.Turns < l.turns[i] || snap.Turns > l.turns[i]+1 {
			t.Errorf("session %d: %d turns, %d were acknowledged", i, snap.Turns, l.turns[i])
		}
		if int64(len(snap.Recent)) != 2*snap.Turns || snap.State.Version != snap.Turns {
			t.Errorf("session %d: %d messages, version %d of %d turns", i, len(snap.Recent), snap.State.Version, snap.Turns)
		}
		l.turns[i] = snap.Turns
		steps, err := store.Steps(t.Context(), benchKey(i))
		if err != nil {
			t.Fatal(err)
		}
		there := map[string]memory.StepStatus{}
		for _, s := range steps {
			if there[s.IdempotencyKey] != "" {
				t.Errorf("session %d: call %s is there twice", i, s.IdempotencyKey)
			}
			there[s.IdempotencyKey] = s.Status
			if done := s.Turn <= snap.Turns; done != (s.Status == memory.StepDone) {
				t.Errorf("session %d: call of turn %d is %s after %d turns", i, s.Turn, s.Status, snap.Turns)
			}
		}
		for key := range l.started[i] {
			if there[key] == "" {
				t.Errorf("session %d: call %s was acknowledged as started and is not there", i, key)
			}
		}
		views, err := store.Views(t.Context(), memory.ViewQuery{UserID: "user", AgentID: "agent", SessionID: benchKey(i).SessionID, Tier: "summary"})
		if err != nil || l.views[i] > 0 && (len(views) != 1 || views[0].UpTo < l.views[i]) {
			t.Errorf("session %d: views %v, %v; %d was acknowledged", i, views, err, l.views[i])
		}
	}
	for n := int64(1); n <= l.made; n++ {
		snap := mustLoad(t, store, guest(n), memory.LoadOptions{Recent: 9})
		if n <= l.erased && snap.State.Version != 0 {
			t.Errorf("guest %d was erased and is there", n)
		}
		if n > l.erased+1 && snap.State.Version == 0 {
			t.Errorf("guest %d was acknowledged and is not there", n)
		}
	}
}

// acknowledge is the load: turns with a call each, views, and sessions that come and go.
func acknowledge(t *testing.T, file string) {
	store := open(t, file, &Options{checkpoint: 16})
	var mu sync.Mutex
	say := func(what string, i int, n int64) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Println(what, i, n)
	}
	must := func(err error) {
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	deadline := time.Now().Add(time.Minute)
	var wg sync.WaitGroup
	for i := range talkers {
		wg.Go(func() {
			for time.Now().Before(deadline) {
				key := benchKey(i)
				snap, err := store.Load(t.Context(), key, memory.LoadOptions{Recent: 4})
				must(err)
				d := turnOf(key, snap, time.Now())
				step := memory.Step{IdempotencyKey: startKey(d.Turn.Number), Tool: "buy", Turn: d.Turn.Number, StartedAt: time.Now()}
				if err := store.Start(t.Context(), key, d.Base, step); !errors.Is(err, memory.ErrStarted) { // by the process before
					must(err)
				}
				say("start", i, d.Turn.Number)
				step.Status = memory.StepDone
				d.Steps, d.Jobs = []memory.Step{step}, []memory.WantedJob{{Kind: "summary"}}
				must(store.Commit(t.Context(), d))
				say("turn", i, d.Turn.Number)
				v := memory.View{Key: key, Tier: "summary", ID: "all", UpTo: d.Turn.Number, At: time.Now(), Data: []byte("said")}
				_, err = store.PutViews(t.Context(), []memory.View{v})
				must(err)
				say("view", i, d.Turn.Number)
			}
		})
	}
	wg.Go(func() { comeAndGo(t, store, say, must, deadline) })
	wg.Wait()
}

// comeAndGo makes sessions and erases them, one behind.
func comeAndGo(t *testing.T, store *sqlstore.Store, say func(string, int, int64), must func(error), deadline time.Time) {
	n := int64(1)
	for ; ; n++ { // go on where the process before ended
		snap, err := store.Load(t.Context(), guest(n), memory.LoadOptions{})
		must(err)
		if n > 1 && snap.State.Version != 0 {
			break
		}
		if n > 2000 {
			n = 1
			break
		}
	}
	for ; time.Now().Before(deadline); n++ {
		snap, err := store.Load(t.Context(), guest(n), memory.LoadOptions{})
		must(err)
		if snap.State.Version == 0 {
			must(store.Commit(t.Context(), turnOf(guest(n), snap, time.Now())))
		}
		say("made", 0, n)
		if n > 1 {
			if err := store.Delete(t.Context(), guest(n-1)); !errors.Is(err, memory.ErrNotFound) {
				must(err)
			}
			say("erased", 0, n-1)
		}
	}
}
