package sqlite

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// runChild runs a test of this binary in a process of its own.
func runChild(t *testing.T, test, env string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+test+"$")
	cmd.Env = append(os.Environ(), env)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s in a process of its own: %v\n%s", test, err, out)
	}
}

const sharedFile = "SLOTWAY_TEST_SHARED_FILE"

// Two processes on one file: turns of one session conflict and are run again, none is lost,
// none is there twice; neither works on what the other has made stale.
func TestTwoProcesses(t *testing.T) {
	const each = 60
	file := os.Getenv(sharedFile)
	child := file != ""
	if !child {
		file = newFile(t)
		open(t, file, nil).Close()
		done := make(chan struct{})
		go func() {
			defer close(done)
			runChild(t, "TestTwoProcesses", sharedFile+"="+file)
		}()
		defer func() {
			<-done
			store := open(t, file, nil)
			if snap := mustLoad(t, store, benchKey(0), memory.LoadOptions{Recent: 1000}); snap.Turns != 2*each || len(snap.Recent) != 4*each {
				t.Errorf("%d turns, %d messages; both processes together acknowledged %d", snap.Turns, len(snap.Recent), 2*each)
			}
			mustBeSound(t, file)
		}()
	}
	store := open(t, file, nil)
	for n := 0; n < each; {
		snap := mustLoad(t, store, benchKey(0), memory.LoadOptions{Recent: 4})
		if int64(len(snap.Recent)) != min(4, 2*snap.Turns) || snap.State.Version != snap.Turns {
			t.Fatalf("half a turn: %d messages of %d turns, version %d", len(snap.Recent), snap.Turns, snap.State.Version)
		}
		err := store.Commit(t.Context(), turnOf(benchKey(0), snap, time.Now()))
		if err == nil {
			n++
		} else if !errors.Is(err, memory.ErrConflict) {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}

// A database that another process is writing to: we wait, and go on when it lets go.
func TestWaitForOtherProcess(t *testing.T) {
	file := newFile(t)
	store := open(t, file, &Options{BusyTimeout: time.Minute})
	oneTurnOf(t, store, benchKey(0))
	release := holdInChild(t, "write:"+file)
	snap := mustLoad(t, store, benchKey(0), memory.LoadOptions{}) // reads go on
	done := make(chan error)
	go func() { done <- store.Commit(t.Context(), turnOf(benchKey(0), snap, time.Now())) }()
	impatient := open(t, file, &Options{BusyTimeout: 30 * time.Millisecond})
	if err := impatient.Commit(t.Context(), turnOf(benchKey(1), memory.NewSnapshot(memory.Key{}), time.Now())); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("Commit while another process writes: %v", err)
	}
	select {
	case err := <-done:
		t.Errorf("Commit did not wait: %v", err)
	default:
	}
	release()
	if err := <-done; err != nil {
		t.Errorf("Commit after the other process has let go: %v", err)
	}
	oneTurnOf(t, impatient, benchKey(1))
}

// Files and folders that this user may not write.
func TestNoPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("permissions do not bind root; TestReadOnlyDisk does")
	}
	file := furnished(t, 1, 1)
	secret := furnished(t, 1, 1)
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{file: 0o400, secret: 0, dir: 0o500} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(name, 0o700) })
	}
	for _, name := range []string{file, secret, filepath.Join(dir, "memory.db")} {
		_, err := Open(t.Context(), name, nil)
		if !errors.Is(err, memory.ErrUnavailable) {
			t.Errorf("Open of %s: %v", name, err)
		}
	}
	if _, err := Check(t.Context(), secret, nil); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("Check of a file that cannot be read: %v", err)
	}
	mustBeSound(t, file)
	for _, err := range []error{
		func() error { _, err := Backup(t.Context(), file, filepath.Join(dir, "b.db"), nil); return err }(),
		func() error { _, err := Restore(t.Context(), file, secret, nil); return err }(),
	} {
		if !errors.Is(err, memory.ErrUnavailable) {
			t.Errorf("without permission: %v", err)
		}
	}
}

// Many processes begin with the same new file: one makes it, all use it.
func TestNewFileTogether(t *testing.T) {
	file := newFile(t)
	openTogether(t, file)
	if names, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.new-*")); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

// Many processes begin with a file that is not in WAL mode, as a tool of SQLite's may leave it.
func TestOldModeTogether(t *testing.T) {
	for range 10 {
		file := newFile(t)
		if _, err := Migrate(t.Context(), file, "up"); err != nil {
			t.Fatal(err)
		}
		c, err := openConn(file, "journal_mode(DELETE)")
		if err != nil {
			t.Fatal(err)
		}
		if err := c.close(); err != nil {
			t.Fatal(err)
		}
		openTogether(t, file)
	}
}

// openTogether opens a file that has no session yet many times at once, and commits a session each.
// They take turns at syncing, so the last waits for some twenty syncs: on a loaded disk, seconds.
func openTogether(t *testing.T, file string) {
	t.Helper()
	errs := make(chan error)
	const n = 6
	for i := range n {
		go func() {
			store, err := Open(t.Context(), file, &Options{BusyTimeout: time.Minute})
			if err == nil {
				err = store.Commit(t.Context(), turnOf(benchKey(i), memory.NewSnapshot(memory.Key{}), time.Now()))
				err = errors.Join(err, store.Close())
			}
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if r := mustBeSound(t, file); r.Rows["sessions"] != n {
		t.Errorf("%d sessions, want %d", r.Rows["sessions"], n)
	}
}
