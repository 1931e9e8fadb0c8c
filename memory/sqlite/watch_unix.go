//go:build unix

package sqlite

import (
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// watch is a WAL index in memory. A nil watch sees nothing.
type watch struct {
	info   os.FileInfo
	fd     int
	memory []byte
	users  int // guarded by watches.mu
}

// watches are all that this process has mapped. The descriptor of a mapped file stays open: to close
// any descriptor of a file drops all locks that the process holds on it, SQLite's as well
// (https://www.sqlite.org/howtocorrupt.html, 2.2). It is closed when the file has lost its name, which
// is when its last connection has gone.
var watches struct {
	mu   sync.Mutex
	list []*watch
}

// openWatch maps the index of an open database. nil: it cannot be mapped.
func openWatch(path string) *watch {
	watches.mu.Lock()
	defer watches.mu.Unlock()
	watches.list = slices.DeleteFunc(watches.list, (*watch).forgotten)
	info, err := os.Stat(path + "-shm")
	if err != nil || info.Size() < pageSize { // SQLite makes it larger before it writes to it
		return nil
	}
	for _, w := range watches.list {
		if os.SameFile(w.info, info) && w.memory != nil {
			w.users++
			return w
		}
	}
	fd, err := syscall.Open(path+"-shm", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	w := &watch{info: info, fd: fd}
	watches.list = append(watches.list, w) // whatever follows: its descriptor must stay open
	if w.memory, err = syscall.Mmap(fd, 0, pageSize, syscall.PROT_READ, syscall.MAP_SHARED); err != nil {
		w.memory = nil
		return nil
	}
	w.users++
	return w
}

// forgotten closes the watch of a file that nobody can open any more.
func (w *watch) forgotten() bool {
	var stat syscall.Stat_t
	if w.users > 0 || syscall.Fstat(w.fd, &stat) != nil || stat.Nlink > 0 {
		return false
	}
	if w.memory != nil {
		_ = syscall.Munmap(w.memory)
	}
	_ = syscall.Close(w.fd)
	return true
}

// close says that this user does not look any more. It comes before the last connection is closed:
// another process may shorten the file afterwards, and then to look is deadly.
func (w *watch) close() {
	if w == nil {
		return
	}
	watches.mu.Lock()
	defer watches.mu.Unlock()
	w.users--
}

// header reads the header. false: it is being written, or there is none.
func (w *watch) header() (h indexHeader, ok bool) {
	if w == nil {
		return h, false
	}
	copies := (*[2]indexHeader)(unsafe.Pointer(unsafe.SliceData(w.memory))) // a mapping begins on a page
	for i := range h {
		h[i] = atomic.LoadUint32(&copies[0][i])
	}
	for i := range h { // whoever commits writes the second copy first
		if h[i] != atomic.LoadUint32(&copies[1][i]) {
			return h, false
		}
	}
	return h, h.initialised()
}
