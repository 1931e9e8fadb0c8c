//go:build unix

package durable

import (
	"os"
	"syscall"
)

// likewise gives a file the owner and the mode of the one whose place it takes: who changes it
// may be another user than who reads it. Without the right to, it stays its owner's alone.
func likewise(f *os.File, like os.FileInfo) {
	stat, ok := like.Sys().(*syscall.Stat_t)
	if ok && f.Chown(int(stat.Uid), int(stat.Gid)) == nil {
		_ = f.Chmod(like.Mode().Perm())
	}
}
