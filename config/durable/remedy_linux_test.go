package durable_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/slotway/slotway/config/durable"
)

// What an operator is told to do is about what is wrong.
func TestRemedies(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	_, missing := os.Open(file + "/none/deeper")
	_, nowhere := os.Open(filepath.Join(t.TempDir(), "none", "deeper"))
	for _, test := range []struct {
		err  error
		want string
	}{
		{missing, "a part of the path is a file"},
		{nowhere, "make the folder"},
		{&fs.PathError{Op: "open", Path: "x", Err: syscall.EMFILE}, "ulimit -n"},
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, "make room"},
		{fmt.Errorf("sync: %w", syscall.EIO), "check the disk"},
		{errors.Join(errors.New("first"), syscall.EFBIG), "ulimit -f"},
		{&os.LinkError{Op: "rename", Err: syscall.EROFS}, "check how it is mounted"},
		{errors.New("something else"), "check the path"},
		{syscall.EACCES, "check the permissions"},
	} {
		if got := durable.Remedy(test.err); !strings.Contains(got, test.want) {
			t.Errorf("%v: %q, want one that says %q", test.err, got, test.want)
		}
	}
}

// The limit of open files is named when it is reached, and only then.
func TestTooManyOpen(t *testing.T) {
	if text := durable.TooManyOpen(); text != "" {
		t.Errorf("with files to spare: %q", text)
	}
	var before syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before))
	must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 3, Max: before.Max}))
	text := durable.TooManyOpen()
	must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before))
	if !strings.Contains(text, "ulimit -n") {
		t.Errorf("with none to spare: %q", text)
	}
}
