package sqlite

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/disktest"
	"github.com/slotway/slotway/memory"
)

// busyLog moves and begins the log anew every few turns.
var busyLog = &Options{checkpoint: 12}

// What was acknowledged is on the disk when the caller is told: the turn, the file, its name and
// the folders above it.
func TestAcknowledgedOutlastsPowerCuts(t *testing.T) {
	disk := disktest.New(t)
	store := open(t, fileOf(disk.Root), busyLog)
	acknowledged := make([]int64, 3)
	for n := range 12 {
		oneTurnOf(t, store, benchKey(n%len(acknowledged)))
		acknowledged[n%len(acknowledged)]++
		mustHold(t, "after a turn", fileOf(disk.Cut(nil)), acknowledged...)
		if t.Failed() {
			t.Fatalf("after turn %d", n+1)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	mustHold(t, "closed", fileOf(disk.Cut(nil)), acknowledged...)
}

// The control: commits that nobody syncs are lost, or the tests here could not fail.
func TestRelaxedLosesToPowerCuts(t *testing.T) {
	disk := disktest.New(t)
	store := open(t, fileOf(disk.Root), &Options{Durability: Relaxed})
	for range 5 {
		oneTurnOf(t, store, benchKey(0))
	}
	left := open(t, fileOf(disk.Cut(nil)), nil)
	if snap := mustLoad(t, left, benchKey(0), memory.LoadOptions{}); snap.Turns != 0 {
		t.Errorf("%d turns that were not synced are there after a power cut", snap.Turns)
	}
}

// cuts is how many power cuts a test makes; SLOTWAY_TEST_CUTS asks for more, and for others
// each time.
func cuts(t *testing.T) (n int, seed uint64) {
	t.Helper()
	text := os.Getenv("SLOTWAY_TEST_CUTS")
	if text == "" {
		return 30, 1
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("SLOTWAY_TEST_CUTS: %v", err)
	}
	return n, uint64(time.Now().UnixNano())
}

// cut is what a power cut has left, and what had been acknowledged before it.
type cut struct {
	step         int
	dir          string
	acknowledged []int64
}

// load makes turns of several sessions at once on a disk that loses power, and sometimes fails
// a sync, at random steps.
func load(t *testing.T, disk *disktest.Disk, random *rand.Rand, turns, cuts int) (all []cut, done []int64) {
	const sessions = 4
	var acknowledged [sessions]atomic.Int64
	counts := func() (list []int64) {
		for i := range acknowledged {
			list = append(list, acknowledged[i].Load())
		}
		return list
	}
	store := open(t, fileOf(disk.Root), busyLog)
	var mu sync.Mutex
	every := max(1, turns*sessions*6/cuts) // a commit of its own is some 6 steps
	disk.EachStep(func(step int) {
		mu.Lock()
		defer mu.Unlock()
		disk.FailSyncs()
		if random.IntN(12) == 0 { // of the log: SQLite trusts the system not to lose pages of the file itself
			disk.FailSyncs("-wal")
		}
		if random.IntN(every) == 0 && len(all) < cuts {
			before := counts()
			all = append(all, cut{step, disk.Cut(random), before})
		}
	})
	var wg sync.WaitGroup
	for i := range sessions {
		wg.Go(func() {
			for range turns {
				snap, err := store.Load(t.Context(), benchKey(i), memory.LoadOptions{})
				if err == nil {
					err = store.Commit(t.Context(), turnOf(benchKey(i), snap, time.Now()))
				}
				switch {
				case err == nil:
					acknowledged[i].Add(1)
				case !errors.Is(err, memory.ErrUnavailable):
					t.Errorf("session %d: %v", i, err)
				}
			}
		})
	}
	wg.Wait()
	disk.EachStep(nil)
	disk.FailSyncs()
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	return all, counts()
}

// The power fails at any step of anything: each page that was not synced may be there, torn or
// gone. What was acknowledged is there, what is there is whole, and nothing is called damaged.
func TestPowerCutsUnderLoad(t *testing.T) {
	n, seed := cuts(t)
	random := rand.New(rand.NewPCG(seed, 7))
	seen := 0
	for seen < n {
		disk := disktest.New(t)
		all, done := load(t, disk, random, 25, min(n-seen, 30))
		disk.Close()
		if len(all) == 0 && seen == 0 { // the last few of many may need another round
			t.Fatal("no power cut")
		}
		for _, c := range all {
			r, err := Check(t.Context(), fileOf(c.dir), nil)
			switch {
			case errors.Is(err, os.ErrNotExist) && c.acknowledged[0]+c.acknowledged[1]+c.acknowledged[2]+c.acknowledged[3] == 0:
				continue // there was no file yet
			case err != nil || !r.Sound:
				t.Fatalf("seed %d, step %d: Check: %+v, %v", seed, c.step, r, err)
			}
			heldAtStep(t, c, done)
			if t.Failed() {
				t.Fatalf("seed %d, step %d", seed, c.step)
			}
			os.RemoveAll(c.dir)
		}
		seen += len(all)
	}
	t.Logf("seed %d: %d power cuts", seed, seen)
}

func heldAtStep(t *testing.T, c cut, done []int64) {
	t.Helper()
	store := open(t, fileOf(c.dir), nil)
	defer store.Close()
	for i, want := range c.acknowledged {
		snap := mustLoad(t, store, benchKey(i), memory.LoadOptions{Recent: 1000})
		if snap.Turns < want || snap.Turns > done[i]+1 || int64(len(snap.Recent)) != 2*snap.Turns {
			t.Errorf("session %d: %d turns and %d messages; %d turns were acknowledged before the cut, %d at the end", i, snap.Turns, len(snap.Recent), want, done[i])
		}
	}
	oneTurnOf(t, store, benchKey(0))
}

// A commit whose sync failed can be read by the next process, though the disk does not have it
// and no later sync writes it. Nothing is built upon it.
func TestNothingIsBuiltOnALostCommit(t *testing.T) {
	disk, store := onDisk(t, 2)
	disk.FailSyncs("memory.db", "-wal")
	refusedTurn(t, store, benchKey(0), 10)
	disk.FailSyncs()
	next := disk.Kill()

	next.FailSyncs("memory.db", "-wal")
	if _, err := Open(t.Context(), fileOf(next.Root), nil); !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(err.Error(), "check the disk") {
		t.Errorf("Open while syncs fail: %v", err)
	}
	next.FailSyncs()
	store = open(t, fileOf(next.Root), nil)
	oneTurnOf(t, store, benchKey(1))
	mustHold(t, "after the process that failed", fileOf(next.Cut(nil)), 1, 2)
}

// A backup and a restore that were reported as done are that after a power cut.
func TestBackupOutlastsPowerCuts(t *testing.T) {
	disk, store := onDisk(t, 3)
	store.Close()
	file := fileOf(disk.Root)
	to := filepath.Join(filepath.Dir(file), "backup.db")
	for turns, force := range []bool{false, true} {
		if _, err := Backup(t.Context(), file, to, &BackupOptions{Force: force}); err != nil {
			t.Fatal(err)
		}
		left := filepath.Join(filepath.Dir(fileOf(disk.Cut(nil))), "backup.db")
		if r := mustBeSound(t, left); r.Rows["turns"] != int64(3+turns) {
			t.Errorf("a backup (force: %t) has %d turns after a power cut, want %d", force, r.Rows["turns"], 3+turns)
		}
		store = open(t, file, nil)
		oneTurnOf(t, store, benchKey(0))
		store.Close()
	}
}

// The same of a restore, and of what it has replaced.
func TestRestoreOutlastsPowerCuts(t *testing.T) {
	disk, store := onDisk(t, 3)
	oneTurnOf(t, store, benchKey(0))
	store.Close()
	backup := furnished(t, 2, 5)
	done, err := Restore(t.Context(), backup, fileOf(disk.Root), nil)
	if err != nil {
		t.Fatal(err)
	}
	left := fileOf(disk.Cut(nil))
	if r := mustBeSound(t, left); r.Rows["turns"] != 10 {
		t.Errorf("%d turns are restored after a power cut, want 10", r.Rows["turns"])
	}
	if r := mustBeSound(t, filepath.Join(filepath.Dir(left), filepath.Base(done.Kept))); r.Rows["turns"] != 4 {
		t.Errorf("%d turns are kept after a power cut, want 4", r.Rows["turns"])
	}
	disk.Close()
	fresh := disktest.New(t) // where there was none
	if _, err := Restore(t.Context(), backup, fileOf(fresh.Root), nil); err != nil {
		t.Fatal(err)
	}
	if r := mustBeSound(t, fileOf(fresh.Cut(nil))); r.Rows["turns"] != 10 {
		t.Errorf("%d turns are restored after a power cut, want 10", r.Rows["turns"])
	}
}
