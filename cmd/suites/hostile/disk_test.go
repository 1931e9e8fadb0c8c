package hostile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/slotway/slotway/internal/test/programtest"
)

// TestChatOnBadDisk: on a full disk and on a read-only one the program reports the fault, and it
// continues the session when the fault is gone.
func TestChatOnBadDisk(t *testing.T) {
	programtest.TakesLong(t)
	p := buildProgram(t)
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64m"); err != nil {
		t.Skipf("a small disk cannot be mounted here, which takes root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
	p.folder(t, dir)
	ballast := filepath.Join(dir, "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(bytes.Repeat([]byte{1}, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			t.Fatal(err)
		}
	}
	say := func(code int, want string) {
		t.Helper()
		out, got := p.chat(t, dir, "It's O-12345")
		if got != code || !strings.Contains(out, want) || strings.Contains(out, "panic") {
			t.Errorf("exit code %d, want %d with %q:\n%s", got, code, want, out)
		}
	}
	say(1, "make room")
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	f.Close()
	remount := func(flags uintptr) {
		t.Helper()
		if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|flags, ""); err != nil {
			t.Fatal(err)
		}
	}
	remount(syscall.MS_RDONLY)
	say(1, "check")
	if out, code := p.run(t, dir, "", "db", "check"); code != 0 {
		t.Errorf("check on a read-only disk: exit code %d\n%s", code, out)
	}
	remount(0)
	say(0, "O-12345")
	if out, code := p.run(t, dir, "", "db", "check"); code != 0 || !strings.Contains(out, "2 turns") {
		t.Errorf("afterwards: exit code %d\n%s", code, out)
	}
}
