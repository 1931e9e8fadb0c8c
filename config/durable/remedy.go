package durable

import (
	"errors"
	"os"
	"syscall"
)

const tooMany = "too many files are open; raise the limit (ulimit -n, LimitNOFILE of systemd) and start again"

// remedies tell the operator what to do, by the system's error.
var remedies = []struct {
	errno syscall.Errno
	text  string
}{
	{syscall.EMFILE, tooMany},
	{syscall.ENFILE, "all programs together have too many files open; close some, or raise the system's limit (fs.file-max)"},
	{syscall.ENOSPC, "the disk is full; make room and try again"},
	{syscall.EDQUOT, "the quota of the disk is used up; make room and try again"},
	{syscall.EFBIG, "files may not grow so large; raise the limit (ulimit -f) and start again"},
	{syscall.EROFS, "the disk is mounted read-only; check how it is mounted, or choose another path"},
	{syscall.EIO, "the disk reports an error; check the disk"},
	{syscall.EACCES, "check the permissions of the file and its folder"},
	{syscall.EPERM, "check the permissions of the file and its folder"},
	{syscall.ENOENT, "make the folder, or check the path"},
	{syscall.ENOTDIR, "a part of the path is a file; choose another path"},
}

// Remedy returns what to do about an error of the file system.
func Remedy(err error) string {
	for _, r := range remedies {
		if errors.Is(err, r.errno) {
			return r.text
		}
	}
	return "check the path, its folder and the disk"
}

// spareFiles is the number of files that opening a database takes.
const spareFiles = 6

// TooManyOpen returns what to do if the process can hardly open another file, "" if it can. SQLite
// reports that case as a file that cannot be opened, without the system's reason.
func TooManyOpen() string {
	for range spareFiles {
		f, err := os.Open(os.DevNull)
		if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
			return Remedy(err)
		}
		if err != nil {
			return ""
		}
		defer f.Close()
	}
	return ""
}
