package durable

import "sync/atomic"

// Observer is told of each sync after it was made, with its outcome.
type Observer func(path string, folder bool, err error)

var observer atomic.Pointer[Observer]

// Observe has f told of every sync of this package, for tests that ask what a power cut would
// leave (disktest). There is one observer; nil ends it.
func Observe(f Observer) {
	if f == nil {
		observer.Store(nil)
		return
	}
	observer.Store(&f)
}

func told(path string, folder bool, err error) {
	if f := observer.Load(); f != nil {
		(*f)(path, folder, err)
	}
}
