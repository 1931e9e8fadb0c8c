package sqlite

import (
	"database/sql/driver"
	"os"
	"sync"
	"sync/atomic"
)

const pageSize = 4096

// checkpointer moves what is in the WAL to the database file, on a connection of its own
// and by the WAL's size. The bulk is moved while the writer goes on; only for the rest,
// and for starting the WAL anew, does the writer wait at the gate.
type checkpointer struct {
	conn  *conn
	wal   string // path
	every int    // pages
	cap   int64  // bytes

	gate sync.Mutex // held by whoever may write to the WAL's end: the writer or a restart

	wake    chan struct{}
	shrink  atomic.Bool // the next checkpoint truncates the WAL, whatever its size
	stopped sync.WaitGroup
	pages   int // written since the last wake; only the writer uses it
}

func startCheckpointer(c *conn, path string, everyBytes, capBytes int64) *checkpointer {
	p := &checkpointer{
		conn: c, wal: path + "-wal", every: int(everyBytes / pageSize), cap: capBytes, wake: make(chan struct{}, 1),
	}
	p.stopped.Go(p.run)
	return p
}

// wrote is told by the writer how many pages a commit appended, and whether something was
// erased, which shall not stay readable in the WAL.
func (p *checkpointer) wrote(pages int, erased bool) {
	p.pages += pages
	if erased {
		p.shrink.Store(true)
	} else if p.pages < p.every {
		return
	}
	p.pages = 0
	select {
	case p.wake <- struct{}{}:
	default: // one that is asked for already suffices
	}
}

func (p *checkpointer) run() {
	for range p.wake {
		// A failure is not lost: the pages stay in the WAL, and the next round, or the
		// next commit on a full disk, meets it again.
		_ = p.checkpoint()
	}
}

func (p *checkpointer) checkpoint() error {
	if err := p.pragma("PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
		return err
	}
	shrink := p.shrink.Swap(false)
	if info, err := os.Stat(p.wal); err == nil && info.Size() > p.cap {
		shrink = true
	}
	p.gate.Lock()
	defer p.gate.Unlock()
	if shrink {
		return p.pragma("PRAGMA wal_checkpoint(TRUNCATE)")
	}
	return p.pragma("PRAGMA wal_checkpoint(RESTART)")
}

func (p *checkpointer) pragma(text string) error {
	return p.conn.query(text, func([]driver.Value) error { return nil })
}

// close is called after the writer has stopped.
func (p *checkpointer) close() error {
	close(p.wake)
	p.stopped.Wait()
	return p.conn.close()
}
