package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// toolService is the process that the ledger's HTTP tools call, over all its lives. When it
// dies it is started again.
type toolService struct {
	addr   string
	path   string // of its books
	faulty bool

	mu     sync.Mutex // guards what follows
	proc   *exec.Cmd
	closed bool
	alive  sync.WaitGroup
}

func newToolService(dir string, faulty bool) (*toolService, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	return &toolService{addr: listener.Addr().String(), path: filepath.Join(dir, "books.txt"), faulty: faulty}, nil
}

// start runs the process until close.
func (t *toolService) start() error {
	if err := t.launch(); err != nil {
		return err
	}
	t.alive.Go(func() {
		for t.again() {
		}
	})
	return nil
}

func (t *toolService) launch() error {
	own, err := os.Executable()
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	faulty := "sound"
	if t.faulty {
		faulty = "faulty"
	}
	t.proc = exec.Command(own, "tools", t.addr, t.path, faulty)
	return t.proc.Start()
}

// again waits until the process has died and starts the next one; false: no more.
func (t *toolService) again() bool {
	_ = t.proc.Wait() // how it died is all the same; only again writes proc
	time.Sleep(20 * time.Millisecond)
	err := t.launch()
	t.mu.Lock()
	defer t.mu.Unlock()
	return err == nil && !t.closed
}

func (t *toolService) kill() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.proc != nil && t.proc.Process != nil {
		_ = t.proc.Process.Kill()
	}
}

// close ends the process and waits for its end.
func (t *toolService) close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.kill()
	t.alive.Wait()
}

// entries are what the books say of the calls.
type entries struct {
	effects map[string]int            // by entry
	calls   map[string]map[string]int // by entry and key: those that were not turned away
	faults  map[string]int            // by kind
}

func (t *toolService) read() (*entries, error) {
	e := &entries{effects: map[string]int{}, calls: map[string]map[string]int{}, faults: map[string]int{}}
	text, err := os.ReadFile(t.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) != 3 {
			return nil, errors.New("the books of the tools' service have a line that is not one")
		}
		what, key, entry := f[0], f[1], f[2]
		fault, isFault := strings.CutPrefix(what, faultWord)
		switch {
		case what == "done":
			e.effects[entry]++
		case what == "called":
			e.call(key, entry, 1)
		case isFault:
			e.faults[fault]++
			if fault == "too_many" { // it said for certain that nothing was done: the next call is a first one
				e.call(key, entry, -1)
			}
		}
	}
	return e, nil
}

func (e *entries) call(key, entry string, n int) {
	if e.calls[entry] == nil {
		e.calls[entry] = map[string]int{}
	}
	e.calls[entry][key] += n
}

// calledTwice counts the calls that no yes was given for: each one to a tool that keeps no
// keys, each new key to one that does.
func (e *entries) calledTwice(yeses map[string]int, note func(string)) (n int) {
	for entry, keys := range e.calls {
		calls := 0
		for _, c := range keys {
			if strings.HasPrefix(entry, keyed) {
				c = min(c, 1)
			}
			calls += c
		}
		if more := calls - yeses[entry]; more > 0 {
			n += more
			note(fmt.Sprintf("the tool was called %d times for the %d yeses of %s", calls, yeses[entry], entry))
		}
	}
	return n
}
