package disktest

import (
	"bytes"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// The VFS is SQLite's own for this system with a few of its functions replaced by ours, which
// call the original and note what it did (https://www.sqlite.org/vfs.html). It is the default
// of the process from the first disk on; a file outside the disk passes through.

var (
	current   atomic.Pointer[Disk]
	installed = sync.OnceValue(register)

	system  sqlite3.Tsqlite3_vfs
	handles sync.Map // address of a file of SQLite → *handle
	tables  sync.Map // address of methods of the system → that of ours
)

// handle is an open file.
type handle struct {
	disk    *Disk
	path    string
	file    *file
	methods *sqlite3.Tsqlite3_io_methods // of the system
	failed  bool                         // a sync by another handle has failed since the last one here
	named   bool                         // the first sync syncs the folder, too: SQLite does that for its logs
}

func install(t testing.TB, d *Disk) {
	if !current.CompareAndSwap(nil, d) {
		t.Fatal("another disk is in use in this process")
	}
	if rc := installed(); rc != sqlite3.SQLITE_OK {
		t.Fatalf("the VFS cannot be registered: code %d", rc)
	}
}

// register copies the system's VFS into memory that stays where it is.
func register() int32 {
	tls := libc.NewTLS()
	if rc := sqlite3.Xsqlite3_initialize(tls); rc != sqlite3.SQLITE_OK {
		return rc
	}
	system = *at[sqlite3.Tsqlite3_vfs](sqlite3.Xsqlite3_vfs_find(tls, 0))
	ours := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(system)))
	name, err := libc.CString("disktest")
	if ours == 0 || err != nil {
		return sqlite3.SQLITE_NOMEM
	}
	v := at[sqlite3.Tsqlite3_vfs](ours)
	*v = system
	v.FpNext, v.FzName = 0, name
	v.FxOpen, v.FxDelete = pointer(open), pointer(remove)
	return sqlite3.Xsqlite3_vfs_register(tls, ours, 1)
}

// at returns the Go value at an address that C code uses.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// pointer is a Go function as C code calls it; function goes the other way. Functions of
// packages live for ever.
func pointer[F any](f F) uintptr {
	box := &struct{ f F }{f}
	return *(*uintptr)(unsafe.Pointer(box))
}

func function[F any](p uintptr) F { return *(*F)(unsafe.Pointer(&struct{ p uintptr }{p})) }

func open(tls *libc.TLS, vfs, name, f uintptr, flags int32, out uintptr) int32 {
	rc := function[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](system.FxOpen)(tls, vfs, name, f, flags, out)
	d := current.Load()
	if rc != sqlite3.SQLITE_OK || d == nil || name == 0 {
		return rc
	}
	path := resolved(libc.GoString(name))
	if !d.has(path) {
		return rc
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	known := d.file(path)
	if known == nil {
		return rc
	}
	const logs = sqlite3.SQLITE_OPEN_MAIN_JOURNAL | sqlite3.SQLITE_OPEN_WAL | sqlite3.SQLITE_OPEN_SUPER_JOURNAL
	file := at[sqlite3.Tsqlite3_file](f)
	h := &handle{disk: d, path: path, file: known, named: flags&logs != 0 && flags&sqlite3.SQLITE_OPEN_CREATE != 0}
	h.methods = at[sqlite3.Tsqlite3_io_methods](file.FpMethods)
	handles.Store(f, h)
	file.FpMethods = watched(tls, file.FpMethods)
	return rc
}

// watched is a table of methods with ours in it, one a table of the system's.
func watched(tls *libc.TLS, methods uintptr) uintptr {
	if known, ok := tables.Load(methods); ok {
		return known.(uintptr)
	}
	ours := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_io_methods{})))
	m := at[sqlite3.Tsqlite3_io_methods](ours)
	*m = *at[sqlite3.Tsqlite3_io_methods](methods)
	m.FxClose, m.FxWrite, m.FxTruncate, m.FxSync = pointer(closeFile), pointer(write), pointer(truncate), pointer(syncFile)
	m.FxFetch, m.FxUnfetch, m.FiVersion = 0, 0, min(m.FiVersion, 2) // no mapped writes past us
	known, _ := tables.LoadOrStore(methods, ours)
	return known.(uintptr)
}

func handleOf(f uintptr) *handle {
	h, _ := handles.Load(f)
	return h.(*handle)
}

func write(tls *libc.TLS, f, data uintptr, n int32, offset int64) int32 {
	h := handleOf(f)
	h.disk.step()
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	rc := function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](h.methods.FxWrite)(tls, f, data, n, offset)
	if rc == sqlite3.SQLITE_OK && n > 0 {
		text := bytes.Clone(unsafe.Slice(at[byte](data), n))
		h.file.pending = append(h.file.pending, change{offset, text})
	}
	return rc
}

func truncate(tls *libc.TLS, f uintptr, size int64) int32 {
	h := handleOf(f)
	h.disk.step()
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	rc := function[func(*libc.TLS, uintptr, int64) int32](h.methods.FxTruncate)(tls, f, size)
	if rc == sqlite3.SQLITE_OK {
		h.file.pending = append(h.file.pending, change{offset: size})
	}
	return rc
}

func syncFile(tls *libc.TLS, f uintptr, flags int32) int32 {
	h := handleOf(f)
	h.disk.step()
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	if h.disk.fails(h.path) {
		h.file.pending = nil
		h.tellOthers()
		return sqlite3.SQLITE_IOERR_FSYNC
	}
	rc := function[func(*libc.TLS, uintptr, int32) int32](h.methods.FxSync)(tls, f, flags)
	if rc != sqlite3.SQLITE_OK {
		return rc
	}
	for _, c := range h.file.pending {
		h.file.synced = c.apply(h.file.synced)
	}
	h.file.pending = nil
	if h.named {
		h.named = false
		h.disk.folders[filepath.Dir(h.path)] = h.disk.list(filepath.Dir(h.path))
	}
	if h.failed {
		h.failed = false
		return sqlite3.SQLITE_IOERR_FSYNC
	}
	return rc
}

// tellOthers has the next sync of everybody else who has the file open fail, too: the system
// reports a loss once to each.
func (h *handle) tellOthers() {
	handles.Range(func(_, other any) bool {
		if o := other.(*handle); o != h && o.file == h.file {
			o.failed = true
		}
		return true
	})
	h.failed = false
}

func closeFile(tls *libc.TLS, f uintptr) int32 {
	h := handleOf(f)
	handles.Delete(f)
	return function[func(*libc.TLS, uintptr) int32](h.methods.FxClose)(tls, f)
}

func remove(tls *libc.TLS, vfs, name uintptr, folder int32) int32 {
	rc := function[func(*libc.TLS, uintptr, uintptr, int32) int32](system.FxDelete)(tls, vfs, name, folder)
	d := current.Load()
	if d == nil || rc != sqlite3.SQLITE_OK || folder == 0 {
		return rc
	}
	if dir := resolved(filepath.Dir(libc.GoString(name))); d.has(dir) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.folders[dir] = d.list(dir)
	}
	return rc
}

func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
