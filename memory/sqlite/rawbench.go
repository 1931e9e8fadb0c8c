package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// RawOptions of a RawBench; the zero value is right.
type RawOptions struct {
	Sessions   int           // rows of state that are updated in turn; default 1000
	Clients    int           // how many wait for commits at a time; default 64
	Duration   time.Duration // default 3 s
	Durability Durability    // default Durable
}

// RawResult is the result of RawBench.
type RawResult struct {
	Commits       int64   `json:"commits"` // turns' worth of rows, each waited for
	PerSecond     float64 `json:"raw_commits_per_s"`
	MeanGroup     float64 `json:"mean_group"` // turns in one transaction
	BytesPerTurn  float64 `json:"bytes_per_turn"`
	ElapsedMillis int64   `json:"elapsed_ms"`
}

// RawBench measures what the database alone can do, as the bound that a whole turn is
// compared with: the rows of a turn (one state, two messages, one record) with contents
// made beforehand, through a bare group commit, without loading, encoding, checksums,
// version checks or cache. path must not exist; the files are removed afterwards.
func RawBench(ctx context.Context, path string, opts RawOptions) (result RawResult, err error) {
	opts.Sessions = positive(opts.Sessions, 1000)
	opts.Clients = min(positive(opts.Clients, 64), opts.Sessions)
	opts.Duration = positive(opts.Duration, 3*time.Second)
	if _, err := os.Stat(path); err == nil {
		return result, fmt.Errorf("raw bench: %s exists already", path)
	}
	defer func() {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			if e := os.Remove(path + suffix); e != nil && !os.IsNotExist(e) {
				err = errors.Join(err, e)
			}
		}
	}()
	s, err := Open(ctx, path, &Options{Durability: opts.Durability}) // the same schema, PRAGMAs and checkpoints
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	b := &rawBench{conn: s.writer.conn, checks: s.checks, queue: make(chan rawTurn, opts.Clients)}
	if err := b.prepare(opts.Sessions); err != nil {
		return result, err
	}
	return b.measure(ctx, opts)
}

// rawBench uses the connection of a store whose writer idles.
type rawBench struct {
	conn   *conn
	checks *checkpointer
	queue  chan rawTurn
	groups int64
}

type rawTurn struct {
	session, number int64
	done            chan error
}

// What the rows hold: about what a turn of an order desk has.
var (
	rawParams   = `{"customer":"` + strings.Repeat("c", 24) + `","order_id":"O-12345"}`
	rawQuestion = strings.Repeat("where is my order ", 3)
	rawAnswer   = strings.Repeat("your order is on its way ", 3)
	rawResponse = `{"intent":"order_status","reply":"` + rawAnswer + `"}`
	rawPast     = `{"head":{"version":1},"state":{"params":` + rawParams + `}}`
)

func (b *rawBench) prepare(sessions int) error {
	if _, err := b.conn.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for id := range int64(sessions) {
		if _, err := b.conn.exec(insertState, id+1, int64(0), int64(0), int64(1), int64(1), int64(0), int64(0), int64(0),
			"", "", rawParams, "", "", int64(0), int64(0)); err != nil {
			return err
		}
	}
	_, err := b.conn.exec("COMMIT")
	return err
}

func (b *rawBench) measure(ctx context.Context, opts RawOptions) (result RawResult, err error) {
	var writer, clients sync.WaitGroup
	writer.Go(b.write)
	var mu sync.Mutex
	begin := time.Now()
	for c := range opts.Clients {
		clients.Go(func() {
			n, e := b.client(ctx, int64(c), opts, begin.Add(opts.Duration))
			mu.Lock()
			defer mu.Unlock()
			result.Commits += n
			err = errors.Join(err, e)
		})
	}
	clients.Wait()
	elapsed := time.Since(begin)
	close(b.queue)
	writer.Wait()
	result.ElapsedMillis = elapsed.Milliseconds()
	result.PerSecond = float64(result.Commits) / elapsed.Seconds()
	result.MeanGroup = float64(result.Commits) / float64(max(b.groups, 1))
	result.BytesPerTurn = float64(len(rawParams) + len(rawQuestion) + len(rawAnswer) + len(rawResponse))
	return result, err
}

// client commits turns of the sessions that are its own, one after the other.
func (b *rawBench) client(ctx context.Context, c int64, opts RawOptions, end time.Time) (n int64, err error) {
	done := make(chan error, 1)
	own := int64(opts.Sessions / opts.Clients)
	for ; ctx.Err() == nil && time.Now().Before(end); n++ {
		b.queue <- rawTurn{session: 1 + c + n%own*int64(opts.Clients), number: n/own + 1, done: done}
		if err := <-done; err != nil {
			return n, explain(err)
		}
	}
	return n, ctx.Err()
}

func (b *rawBench) write() {
	group := make([]rawTurn, 0, maxGroup)
	for t := range b.queue {
		group = append(group[:0], t)
		for len(group) < maxGroup && len(b.queue) > 0 {
			group = append(group, <-b.queue)
		}
		b.checks.walLock.Lock()
		err := b.commit(group)
		pages := b.conn.pagesWritten()
		b.checks.walLock.Unlock()
		b.groups++
		for _, t := range group {
			t.done <- err
		}
		b.checks.wrote(pages, false)
	}
}

func (b *rawBench) commit(group []rawTurn) error {
	if _, err := b.conn.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for _, t := range group {
		if err := b.turn(t); err != nil {
			return err
		}
	}
	_, err := b.conn.exec("COMMIT")
	return err
}

func (b *rawBench) turn(t rawTurn) error {
	n, now := t.number, time.Now().UnixMicro()
	if _, err := b.conn.exec(updateState, n, int64(0), 2*n+1, int64(1), n, now,
		"order_id", "order_status", rawParams, "", "", int64(n), int64(0), t.session, n-1); err != nil {
		return err
	}
	for i, m := range [...]struct{ role, text string }{{"user", rawQuestion}, {"agent", rawAnswer}} {
		if _, err := b.conn.exec(insertMessage, messageID(t.session, 2*n-1+int64(i)), n, now, m.role, m.text, "", "", "", "",
			int64(16), int64(0), n, int64(0)); err != nil {
			return err
		}
	}
	_, err := b.conn.exec(insertTurn, t.session, fmt.Sprintf("request-%016x", uint64(n)*0x9e3779b97f4a7c15), n, now,
		"order_status", "responded", rawResponse, n, rawPast, int64(0))
	return err
}
