package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// A backup made while a server writes is a database of its own, whole and of one moment.
func TestBackupWhileServing(t *testing.T) {
	file := newFile(t)
	store := open(t, file, nil)
	furnish(t, store, 3, 3)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				oneTurnOf(t, store, benchKey(5))
			}
		}
	}()
	last := int64(0)
	for i := range 4 {
		before := mustLoad(t, store, benchKey(5), memory.LoadOptions{}).Turns
		to := filepath.Join(t.TempDir(), fmt.Sprint("backup-", i, ".db"))
		var done, total int64
		r, err := Backup(t.Context(), file, to, &BackupOptions{Copying: func(d, n int64) { done, total = d, n }})
		if err != nil || !r.Sound || r.File != to {
			t.Fatalf("Backup: %+v, %v", r, err)
		}
		if done != total || total == 0 {
			t.Errorf("%d of %d pages copied", done, total)
		}
		if names, _ := filepath.Glob(to + "*"); len(names) != 1 {
			t.Errorf("the backup left %v", names)
		}
		if info, err := os.Stat(to); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode of the backup: %v, %v", info.Mode(), err)
		}
		copy := open(t, to, nil)
		if n := mustLoad(t, copy, benchKey(5), memory.LoadOptions{}).Turns; n < before || n < last {
			t.Errorf("the backup has %d turns, %d were acknowledged before it", n, before)
		} else {
			last = n
		}
		copy.Close()
	}
	close(stop)
	<-stopped
}

