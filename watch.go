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
)

// lookEvery is how often an agent's files are looked at. Notifications of the file system
// would be faster, and do not come from network file systems or for a ConfigMap that is
// exchanged by a link.
const pollInterval = time.Second

// settled is how old a file must be before its size and time tell whether it has changed:
// two writes within the clock's grain (2 s on FAT) look alike.
const mtimeGrain = 4 * time.Second

// restless is at how many looks in a row files may change before they are loaded all the
// same: else one that never rests would never be.
const maxChanges = 5

// maxFollowed bounds a file that is followed, in bytes. No file of an agent may be larger.
const maxFollowed = 16 << 20

// errReadOnce is why an agent that came through a pipe is not loaded again.
var errReadOnce = errors.New("the agent came through standard input or a pipe, which is read once; start again, or name a file")

// reloader follows the files of an agent. Its methods are called by one goroutine.
type reloader struct {
	load  func() (*config.Agent, error)
	apply func(context.Context, *config.Agent) error
	log   io.Writer
	onReload  func(err error) // of every reload that was tried: nil, or why the last good version goes on; nil: nobody
	files []string        // of the last good version
	seen  map[string]fileState
	lastError string // why the files could not be loaded at the last try; "" when they could
	changes int    // looks in a row at which a file had changed
}

// look is a file as it was seen last.
type fileState struct {
	size  int64
	mtime time.Time
	at    time.Time // when it was read
	sum   [sha256.Size]byte
	gone  bool
}

// newReloader follows the files of the agent that the runtime runs.
func newReloader(r *Runtime) *reloader {
	log := r.opts.Stderr
	if log == nil {
		log = io.Discard
	}
	files := &reloader{load: r.loadAgain, apply: r.reload, log: log, onReload: r.reloaded, files: r.agent.Files, seen: map[string]fileState{}}
	files.changed()
	return files
}

// loadAgain reads the agent's file once more.
func (r *Runtime) loadAgain() (*config.Agent, error) {
	switch {
	case r.opts.Agent != nil:
		return nil, errors.New("the agent was given in Options.Agent: there is no file to read again")
	case source.ReadOnce(r.file):
		return nil, errReadOnce
	}
	return loadAgent(r.file)
}

// Reload reads the agent's file again and takes it over, or fails and leaves everything as it is.
// The new version takes effect at the next message of each conversation.
func (r *Runtime) Reload(ctx context.Context) error {
	agent, err := r.loadAgain()
	if err == nil {
		err = r.reload(ctx, agent)
	}
	r.reloaded(err)
	return err
}

// Watch follows the agent's files and SIGHUP until the runtime is closed: a change is taken over
// once the files rest. What came of it goes to Options.Stderr.
func (r *Runtime) Watch() {
	files := newReloader(r)
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

// run looks at each tick, and reloads at each signal whether or not anything has changed.
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

// look reloads when a file has changed and rests since the look before. Files that could not
// be loaded are tried again at every look, as what they lack may be a file that no good
// version has named.
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

// reload loads the files and puts the agent in the place of the one that runs, or says why
// not. The same reason is said once.
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
		if ctx.Err() == nil { // else the process ends: nobody waits for another version
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

// tell says why a version is not taken. Problems of a file name their line.
func (r *reloader) refuse(err error) {
	fmt.Fprintf(r.log, "slotway: the agent is not reloaded, its last good version goes on:\n%v\n", err)
	r.report(err)
}

func (r *reloader) report(err error) {
	if r.onReload != nil {
		r.onReload(err)
	}
}

// follow looks after the files of a version that began to be loaded at a time. One that is
// not as it was before that, or has been written since, may have been loaded in another
// form than it is seen in: whatever it is at the next look counts as changed.
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

// changed looks at every file, and says whether one has another content than before.
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

// see looks at a file, and reads it unless its size and time say that it is as before. One
// that cannot be read is as good as gone; what is no file is not waited for.
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
