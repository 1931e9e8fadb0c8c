package sqlite

import (
	"database/sql/driver"
	"errors"
	"os"
	"sync"
	"sync/atomic"
)

const pageSize = 4096

// maxLag is how many times its cap the WAL may reach before the writer waits.
const maxLag = 4

// checkpointer moves what is in the WAL to the database file, on a connection of its own and by
// the WAL's size, while the writer goes on appending. Only when the WAL has reached its cap does
// the writer wait for walLock, until the rest is moved and the WAL begins anew; its file is then
// overwritten, which is cheaper to sync than a growing one.
type checkpointer struct {
	conn  *conn
	wal   string // path
	every int64  // pages
	cap   int64  // pages

	walLock sync.Mutex // held to move the WAL's end, by the writer or a restart

	wake    chan struct{}
	erased  atomic.Bool  // the next checkpoint truncates the WAL, whatever its size
	length  atomic.Int64 // pages written since the WAL began anew
	stopped sync.WaitGroup
	pages   int64 // written since the last wake; only the writer uses it
}

func startCheckpointer(c *conn, path string, everyBytes, capBytes int64) *checkpointer {
	p := &checkpointer{
		conn: c, wal: path + "-wal", every: everyBytes / pageSize, cap: capBytes / pageSize, wake: make(chan struct{}, 1),
	}
	p.stopped.Go(p.run)
	return p
}

// wrote tells how many pages a commit appended, and whether it erased something, which must not
// stay readable in the WAL.
func (p *checkpointer) wrote(pages int, erased bool) {
	p.pages += int64(pages)
	length := p.length.Add(int64(pages))
	if erased {
		p.erased.Store(true)
	} else if p.pages < p.every && length < maxLag*p.cap {
		return
	}
	p.pages = 0
	if length >= maxLag*p.cap {
		p.wake <- struct{}{} // wait until the checkpoint under way has ended: the WAL must not grow without bound
		return
	}
	select {
	case p.wake <- struct{}{}:
	default: // one is requested already
	}
}

func (p *checkpointer) run() {
	for range p.wake {
		// A failure is not lost: the pages stay in the WAL, and the next round, or the
		// next commit on a full disk, meets it again.
		for range maxTries {
			if err := p.checkpoint(); !errors.Is(err, errHeld) {
				break
			}
		}
	}
}

// errHeld: a reader keeps the WAL from being truncated.
var errHeld = errors.New("the WAL is being read")

// maxTries is how often truncating waits for readers, 50 ms each time. If they stay longer, the
// next round goes on.
const maxTries = 100

func (p *checkpointer) checkpoint() (err error) {
	if _, err := p.pragma("PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
		return err
	}
	erased := p.erased.Swap(false)
	defer func() {
		if erased && err != nil {
			p.erased.Store(true)
		}
	}()
	if !erased && p.length.Load() < p.cap {
		return nil
	}
	// Once more, for what was written meanwhile: little is left to do under the lock.
	if _, err := p.pragma("PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
		return err
	}
	failpoint("checkpoint_moved")
	p.walLock.Lock()
	defer p.walLock.Unlock()
	p.length.Store(0) // if a reader delays the restart, the next round tries again at the cap
	if info, err := os.Stat(p.wal); erased || (err == nil && info.Size() > 2*p.cap*pageSize) {
		held, err := p.pragma("PRAGMA wal_checkpoint(TRUNCATE)")
		if err == nil && held && erased {
			err = errHeld
		}
		failpoint("checkpoint_truncated")
		return err
	}
	_, err = p.pragma("PRAGMA wal_checkpoint(RESTART)")
	failpoint("checkpoint_restarted")
	return err
}

// pragma runs a checkpoint and reports whether a reader delayed it.
func (p *checkpointer) pragma(text string) (held bool, err error) {
	err = p.conn.query(text, func(row []driver.Value) error {
		held = asInt(row[0]) != 0
		return nil
	})
	return held, err
}

// close is called after the writer has stopped.
func (p *checkpointer) close() error {
	close(p.wake)
	p.stopped.Wait()
	return p.conn.close()
}
