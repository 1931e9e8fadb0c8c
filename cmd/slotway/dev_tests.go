package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/replay"
)

// devPoll is the interval for checking the files of tests.
const devPoll = time.Second

// devTests runs the conversations beside an agent whenever the agent or one of their files changes.
type devTests struct {
	flags *flags
	live  bool
	out   io.Writer
	errs  io.Writer
	cache cascade.Cache // what a version was taught serves the next one with the same examples
	again chan struct{} // holds one request to run

	mu       sync.Mutex      // guards the fields below
	last     *httpapi.Tests  // nil: none were found
	problems source.Problems // what check says of the version; nil: it has not ended
}

func newDevTests(f *flags, live bool, out, errs io.Writer) *devTests {
	return &devTests{flags: f, live: live, out: out, errs: errs, cache: build.ModelsIn("", nil), again: make(chan struct{}, 1)}
}

// results returns the results of the last run, and what check says of the version.
func (d *devTests) results() (*httpapi.Tests, source.Problems) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.last, d.problems
}

// check shows what `slotway check` says of the version.
func (d *devTests) check(ctx context.Context) {
	f := *d.flags
	c, err := f.check(ctx, f.agent, true)
	if err == nil {
		err = c.printText(d.errs, f.agent)
	}
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		fmt.Fprintf(d.errs, "slotway: %v\n", err)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.problems = c.Problems
}

// wake asks for another run: there is a new version.
func (d *devTests) wake() {
	d.mu.Lock()
	d.problems = nil
	d.mu.Unlock()
	select {
	case d.again <- struct{}{}:
	default: // it is asked for already
	}
}

// run runs the tests at the start, and after each change, until ctx ends.
func (d *devTests) run(ctx context.Context) {
	seen := d.stamp()
	d.play(ctx)
	d.check(ctx)
	tick := time.NewTicker(devPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.again:
			d.play(ctx)
			d.check(ctx)
		case <-tick.C:
			if now := d.stamp(); now != seen {
				seen = now
				d.play(ctx)
			}
		}
	}
}

// stamp describes the files of the tests, with the times of their last change.
func (d *devTests) stamp() string {
	var b strings.Builder
	for _, file := range d.files() {
		if info, err := os.Stat(file); err == nil {
			fmt.Fprintln(&b, file, info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}

// files returns the files with tests of the agent.
func (d *devTests) files() []string {
	folder := filepath.Dir(d.flags.agent)
	tests := filepath.Join(folder, testsFolder)
	if info, err := os.Stat(tests); err == nil && info.IsDir() {
		folder = tests
	}
	found, err := replay.Find([]string{folder})
	if err != nil {
		return nil // a file vanished meanwhile: the next look finds the others
	}
	var own []string
	for _, file := range found {
		if d.concerns(file) {
			own = append(own, file)
		}
	}
	return own
}

// concerns reports whether a file tests the agent. A file with errors does: its errors are shown.
func (d *devTests) concerns(file string) bool {
	data, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	conversations, err := replay.Parse(file, data)
	if err != nil {
		return true
	}
	for i := range conversations {
		if path := conversations[i].AgentPath(); path == "" || sameFile(path, d.flags.agent) {
			return true
		}
	}
	return false
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// play runs the tests and shows their results.
func (d *devTests) play(ctx context.Context) {
	files := d.files()
	if len(files) == 0 {
		return
	}
	d.running()
	r := &replayer{flags: d.flags, agents: map[string]*config.Agent{}, cache: d.cache}
	var results []replay.Result
	for _, file := range files {
		results = append(results, r.file(ctx, file, &replay.Options{Live: d.live})...)
	}
	if ctx.Err() != nil {
		return
	}
	d.mu.Lock()
	d.last = testsOf(results)
	d.mu.Unlock()
	if err := replay.WriteText(d.out, results); err != nil {
		fmt.Fprintf(d.out, "slotway: %v\n", err)
	}
}

// running tells that the results are about to change.
func (d *devTests) running() {
	d.mu.Lock()
	defer d.mu.Unlock()
	shown := httpapi.Tests{Failures: []httpapi.TestFailure{}}
	if d.last != nil {
		shown = *d.last
	}
	shown.Running = true
	d.last = &shown
}

// testsOf converts results for the HTTP API.
func testsOf(results []replay.Result) *httpapi.Tests {
	sum := replay.Count(results)
	t := &httpapi.Tests{At: build.Now(), Passed: sum.Passed, Failed: sum.Failed, Failures: []httpapi.TestFailure{}}
	for _, r := range results {
		for _, f := range r.Failures {
			diff := f.Diff
			if f.Why != "" {
				diff = strings.TrimRight(diff, "\n") + "\n" + f.Why
			}
			t.Failures = append(t.Failures, httpapi.TestFailure{File: r.File, Line: f.Line, Conversation: r.Name, Turn: f.Turn, Diff: diff})
		}
	}
	return t
}
