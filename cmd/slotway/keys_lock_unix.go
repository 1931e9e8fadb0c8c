//go:build unix

package main

import (
	"errors"
	"os"
	"syscall"
)

// lockFile locks a file against other processes until it is closed or the process ends. held: another
// process has the lock. A file system without such locks lets everyone pass.
func lockFile(f *os.File) (held bool) {
	return errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}
