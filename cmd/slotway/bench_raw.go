package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/memory/sqlite"
)

// raw measures the disk and the database alone in the same run, with as many clients: the bounds that a
// whole turn is compared with.
func (b *benchFlags) raw(ctx context.Context, cmd *cobra.Command, _ *flags, dir string, r *benchResult) error {
	if b.durability == "none" {
		return nil
	}
	stop := timeBar(cmd, "bare commits", b.duration)
	defer stop()
	w, err := newRawWriter(ctx, filepath.Join(dir, "raw.db"), b.database, b.durability)
	if err != nil {
		return fmt.Errorf("measure bare commits: %w", err)
	}
	commits, perSecond, err := w.measure(ctx, b.clients, b.duration)
	if err = errors.Join(err, w.close(ctx)); err != nil {
		return fmt.Errorf("measure bare commits: %w", err)
	}
	r.RawCommits, r.Ratio = perSecond, r.TurnsPerS/perSecond
	r.RawBytes = float64(databaseBytes(ctx, filepath.Join(dir, "raw.db"))) / float64(max(commits, 1))
	r.Append, err = appendTime(filepath.Join(dir, "append"), min(b.duration, time.Second))
	return err
}

// rawWriter commits the rows of two turns, which the benchmark has stored, over and over through a bare
// group commit: each pair as a session of its own, without loading, encoding, checksums or cache.
type rawWriter struct {
	db       *sql.DB
	conn     *sql.Conn
	turns    [2][]rawStatement
	sessions atomic.Int64 // begun
	prepared map[string]*sql.Stmt
	queue    chan rawTurn
}

// rawStatement writes a row; its session goes before args.
type rawStatement struct {
	text string
	args []any
}

// rawTurn is the rows of a turn of a session, whose writer waits.
type rawTurn struct {
	session int64
	number  int // 0 or 1
	done    chan error
}

// newRawWriter makes a database with the schema and the settings of the store, and takes its rows from
// the one at stored.
func newRawWriter(ctx context.Context, path, stored, durability string) (w *rawWriter, err error) {
	if _, err := sqlite.Migrate(ctx, path, "up"); err != nil {
		return nil, err
	}
	synchronous := "FULL"
	if durability == string(sqlite.Relaxed) {
		synchronous = "NORMAL"
	}
	w = &rawWriter{prepared: map[string]*sql.Stmt{}}
	pragmas := "?_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(4096)&_pragma=cache_size(-16384)&_pragma=synchronous(" + synchronous + ")"
	if w.db, err = sql.Open("sqlite", "file:"+path+pragmas); err != nil {
		return nil, err
	}
	if w.conn, err = w.db.Conn(ctx); err == nil {
		err = w.sample(ctx, stored)
	}
	if err != nil {
		return nil, errors.Join(err, w.close(ctx))
	}
	return w, nil
}

// sample takes the rows of the last two turns of a session.
func (w *rawWriter) sample(ctx context.Context, stored string) (err error) {
	db, err := sql.Open("sqlite", "file:"+stored+"?mode=ro")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var session int64
	var last int
	if err := db.QueryRowContext(ctx, `SELECT session, max(turn) FROM turns GROUP BY session HAVING max(turn) > 1 LIMIT 1`).Scan(&session, &last); err != nil {
		return fmt.Errorf("no session of two turns was stored: %w", err)
	}
	w.turns[0] = []rawStatement{{text: `INSERT INTO keys VALUES (?, randomblob(16))`}}
	for i := range w.turns {
		for _, from := range []string{"sessions WHERE session = ?1 AND ?2 > 0", "messages WHERE session = ?1 AND turn = ?2", "turns WHERE session = ?1 AND turn = ?2"} {
			rows, err := rawRows(ctx, db, from, session, last-1+i)
			if err != nil {
				return err
			}
			if i == 1 && strings.HasPrefix(from, "sessions") {
				rows[0].text = `UPDATE sessions SET ` + rawChanges + ` WHERE session = ?1`
			}
			w.turns[i] = append(w.turns[i], rows...)
		}
	}
	return nil
}

