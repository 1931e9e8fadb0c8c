// Package disktest keeps account of what has reached the disk, so that tests can ask what a
// power cut would leave. It stands between SQLite and the operating system as a VFS, and it
// observes the syncs of package durable. It needs no rights and mounts nothing.
//
// What it takes for granted: a sync that succeeded has written what it should; SQLite's own VFS
// calls the system as it says; of what was not synced any part may be there, or none. A file
// that Go wrote has no content on the disk before its first sync. A sync that failed has lost
// what it should have written, though the process and those after it still see it in the
// memory of the system: so Linux does it (https://lwn.net/Articles/752063/).
package disktest

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/slotway/slotway/config/durable"
)

// Disk is a folder whose syncs are accounted for. One at a time in a process.
type Disk struct {
	Root string

	t       testing.TB
	mu      sync.Mutex // over a write and its account, too
	files   []*file
	folders map[string]map[string]*entry // names that have reached the disk, by folder
	failing []string                     // ends of names
	closed  sync.Once
	steps   int
	at      func(step int)
}

// entry is a name on the disk: of a file, or of a folder (nil).
type entry struct{ file *file }

// file holds the state of an inode.
type file struct {
	info    os.FileInfo
	hold    *os.File // keeps the inode from being used again
	synced  []byte
	pending []change // since the last sync
}

// New makes a disk with one empty folder, Root, which has been there for long.
func New(t testing.TB) *Disk {
	t.Helper()
	return On(t, t.TempDir())
}

// On makes a disk of a folder. All that is in it has been there for long.
func On(t testing.TB, dir string) *Disk {
	t.Helper()
	d := empty(t, dir)
	if err := filepath.WalkDir(d.Root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		d.folders[path] = d.list(path)
		for name, e := range d.folders[path] {
			if e.file != nil {
				if e.file.synced, err = os.ReadFile(filepath.Join(path, name)); err != nil {
					return err
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	d.begin()
	return d
}

func empty(t testing.TB, dir string) *Disk {
	t.Helper()
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return &Disk{Root: root, t: t, folders: map[string]map[string]*entry{}}
}

func (d *Disk) begin() {
	install(d.t, d)
	durable.Observe(d.synced)
	d.t.Cleanup(d.Close)
}

// Close ends the account; so does the test's end.
func (d *Disk) Close() {
	d.closed.Do(func() {
		durable.Observe(nil)
		current.Store(nil)
		for _, f := range d.files {
			if f.hold != nil {
				f.hold.Close()
			}
		}
	})
}

// FailSyncs has syncs of SQLite fail from now on: those of files whose names end so. Without
// an end, none fails.
func (d *Disk) FailSyncs(ends ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failing = ends
}

func (d *Disk) fails(path string) bool {
	return slices.ContainsFunc(d.failing, func(end string) bool { return strings.HasSuffix(path, end) })
}

// EachStep has f called before each write and each sync of SQLite, on its goroutine: it may take a cut.
func (d *Disk) EachStep(f func(step int)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at = f
}

func (d *Disk) step() {
	d.mu.Lock()
	d.steps++
	at, n := d.at, d.steps
	d.mu.Unlock()
	if at != nil {
		at(n)
	}
}

// Cut returns a folder with what a power cut leaves now. Without random that is what was
// synced, and nothing else; else also a random part of what was not.
func (d *Disk) Cut(random *rand.Rand) string {
	d.t.Helper()
	to := d.t.TempDir()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.image(d.Root, to, random)
	return to
}

// Copy returns a copy of the folder as a process finds it after the death of another.
func (d *Disk) Copy() string {
	d.t.Helper()
	to := d.t.TempDir()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.copy(to)
	return to
}

func (d *Disk) copy(to string) {
	if err := os.CopyFS(to, os.DirFS(d.Root)); err != nil {
		d.t.Error(err)
	}
}

// Kill returns a copy of the disk as another process finds it after the death of this one. What
// was not synced is not synced there, and what a failed sync has lost is lost there, though it
// can be read. This disk is closed.
func (d *Disk) Kill() *Disk {
	d.t.Helper()
	next := empty(d.t, d.t.TempDir())
	d.mu.Lock()
	defer d.mu.Unlock()
	d.copy(next.Root)
	moved := map[*file]*file{}
	move := func(f *file, path string) *file {
		if f == nil {
			return nil
		}
		if moved[f] == nil {
			if moved[f] = next.file(path); moved[f] == nil {
				moved[f] = &file{} // its name is gone, but not from the disk
			}
			moved[f].synced, moved[f].pending = bytes.Clone(f.synced), slices.Clone(f.pending)
		}
		return moved[f]
	}
	there := func(dir string) string { return next.Root + strings.TrimPrefix(dir, d.Root) }
	_ = filepath.WalkDir(d.Root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && !strings.HasSuffix(path, "-shm") {
			move(d.file(path), there(path))
		}
		return err
	})
	for dir, names := range d.folders {
		next.folders[there(dir)] = map[string]*entry{}
		for name, e := range names {
			next.folders[there(dir)][name] = &entry{move(e.file, "")}
		}
	}
	d.Close()
	next.begin()
	return next
}

// list takes the names of a folder as they are now.
func (d *Disk) list(dir string) map[string]*entry {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.t.Error(err)
	}
	names := map[string]*entry{}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			names[e.Name()] = &entry{}
		case strings.HasSuffix(e.Name(), "-shm"): // rebuilt after a power cut, whatever it holds
		default:
			if f := d.file(path); f != nil {
				names[e.Name()] = &entry{f}
			}
		}
	}
	return names
}

// file finds the inode behind a path, which is one that is not known yet or one seen before.
func (d *Disk) file(path string) *file {
	info, err := os.Lstat(path)
	if err != nil {
		return nil // gone meanwhile
	}
	for _, f := range d.files {
		if f.info != nil && os.SameFile(f.info, info) {
			return f
		}
	}
	hold, err := os.Open(path)
	if err != nil {
		return nil
	}
	f := &file{info: info, hold: hold}
	d.files = append(d.files, f)
	return f
}

// synced receives the syncs that Go code makes.
func (d *Disk) synced(path string, folder bool, err error) {
	path, e := filepath.Abs(path)
	if e == nil {
		if real, e := filepath.EvalSymlinks(path); e == nil {
			path = real
		}
	}
	if err != nil || !d.has(path) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if folder {
		d.folders[path] = d.list(path)
		return
	}
	if f := d.file(path); f != nil {
		data, err := os.ReadFile(path)
		if err != nil {
			d.t.Error(err)
		}
		f.synced, f.pending = data, nil
	}
}

func (d *Disk) has(path string) bool {
	return path == d.Root || strings.HasPrefix(path, d.Root+string(filepath.Separator))
}
