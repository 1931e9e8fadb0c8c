//go:build unix

package durable

import (
	"os"
	"syscall"
)

// likewise gives a file the owner and mode of the one it replaces: the program that writes the file
// may run as another user than the one that reads it. Without the right to do so, the file stays
// its owner's alone.
func likewise(f *os.File, like os.FileInfo) {
	stat, ok := like.Sys().(*syscall.Stat_t)
	if ok && f.Chown(int(stat.Uid), int(stat.Gid)) == nil {
		_ = f.Chmod(like.Mode().Perm())
	}
}
