//go:build unix

package sqlite

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// mustBeCertain says whether a session is cached and true without a look into the file.
func mustBeCertain(t *testing.T, s *Store, key memory.Key, want bool, when string) {
	t.Helper()
	if _, certain := s.cache.get(key); certain != want {
		t.Errorf("%s: certain is %v, want %v", when, certain, want)
	}
}

// What is cached is certain until somebody else commits, and again once it was compared.
func TestCertainUntilSomebodyElseCommits(t *testing.T) {
	file := newFile(t)
	a, b := open(t, file, nil), open(t, file, nil)
	if a.cache.watch == nil {
		t.Skip("no WAL index in memory here")
	}
	one, two := benchKey(1), benchKey(2)
	oneTurnOf(t, a, one)
	oneTurnOf(t, a, two)
	mustBeCertain(t, a, one, true, "after commits of our own")
	mustBeCertain(t, b, one, false, "never loaded")
	mustLoad(t, b, one, memory.LoadOptions{Recent: 4})
	oneTurnOf(t, b, two)
	mustBeCertain(t, a, one, false, "after a commit of another")
	mustBeCertain(t, a, two, false, "after a commit of another")
	oneTurnOf(t, a, one)
	mustBeCertain(t, a, one, false, "committed on what was not certain")
	mustBeCertain(t, a, two, false, "changed by another")
	mustLoad(t, a, one, memory.LoadOptions{Recent: 4})
	mustLoad(t, a, two, memory.LoadOptions{Recent: 4})
	mustBeCertain(t, a, one, true, "compared")
	mustBeCertain(t, a, two, true, "read again")
	if err := a.Describe(t.Context(), one, memory.About{Title: "x"}); err != nil {
		t.Fatal(err)
	}
	mustBeCertain(t, a, one, false, "described")
	mustBeCertain(t, a, two, true, "a commit of our own to another session")
	if err := a.Start(t.Context(), two, 2, memory.Step{IdempotencyKey: "k"}); err != nil {
		t.Fatal(err)
	}
	mustBeCertain(t, a, two, true, "a call was started")
	if snap := mustLoad(t, a, two, memory.LoadOptions{}); len(snap.OpenSteps) != 1 {
		t.Errorf("%d calls under way, want 1", len(snap.OpenSteps))
	}
}

// A checkpoint that begins the log anew is no commit, and one that cuts it off is taken for one.
func TestCertainOverCheckpoints(t *testing.T) {
	file := newFile(t)
	s := open(t, file, &Options{Durability: Relaxed, CheckpointBytes: 64 << 10, MaxWALBytes: 128 << 10})
	if s.cache.watch == nil {
		t.Skip("no WAL index in memory here")
	}
	uncertain := 0
	for range 400 {
		oneTurnOf(t, s, benchKey(1))
		if _, certain := s.cache.get(benchKey(1)); !certain {
			uncertain++
		}
	}
	if uncertain > 40 {
		t.Errorf("%d of 400 times not certain", uncertain)
	}
	if snap := mustLoad(t, s, benchKey(1), memory.LoadOptions{Fresh: true}); snap.Turns != 400 {
		t.Errorf("%d turns", snap.Turns)
	}
}

// Another process commits and tells of it. Who has the sessions cached sees each of its commits from
// that moment on, also between commits of its own.
func TestNothingStaleBesideAnotherProcess(t *testing.T) {
	file := newFile(t)
	s := open(t, file, nil)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKill$")
	cmd.Env = append(os.Environ(), killFile+"="+string(Durable)+":"+file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	}()
	for n := range 300 {
		var session int
		var turn int64
		if _, err := fmt.Fscanf(out, "%d %d\n", &session, &turn); err != nil {
			t.Fatalf("the process ended by itself: %v", err)
		}
		snap := mustLoad(t, s, benchKey(session), memory.LoadOptions{Recent: 4})
		if snap.Turns < turn || snap.Recent[len(snap.Recent)-1].Turn != snap.Turns {
			t.Fatalf("turn %d was acknowledged, %d are seen", turn, snap.Turns)
		}
		if n%3 == 0 {
			own := benchKey(100 + n%2)
			err := s.Commit(t.Context(), turnOf(own, mustLoad(t, s, own, memory.LoadOptions{Recent: 4}), time.Now()))
			if err != nil && !errors.Is(err, memory.ErrUnavailable) { // on a busy machine the other never lets go of the file
				t.Fatal(err)
			}
		}
	}
}

// A request id of a cached session is found again, however many turns there are.
func TestRequestsOfACachedSession(t *testing.T) {
	s := open(t, newFile(t), &Options{Durability: Relaxed})
	for n := range maxRequests + 5 {
		oneTurnOf(t, s, benchKey(1))
		for _, turn := range []int{1, n + 1} {
			id := fmt.Sprintf("request-%016x", uint64(turn)*0x9e3779b97f4a7c15)
			snap := mustLoad(t, s, benchKey(1), memory.LoadOptions{RequestID: id})
			if snap.Replay == nil || snap.Replay.Number != int64(turn) {
				t.Fatalf("after %d turns the request of turn %d is not found", n+1, turn)
			}
		}
		if snap := mustLoad(t, s, benchKey(1), memory.LoadOptions{RequestID: "new"}); snap.Replay != nil {
			t.Fatal("a request that was never sent is found")
		}
	}
}

// Stores that come and go leave no descriptor open.
func TestWatchesAreClosed(t *testing.T) {
	opened := func() (n int) {
		for fd := range 4096 {
			if _, _, e := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFD, 0); e == 0 {
				n++
			}
		}
		return n
	}
	before := 0
	for n := range 30 {
		s := open(t, newFile(t), nil)
		oneTurnOf(t, s, benchKey(1))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if n == 5 {
			before = opened()
		}
	}
	if after := opened(); after > before+3 {
		t.Errorf("%d descriptors, after 25 stores %d", before, after)
	}
}
