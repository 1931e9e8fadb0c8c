package durable

import "sync/atomic"

// Observer is called after each sync with its outcome.
type Observer func(path string, folder bool, err error)

var observer atomic.Pointer[Observer]

// Observe calls f for every sync of this package, for tests of what a power cut leaves (disktest).
// There is one observer; nil removes it.
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