// rawChanges are the columns of a session that its next turn writes, by their place in the row.
const rawChanges = `version = ?5, epoch = ?6, next_seq = ?7, floor_seq = ?8, turns = ?9, gone = ?10, updated_at = ?12,
	stated = ?13, waiting_for_param = ?14, last_intent_id = ?15, params = ?16, last_result = ?17, plan_execution = ?18, crc = ?19`

// rawRows returns the insertion of each row of a table.
func rawRows(ctx context.Context, db *sql.DB, from string, args ...any) (list []rawStatement, err error) {
	rows, err := db.QueryContext(ctx, `SELECT * FROM `+from, args...) //nolint:gosec // the callers write from in full
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	table, _, _ := strings.Cut(from, " ")
	text := `INSERT INTO ` + table + ` VALUES (?` + strings.Repeat(`, ?`, len(columns)-1) + `)`
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		for i, v := range values {
			if bytes, ok := v.([]byte); ok && len(bytes) == 0 {
				values[i] = []byte{} // nil would be written as NULL
			}
		}
		list = append(list, rawStatement{text, values[1:]}) // the session is the first column of every table
	}
	return list, rows.Err()
}

// measure commits for a while, and returns how many turns, and how many a second.
func (w *rawWriter) measure(ctx context.Context, clients int, span time.Duration) (commits int64, perSecond float64, err error) {
	w.queue = make(chan rawTurn, clients)
	var writer, waiting sync.WaitGroup
	writer.Go(func() { w.write(ctx) })
	var mu sync.Mutex // guards commits and err
	begin := time.Now()
	for range clients {
		waiting.Go(func() {
			n, failed := w.client(ctx, begin.Add(span))
			mu.Lock()
			defer mu.Unlock()
			commits, err = commits+n, errors.Join(err, failed)
		})
	}
	waiting.Wait()
	elapsed := time.Since(begin)
	close(w.queue)
	writer.Wait()
	return commits, float64(commits) / elapsed.Seconds(), err
}

// client commits the turns of its own sessions, one after the other.
func (w *rawWriter) client(ctx context.Context, end time.Time) (n int64, err error) {
	session, done := int64(0), make(chan error, 1)
	for ; ctx.Err() == nil && time.Now().Before(end); n++ {
		if n%2 == 0 {
			session = w.sessions.Add(1)
		}
		w.queue <- rawTurn{session, int(n % 2), done}
		if err := <-done; err != nil {
			return n, err
		}
	}
	return n, ctx.Err()
}

// rawGroup bounds a transaction, as the store's own writer does.
const rawGroup = 256

func (w *rawWriter) write(ctx context.Context) {
	for turn := range w.queue {
		group := []rawTurn{turn}
		for len(group) < rawGroup && len(w.queue) > 0 {
			group = append(group, <-w.queue)
		}
		err := w.commit(ctx, group)
		for _, turn := range group {
			turn.done <- err
		}
	}
}

func (w *rawWriter) commit(ctx context.Context, group []rawTurn) error {
	if _, err := w.conn.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return err
	}
	for _, turn := range group {
		for _, s := range w.turns[turn.number] {
			if err := w.run(ctx, s.text, append([]any{turn.session}, s.args...)); err != nil {
				_, undo := w.conn.ExecContext(ctx, `ROLLBACK`)
				return errors.Join(err, undo)
			}
		}
	}
	_, err := w.conn.ExecContext(ctx, `COMMIT`)
	return err
}

func (w *rawWriter) run(ctx context.Context, text string, args []any) (err error) {
	statement := w.prepared[text]
	if statement == nil {
		if statement, err = w.conn.PrepareContext(ctx, text); err != nil {
			return err
		}
		w.prepared[text] = statement
	}
	_, err = statement.ExecContext(ctx, args...)
	return err
}

// close moves the log to the file, whose size is measured.
func (w *rawWriter) close(ctx context.Context) error {
	var all []error
	for _, statement := range w.prepared {
		all = append(all, statement.Close())
	}
	if w.conn != nil {
		_, err := w.conn.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
		all = append(all, err, w.conn.Close())
	}
	return errors.Join(append(all, w.db.Close())...)
}
