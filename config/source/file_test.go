//go:build unix

package source

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestReadFileReadsFilesOnly(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(
		os.WriteFile(at("file"), []byte("12345678"), 0o600),
		os.Symlink("file", at("link")),
		syscall.Mkfifo(at("pipe"), 0o600),
		os.Symlink("pipe", at("link to a pipe")),
		os.Symlink("/dev/zero", at("zero")),
		os.Symlink("ring", at("ring")),
		os.WriteFile(at("sparse"), nil, 0o600),
		os.Truncate(at("sparse"), 1<<40),
	); err != nil {
		t.Fatal(err)
	}
	if socket, err := new(net.ListenConfig).Listen(t.Context(), "unix", at("socket")); err == nil { // else its path is too long here
		defer socket.Close()
	}
	for name, want := range map[string]string{
		"":               "a folder",
		"pipe":           "a named pipe",
		"link to a pipe": "a named pipe",
		"zero":           "a device",
		"socket":         "a socket",
		"ring":           "too many levels",
		"sparse":         "more than 8 bytes",
		"none":           "no such file",
	} {
		_, err := ReadFile(at(name), 8)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), at(name)) {
			t.Errorf("ReadFile(%q) = %v, want it named, and %q", name, err, want)
		}
		if is := strings.HasPrefix(want, "a "); is != errors.Is(err, ErrNotAFile) {
			t.Errorf("ReadFile(%q) = %v, ErrNotAFile: %t", name, err, is)
		}
	}
	for _, name := range []string{"file", "link"} {
		if data, err := ReadFile(at(name), 8); err != nil || string(data) != "12345678" {
			t.Errorf("ReadFile(%q) = %q, %v", name, data, err)
		}
	}
	if _, err := ReadFile(at("file"), 7); err == nil {
		t.Error("a file of 8 bytes is read where 7 are allowed")
	}
	if data, err := ReadFile(os.DevNull, 8); err != nil || len(data) != 0 {
		t.Errorf("the null device: %q, %v", data, err)
	}
}

// A pipe of the process's own is read to its end; what another process holds is not.
func TestOpenFileReadsOwnPipes(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	own := filepath.Join("/dev/fd", strconv.Itoa(int(read.Fd())))
	f, err := OpenFile(own)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("there is no /dev/fd here")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	said := make(chan error, 1)
	go func() { // it is written while it is read
		_, err := write.WriteString(strings.Repeat("x", 1<<17))
		said <- errors.Join(err, write.Close())
	}()
	data, err := io.ReadAll(f)
	if err != nil || len(data) != 1<<17 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if err := <-said; err != nil {
		t.Error(err)
	}
}
