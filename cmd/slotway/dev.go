package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/replay"
)

func newDev(f *flags) *cobra.Command {
	var addr string
	var browse, live bool
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Serve the agent while you write it: reload and test on every save",
		Long: `Serve the agent on this machine while you write it. After each save the agent is loaded again, what
"slotway check" says of it is shown here and in the studio, and its tests are run again: the conversations
below the folder tests beside the agent, else below the agent's folder, that talk to this agent.
Turns that differ are shown as a diff, here and in the studio. A test is also run when its own file
is saved.

A message in the studio calls the agent's tools as "slotway serve" does. The tests do not:
` + liveHelp + `

Telemetry is not logged unless --set telemetry.log=FILE says so.

` + reloadHelp,
		Example: `  slotway --agent agent.yaml dev
  slotway --agent agent.yaml dev --open --addr 127.0.0.1:8090`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.agent == "" {
				return usagef("dev needs a file to watch: name it with --agent FILE, or call it agent.yaml; 'slotway init DIR' makes one")
			}
			f.set = append([]string{"telemetry.log=none"}, f.set...)
			if addr != "" {
				f.set = append(f.set, "server.addr="+addr)
			}
			return f.dev(cmd, browse, live)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "", "HOST:PORT to listen on, of this machine; port 0 takes a free one (default: server.addr)")
	cmd.Flags().BoolVar(&browse, "open", false, "open the studio in the browser")
	cmd.Flags().BoolVar(&live, "live", false, "let the tests call write tools for real where a conversation does not script them")
	return cmd
}

// dev serves, watches and tests until the command's context ends.
func (f *flags) dev(cmd *cobra.Command, browse, live bool) error {
	defer spoolStderr(cmd)()
	settings, err := f.settings()
	if err != nil {
		return err
	}
	if httpapi.LoopbackHost(settings.Server.Addr) == "" {
		return usagef("dev listens on this machine only, not on %s; choose another address with --addr 127.0.0.1:8080", settings.Server.Addr)
	}
	adapters, err := f.authoring(cmd.Context(), true, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	tests := newDevTests(f, live, cmd.OutOrStdout(), cmd.ErrOrStderr())
	r, err := f.open(cmd.Context(), slotway.Options{
		Stderr: cmd.ErrOrStderr(), Adapters: adapters, Tests: tests.results,
		Reloaded: func(_ *config.Agent, err error) {
			if err == nil {
				tests.wake()
			}
		},
	})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(cmd.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tests.run(ctx)
	}()
	if browse {
		openBrowser(cmd, "http://"+settings.Server.Addr+"/studio")
	}
	err = serve(cmd, f, r)
	stop()
	<-ended
	return errors.Join(err, r.Close())
}

// browsers are the commands that open a URL, by operating system.
var browsers = map[string][]string{
	"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}, "linux": {"xdg-open"}, "freebsd": {"xdg-open"},
}

// openBrowser opens a page; the address that is printed does as well if it cannot.
func openBrowser(cmd *cobra.Command, url string) {
	opener := browsers[runtime.GOOS]
	if len(opener) == 0 {
		return
	}
	if err := exec.CommandContext(cmd.Context(), opener[0], append(opener[1:], url)...).Start(); err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "slotway: no browser could be opened (%v); open %s yourself\n", err, url)
	}
}

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

// reloadHelp is the help text about reloading.
const reloadHelp = `The agent's files are checked every second. A change is loaded when the files have been
unchanged for one more second, or at once on SIGHUP. If writing a file takes longer, write a
new file and rename it. Each conversation uses the new version from its next message on;
turns in progress finish with the old one. A version with an error is refused as a whole,
and the last good one keeps running. Settings are read only at the start.`
