//go:build unix

package main

import (
	"errors"
	"os"
	"syscall"
)

// lockFile keeps other processes from doing the same until the file is closed or the process
// has died. held: another has it. A file system without such locks lets everybody pass.
func lockFile(f *os.File) (held bool) {
	return errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}