func TestBackupRefusals(t *testing.T) {
	file := furnished(t, 1, 2)
	dir := t.TempDir()
	taken, folder, held := filepath.Join(dir, "taken"), filepath.Join(dir, "folder"), filepath.Join(dir, "held")
	for _, err := range []error{
		os.WriteFile(taken, []byte("mine"), 0o600), os.Mkdir(folder, 0o700),
		os.WriteFile(held, []byte("x"), 0o600), os.WriteFile(held+"-wal", []byte("x"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, from, to string
		force          bool
		want           error
	}{
		{"a name that is taken", file, taken, false, ErrExists},
		{"a folder", file, folder, true, ErrExists},
		{"the database itself", file, file, true, ErrExists},
		{"a database in use", file, held, true, ErrExists},
		{"no such folder", file, filepath.Join(dir, "none", "b.db"), false, memory.ErrUnavailable},
		{"no such database", filepath.Join(dir, "none.db"), filepath.Join(dir, "b.db"), false, fs.ErrNotExist},
	} {
		if _, err := Backup(t.Context(), c.from, c.to, &BackupOptions{Force: c.force}); !errors.Is(err, c.want) {
			t.Errorf("%s: Backup: %v, want %v", c.name, err, c.want)
		}
	}
	if text, _ := os.ReadFile(taken); string(text) != "mine" {
		t.Error("a file was overwritten without --force")
	}
	if _, err := Backup(t.Context(), file, taken, &BackupOptions{Force: true}); err != nil {
		t.Errorf("with force: %v", err)
	}
	bad := copied(t, file)
	mustSQL(t, bad, "UPDATE messages SET content = x'6f'")
	to := filepath.Join(dir, "of damaged")
	r, err := Backup(t.Context(), bad, to, nil)
	if !errors.Is(err, ErrDamaged) || r == nil || r.Found != 4 {
		t.Errorf("Backup of a damaged file: %+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Backup(ctx, file, to, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Backup with an ended context: %v", err)
	}
	if names, _ := filepath.Glob(to + "*"); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

// What is restored is the backup; what was there is kept, whatever state it is in.
func TestRestore(t *testing.T) {
	backup := furnished(t, 2, 3)
	now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	for _, c := range []struct {
		name string
		old  func(t *testing.T, file string)
		kept bool
	}{
		{"nothing there", func(*testing.T, string) {}, false},
		{"a sound file", func(t *testing.T, file string) {
			open(t, file, nil).Close()
			if err := os.Chmod(file, 0o640); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"a crashed file", func(t *testing.T, file string) {
			left := crashed(t, 4)
			for i, suffix := range parts {
				if err := os.WriteFile(file+suffix, []byte(left[i]), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}, true},
		{"no database", func(t *testing.T, file string) {
			for _, suffix := range []string{"", "-wal", "-shm"} {
				if err := os.WriteFile(file+suffix, []byte("garbage"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}, true},
		{"an empty file", func(t *testing.T, file string) {
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"only a log", func(t *testing.T, file string) {
			if err := os.WriteFile(file+"-wal", []byte(crashed(t, 2)[1]), 0o600); err != nil {
				t.Fatal(err)
			}
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "memory.db")
			c.old(t, file)
			for round := range 2 { // twice in one second
				out, err := Restore(t.Context(), backup, file, &RestoreOptions{Now: now})
				if err != nil || !out.Report.Sound {
					t.Fatalf("Restore: %+v, %v", out, err)
				}
				if want := c.kept || round > 0; (out.Kept != "") != want || want && !strings.HasPrefix(out.Kept, file+".replaced-20260506T070809Z") {
					t.Errorf("kept as %q", out.Kept)
				}
				if info, err := os.Stat(file); err != nil || c.name == "a sound file" && info.Mode().Perm() != 0o640 {
					t.Errorf("mode of the restored file: %v, %v", info.Mode(), err)
				}
				if c.name == "a crashed file" && round == 0 {
					old := open(t, out.Kept, nil)
					if n := mustLoad(t, old, benchKey(0), memory.LoadOptions{}).Turns; n != 4 {
						t.Errorf("what was kept has %d turns, want 4", n)
					}
					old.Close()
				}
			}
			store := open(t, file, nil)
			if snap := mustLoad(t, store, benchKey(1), memory.LoadOptions{}); snap.Turns != 3 {
				t.Errorf("the restored file has %d turns, want 3", snap.Turns)
			}
			store.Close()
			mustBeSound(t, file)
			if names, _ := filepath.Glob(file + ".new-*"); len(names) > 0 {
				t.Errorf("left behind: %v", names)
			}
		})
	}
}

func TestRestoreRefusals(t *testing.T) {
	file, backup := furnished(t, 1, 2), furnished(t, 1, 1)
	bad := copied(t, backup)
	mustSQL(t, bad, "UPDATE turns SET response = x'7b7d'")
	text := filepath.Join(t.TempDir(), "letter")
	if err := os.WriteFile(text, []byte(strings.Repeat("dear sir ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	before := listing(t, file)
	for _, c := range []struct {
		name, backup string
		want         error
	}{
		{"a damaged backup", bad, ErrDamaged},
		{"no database", text, ErrNotDatabase},
		{"no file", text + ".none", fs.ErrNotExist},
		{"itself", file, ErrExists},
	} {
		if _, err := Restore(t.Context(), c.backup, file, nil); !errors.Is(err, c.want) {
			t.Errorf("%s: Restore: %v, want %v", c.name, err, c.want)
		}
	}
	release := holdInChild(t, file)
	if _, err := Restore(t.Context(), backup, file, nil); !errors.Is(err, ErrInUse) {
		t.Errorf("Restore of a file in use: %v", err)
	} else {
		t.Log(err)
	}
	release()
	if after := listing(t, file); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Error("a refused restore changed something")
	}
	if _, err := Restore(t.Context(), backup, file, nil); err != nil {
		t.Errorf("Restore after the other process has ended: %v", err)
	}
}

// A damaged log is left behind by way of a backup and a restore: what the error proposes.
func TestRecoverFromDamagedWAL(t *testing.T) {
	left := crashed(t, 9)
	data := []byte(left[1])
	data[len(data)/2] ^= 4
	file := put(t, [3]string{left[0], string(data), left[2]})
	if _, err := Open(t.Context(), file, nil); !errors.Is(err, ErrLost) {
		t.Fatalf("Open: %v", err)
	}
	backup := filepath.Join(t.TempDir(), "whole.db")
	if r, err := Backup(t.Context(), file, backup, nil); err != nil {
		t.Fatalf("Backup: %+v, %v", r, err)
	}
	out, err := Restore(t.Context(), backup, file, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := wholeTurns(t, file); err != nil || n < 1 || n >= 9 {
		t.Errorf("after the way back: %d turns, %v", n, err)
	}
	if _, err := os.Stat(out.Kept); err != nil {
		t.Error(err)
	}
}

const holdFile = "SLOTWAY_TEST_HOLD_FILE"

// TestHold is no test: it is the process that has a database open.
func TestHold(t *testing.T) {
	file := os.Getenv(holdFile)
	if file == "" {
		t.Skip("runs in a process of its own")
	}
	file, write := strings.CutPrefix(file, "write:")
	open(t, file, nil)
	if write {
		c, err := openConn(file)
		if err == nil {
			err = c.exec("BEGIN IMMEDIATE")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	fmt.Println("held")
	_, _ = io.Copy(io.Discard, os.Stdin) // until the parent lets go
}

// holdInChild has another process open a database until release is called.
func holdInChild(t *testing.T, file string) (release func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHold$", "-test.v")
	cmd.Env = append(os.Environ(), holdFile+"="+file)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	scan := bufio.NewScanner(out)
	for scan.Scan() && !strings.Contains(scan.Text(), "held") {
	}
	return func() {
		in.Close()
		for scan.Scan() {
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("the other process: %v", err)
		}
	}
}
