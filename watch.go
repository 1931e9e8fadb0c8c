package slotway

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/router/httpapi"
)

// pollInterval is the interval for checking an agent's files. Notifications of the file system
// would be faster, but network file systems do not send them, nor does the exchange of a
// ConfigMap's link.
const pollInterval = time.Second

// mtimeGrain is the age from which a file's size and time show whether it has changed: two writes
// within the clock's resolution (2 s on FAT) look alike.
const mtimeGrain = 4 * time.Second

// maxChanges is the number of consecutive checks with changes after which the files are loaded
// although they still change.
const maxChanges = 5

// maxFollowed limits the size of a watched file. No file of an agent may be larger.
const maxFollowed = 16 << 20

// errReadOnce is the reason why an agent from a pipe cannot be reloaded.
var errReadOnce = errors.New("the agent came through standard input or a pipe, which is read once; start again, or name a file")

// reloader watches the files of an agent. One goroutine calls its methods.
type reloader struct {
	load      func() (*config.Agent, error)
	apply     func(context.Context, *config.Agent) error
	log       io.Writer
	onReload  func(err error) // called after every reload with nil, or why the last good version stays; may be nil
	files     []string        // of the last good version
	seen      map[string]fileState
	lastError string // why the last reload failed; "" if it did not
	changes   int    // consecutive checks that found a change
}

// fileState is the state of a file at the last check.
type fileState struct {
	size  int64
	mtime time.Time
	at    time.Time // when it was read
	sum   [sha256.Size]byte
	gone  bool
}

// newReloader watches the files of the runtime's agent.
func newReloader(r *Runtime) *reloader {
	log := r.opts.Stderr
	if log == nil {
		log = io.Discard
	}
	files := &reloader{load: r.loadAgain, apply: r.reload, log: log, onReload: r.reloaded, files: r.agent.Files, seen: map[string]fileState{}}
	files.changed()
	return files
}

// loadAgain reads the agent's file again.
func (r *Runtime) loadAgain() (*config.Agent, error) {
	switch {
	case r.opts.Agent != nil:
		return nil, errors.New("the agent was given in Options.Agent: there is no file to read again")
	case source.ReadOnce(r.file):
		return nil, errReadOnce
	}
	return loadAgent(r.file)
}

// Reload reads the agent's file again and replaces the agent, or fails and changes nothing. Each
// conversation uses the new version from its next message on.
func (r *Runtime) Reload(ctx context.Context) error {
	agent, err := r.loadAgain()
	if err == nil {
		err = r.reload(ctx, agent)
	}
	r.reloaded(err)
	return err
}

// Watch reloads the agent when its files change or the process gets SIGHUP, until the runtime is
// closed. It waits until the files stop changing. It writes the outcome to Options.Stderr.
func (r *Runtime) Watch() {
	files := newReloader(r)
	r.loaded.CompareAndSwap(nil, httpapi.NewReload(build.Now(), nil, r.agent.Warnings))
	ctx, cancel := context.WithCancel(context.Background())
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	ticker := time.NewTicker(pollInterval)
	var wg sync.WaitGroup
	wg.Go(func() { files.run(ctx, ticker.C, hup) })
	r.onClose(func() error {
		signal.Stop(hup)
		ticker.Stop()
		cancel()
		wg.Wait()
		return nil
	})
}

// run checks at each tick, and reloads at each signal even without a change.
func (r *reloader) run(ctx context.Context, tick <-chan time.Time, hup <-chan os.Signal) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
			r.poll(ctx)
		case <-hup:
			r.changed()
			r.changes = 0
			r.reload(ctx)
		}
	}
}

// poll reloads if a file has changed and did not change again since the last check. After a failed
// load it tries again at every check: what is missing may be a file that no good version has named.
func (r *reloader) poll(ctx context.Context) {
	if r.changed() {
		if r.changes++; r.changes < maxChanges {
			return
		}
	}
	if r.changes > 0 || r.lastError != "" {
		r.changes = 0
		r.reload(ctx)
	}
}

// reload loads the files and replaces the agent, or reports why it cannot. It reports the same
// reason once.
func (r *reloader) reload(ctx context.Context) {
	begun := time.Now()
	agent, err := r.load()
	if err != nil {
		if again := err.Error() == r.lastError; !again {
			r.lastError = err.Error()
			r.refuse(err)
		}
		return
	}
	r.lastError = ""
	if err := r.apply(ctx, agent); err != nil {
		if ctx.Err() == nil { // else the process ends
			r.refuse(err)
		}
		return
	}
	r.follow(agent.Files, begun)
	fmt.Fprintf(r.log, "slotway: agent %s is reloaded, version %s\n", agent.ID, agent.Hash)
	if n := len(agent.Warnings); n > 0 {
		fmt.Fprintf(r.log, "slotway: it has %d warnings; 'slotway check' lists them\n", n)
	}
	r.report(nil)
}

// refuse reports why a version is not used. Problems of a file name their line. The report comes
// first: who reads the line may ask for the report at once.
func (r *reloader) refuse(err error) {
	r.report(err)
	fmt.Fprintf(r.log, "slotway: the agent is not reloaded, its last good version goes on:\n%v\n", err)
}

func (r *reloader) report(err error) {
	if r.onReload != nil {
		r.onReload(err)
	}
}

// follow watches the files of a version whose load began at begun. A file that differs from its
// state before that, or was written since, may have been loaded in another form: it counts as
// changed at the next check.
func (r *reloader) follow(files []string, begun time.Time) {
	for _, path := range files {
		before, known := r.seen[path]
		l := readState(path, fileState{})
		if known && (before.gone || before.sum != l.sum) || !known && l.mtime.After(begun) {
			l = fileState{}
		}
		r.seen[path] = l
	}
	r.files = files
}

// changed checks every file and reports whether the content of one has changed.
func (r *reloader) changed() bool {
	changed := false
	for _, path := range r.files {
		before, known := r.seen[path]
		now := readState(path, before)
		changed = changed || known && (now.sum != before.sum || now.gone != before.gone)
		r.seen[path] = now
	}
	return changed
}

// readState returns the state of a file. It reads the file unless size and time say that it is
// unchanged. An unreadable file counts as gone; so does anything but a regular file, which is never
// read.
func readState(path string, before fileState) fileState {
	now := fileState{at: time.Now()}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		now.gone = true
		return now
	}
	now.size, now.mtime = info.Size(), info.ModTime()
	if now.size == before.size && now.mtime.Equal(before.mtime) && before.at.Sub(before.mtime) > mtimeGrain {
		return before
	}
	data, err := source.ReadFile(path, maxFollowed)
	if err != nil {
		now.gone = true
		return now
	}
	now.sum = sha256.Sum256(data)
	return now
}
