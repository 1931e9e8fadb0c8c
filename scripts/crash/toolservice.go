package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// toolService is the process behind the ledger's HTTP tools. It is started again after each death.
type toolService struct {
	addr   string
	path   string // of its records
	faulty bool

	mu     sync.Mutex // guards what follows
	proc   *harness.Program
	closed bool
	alive  sync.WaitGroup
}

func newToolService(dir string, faulty bool) (*toolService, error) {
	addr, err := harness.FreeAddress()
	return &toolService{addr: addr, path: filepath.Join(dir, "books.txt"), faulty: faulty}, err
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
	t.proc, err = harness.Begin(exec.Command(own, "tools", t.addr, t.path, faulty))
	return err
}

// again waits for the death of the process and starts the next one. It returns false after close.
func (t *toolService) again() bool {
	<-t.proc.Exited() // only again and start write proc
	time.Sleep(20 * time.Millisecond)
	err := t.launch()
	t.mu.Lock()
	defer t.mu.Unlock()
	return err == nil && !t.closed
}

func (t *toolService) kill() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.proc.Signal(os.Kill)
}

// close ends the process and waits for its end.
func (t *toolService) close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.kill()
	t.alive.Wait()
}

// entries are the events of the ledger in order. Times are in Unix nanoseconds.
type entries struct {
	effects map[string][]int64            // by entry
	calls   map[string]map[string][]int64 // by entry and idempotency key, without refused ones
	faults  map[string]int                // by kind
}

func (t *toolService) read() (*entries, error) {
	e := &entries{effects: map[string][]int64{}, calls: map[string]map[string][]int64{}, faults: map[string]int{}}
	text, err := os.ReadFile(t.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) != 4 {
			return nil, errors.New("the books of the tools' service have a line that is not one")
		}
		what, key, entry := f[0], f[1], f[2]
		at, err := strconv.ParseInt(f[3], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("the books of the tools' service: %w", err)
		}
		fault, isFault := strings.CutPrefix(what, faultWord)
		switch {
		case what == "done":
			e.effects[entry] = append(e.effects[entry], at)
		case what == "called":
			e.called(key, entry, at)
		case isFault:
			e.faults[fault]++
			if fault == "too_many" { // it certainly had no effect, so the next call is a first one
				calls := e.calls[entry][key]
				e.calls[entry][key] = calls[:max(0, len(calls)-1)]
			}
		}
	}
	return e, nil
}

func (e *entries) called(key, entry string, at int64) {
	if e.calls[entry] == nil {
		e.calls[entry] = map[string][]int64{}
	}
	e.calls[entry][key] = append(e.calls[entry][key], at)
}

// made returns the calls for an entry that each need a request: every call to a tool without
// idempotency keys, else the first call with each key.
func (e *entries) made(entry string) (at []int64) {
	for _, calls := range e.calls[entry] {
		if bookingOf(entry).keyed {
			calls = calls[:min(1, len(calls))]
		}
		at = append(at, calls...)
	}
	slices.Sort(at)
	return at
}
