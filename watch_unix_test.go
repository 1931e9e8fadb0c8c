//go:build unix

package slotway

import (
	"os"
	"syscall"
	"testing"
)

// The signal itself, sent to this process, reaches the app.
func TestWatchTakesTheSignal(t *testing.T) {
	c := newChanging(t)
	told := make(chan struct{}, 8)
	c.opts.Stderr = writerFunc(func([]byte) { told <- struct{}{} })
	c.Watch()
	c.write("desk.yaml", "no agent")
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	<-told
	if reply := c.say("s", "find item I-7"); reply.Reply != "Found I-7: row 3." {
		t.Errorf("a broken file is taken: %q", reply.Reply)
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
}
