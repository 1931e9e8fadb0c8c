package main

import (
	"errors"
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
	effects map[string]int             // by entry
	calls   map[string]int             // by entry
	keys    map[string]map[string]bool // by entry: those that calls had
	faults  map[string]int             // by kind
}

func (t *toolService) read() (*entries, error) {
	e := &entries{effects: map[string]int{}, calls: map[string]int{}, keys: map[string]map[string]bool{}, faults: map[string]int{}}
	text, err := os.ReadFile(t.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) != 3 {
			return nil, errors.New("the books of the tools' service have a line that is not one")
		}
		switch f[0] {
		case "done":
			e.effects[f[2]]++
		case "fault":
			e.faults[f[1]]++
		case "called":
			e.calls[f[2]]++
			if e.keys[f[2]] == nil {
				e.keys[f[2]] = map[string]bool{}
			}
			e.keys[f[2]][f[1]] = true
		}
	}
	return e, nil
}

// calledTwice counts the calls that no yes was given for: each one to a tool that keeps no
// keys, each new key to one that does.
func (e *entries) calledTwice(yeses map[string]int) (n int) {
	for entry, calls := range e.calls {
		if strings.HasPrefix(entry, keyed) {
			calls = len(e.keys[entry])
		}
		n += max(0, calls-yeses[entry])
	}
	return n
}
