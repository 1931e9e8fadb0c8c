package build

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
)

// PollInterval is the interval for checking an agent's files. Notifications of the file system
// would be faster, but network file systems do not send them, nor does the exchange of a
// ConfigMap's link.
const PollInterval = time.Second

// mtimeGrain is the age from which a file's size and time show whether it has changed: two writes
// within the clock's resolution (2 s on FAT) look alike.
const mtimeGrain = 4 * time.Second

// MaxChanges is the number of consecutive checks with changes after which the files are loaded
// although they still change.
const MaxChanges = 5

// maxFollowed limits the size of a watched file. No file of an agent may be larger.
const maxFollowed = 16 << 20

// Reloader watches the files of an agent. One goroutine calls its methods.
type Reloader struct {
	Load     func() (*config.Agent, error)
	Apply    func(context.Context, *config.Agent) error
	Log      io.Writer
	OnReload func(err error) // called after every reload with nil, or why the last good version stays; may be nil

	files     []string // of the last good version
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

// Start watches the files of an agent that runs already.
func (r *Reloader) Start(files []string) {
	r.files, r.seen = files, map[string]fileState{}
	r.Changed()
}

// Changing reports whether the files changed at the last check.
func (r *Reloader) Changing() bool { return r.changes > 0 }

// LastError is why the last reload failed; "" if it did not.
func (r *Reloader) LastError() string { return r.lastError }

// Run checks at each tick, and reloads at each signal even without a change.
func (r *Reloader) Run(ctx context.Context, tick <-chan time.Time, hup <-chan os.Signal) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
			r.Poll(ctx)
		case <-hup:
			r.Changed()
			r.changes = 0
			r.Reload(ctx)
		}
	}
}

// Poll reloads if a file has changed and did not change again since the last check. After a failed
// load it tries again at every check: what is missing may be a file that no good version has named.
func (r *Reloader) Poll(ctx context.Context) {
	if r.Changed() {
		if r.changes++; r.changes < MaxChanges {
			return
		}
	}
	if r.changes > 0 || r.lastError != "" {
		r.changes = 0
		r.Reload(ctx)
	}
}

// Reload loads the files and replaces the agent, or reports why it cannot. It reports the same
// reason once.
func (r *Reloader) Reload(ctx context.Context) {
	begun := time.Now()
	agent, err := r.Load()
	if err != nil {
		if again := err.Error() == r.lastError; !again {
			r.lastError = err.Error()
			r.refuse(err)
		}
		return
	}
	r.lastError = ""
	if err := r.Apply(ctx, agent); err != nil {
		if ctx.Err() == nil { // else the process ends
			r.refuse(err)
		}
		return
	}
	r.follow(agent.Files, begun)
	fmt.Fprintf(r.Log, "slotway: agent %s is reloaded, version %s\n", agent.ID, agent.Hash)
	if n := len(agent.Warnings); n > 0 {
		fmt.Fprintf(r.Log, "slotway: it has %d warnings; 'slotway check' lists them\n", n)
	}
	r.report(nil)
}

// refuse reports why a version is not used. Problems of a file name their line. The report comes
// first: who reads the line may ask for the report at once.
func (r *Reloader) refuse(err error) {
	r.report(err)
	fmt.Fprintf(r.Log, "slotway: the agent is not reloaded, its last good version goes on:\n%v\n", err)
}

func (r *Reloader) report(err error) {
	if r.OnReload != nil {
		r.OnReload(err)
	}
}

// follow watches the files of a version whose load began at begun. A file that differs from its
// state before that, or was written since, may have been loaded in another form: it counts as
// changed at the next check.
func (r *Reloader) follow(files []string, begun time.Time) {
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

// Changed checks every file and reports whether the content of one has changed.
func (r *Reloader) Changed() bool {
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
