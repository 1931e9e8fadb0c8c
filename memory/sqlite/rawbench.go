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
	Clients    int           // how many wait for commits at a time; default 64
	Duration   time.Duration // default 3 s
	Durability Durability    // default Durable
}

// RawResult is the result of RawBench.
type RawResult struct {
	Commits       int64   `json:"commits"` // turns' worth of rows, each waited for
	PerSecond     float64 `json:"raw_commits_per_s"`
	MeanGroup     float64 `json:"mean_group"`     // turns in one transaction
	BytesPerTurn  float64 `json:"bytes_per_turn"` // growth of the file
	ElapsedMillis int64   `json:"elapsed_ms"`
}

// RawBench measures what the database alone can do, as the bound that a whole turn is
// compared with: the rows of an order lookup in two turns, each conversation a session of its own,
// with contents made beforehand, through a bare group commit, without loading, encoding, checksums or
// cache. path must not exist; the files are removed afterwards.
func RawBench(ctx context.Context, path string, opts RawOptions) (result RawResult, err error) {
	opts.Clients = positive(opts.Clients, 64)
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
	if result, err = b.measure(ctx, opts); err != nil {
		return result, err
	}
	if _, err := b.conn.exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return result, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return result, err
	}
	result.BytesPerTurn = float64(info.Size()) / float64(max(result.Commits, 1))
	return result, nil
}

// rawBench uses the connection of a store whose writer idles.
type rawBench struct {
	conn   *conn
	checks *checkpointer
	queue  chan rawTurn
	groups int64
}

type rawTurn struct {
	*rawTalk
	number int64 // 1 or 2
	done   chan error
}

// rawTalk is a conversation.
type rawTalk struct {
	name string
	id   int64 // of its session; the first turn gives it
}

// The rows hold what an order desk writes: it asks for the number of an order, looks it up and answers.
const (
	rawQuestion = "I want to check my order"
	rawAnswer   = "It's O-12345"
	rawParams   = `{"order_id":"O-12345"}`
	rawResult   = `[{"eta":"Friday","id":"O-12345","item":"wool blanket","status":"pending"}]`
	rawCalls    = `[{"id":"t2.1","tool":"find_orders","args":{"email":null,"order_id":"O-12345","zip":null}}]`
	rawSummary  = `{"summary":"find_orders: 1 result: eta Friday, id order_id, item wool blanket, status pending"}`
	rawReply    = "Order O-12345, wool blanket, is pending. Expected arrival: Friday."
	rawFlags    = `,"handoff":false,"error":null}`
)

// rawStates, rawPasts and rawResponses are those after each turn.
var (
	rawPlans = [...]string{
		`{"v":1,"active":{"id":"e4cef1f1dd954773.order_status.1","intent":"order_status","version":"3cc7f594087e5bf23847edd9843485da","alone":true},` +
			`"open":{"kind":"ask","param":"order_id","since":"2026-11-25T23:26:51.672388102Z"},"turn":1}`,
		`{"v":1,"session":{"order_id":` + rawOrigin + `},"last":"order_status","ended":{"intent":"order_status","turn":2,"at":"2026-11-25T23:26:51.67412097Z",` +
			`"outcome":"told","params":{"order_id":` + strings.Replace(rawOrigin, "{", `{"value":"O-12345",`, 1) + `}},"version":"3cc7f594087e5bf23847edd9843485da","turn":2}`,
	}
	rawPasts = [...]string{
		`{"head":{"version":1,"epoch":0,"next_seq":3,"floor_seq":1,"turns":1},"state":{"params":{},"waiting_for_param":"order_id",` +
			`"last_intent_id":"order_status","plan_execution":` + rawPlans[0] + `,"version":1}}`,
		`{"head":{"version":2,"epoch":0,"next_seq":6,"floor_seq":1,"turns":2},"state":{"params":` + rawParams + `,` +
			`"last_intent_id":"order_status","last_result":` + rawResult + `,"plan_execution":` + rawPlans[1] + `,"version":2}}`,
	}
	rawResponses = [...]string{
		`{"session_id":"s-12/345","turn":1,"intent":"order_status","confidence":1,"reply":"What's your order number?","asked":"order_id",` +
			`"waiting_for_param":"order_id","confirming":null,"params":{},"tool_calls":[]` + rawFlags,
		`{"session_id":"s-12/345","turn":2,"intent":"order_status","confidence":0.1109685218742192,"reply":"` + rawReply + `","asked":null,` +
			`"waiting_for_param":null,"confirming":null,"params":` + rawParams + `,"tool_calls":[{"tool":"order_exists","status":"ok","error":null},` +
			`{"tool":"find_orders","status":"ok","error":null}]` + rawFlags,
	}
)

const rawOrigin = `{"turn":2,"at":"2026-11-25T23:26:51.67412097Z","source":"pattern","checked":true}`

func (b *rawBench) measure(ctx context.Context, opts RawOptions) (result RawResult, err error) {
	var writer, clients sync.WaitGroup
	writer.Go(b.write)
	var mu sync.Mutex
	begin := time.Now()
	for c := range opts.Clients {
		clients.Go(func() {
			n, e := b.client(ctx, int64(c), begin.Add(opts.Duration))
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
	return result, err
}

// client commits the turns of its own conversations, one after the other.
func (b *rawBench) client(ctx context.Context, c int64, end time.Time) (n int64, err error) {
	done := make(chan error, 1)
	talk := &rawTalk{}
	for ; ctx.Err() == nil && time.Now().Before(end); n++ {
		if n%2 == 0 {
			talk = &rawTalk{name: fmt.Sprintf("s-%d/%d", c, n)}
		}
		b.queue <- rawTurn{rawTalk: talk, number: n%2 + 1, done: done}
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
	now := time.Now().UnixMicro()
	messages, err := [][6]string{{"user", rawQuestion}, {"agent", "What's your order number?"}}, error(nil)
	next := int64(1)
	if t.number == 1 {
		if t.id, err = b.conn.insert(insertSession, "bench", "shop", t.name, int64(0)); err != nil {
			return err
		}
		_, err = b.conn.exec(insertState, t.id, int64(1), int64(0), int64(3), int64(1), int64(1), now, now,
			"order_id", "order_status", "{}", "", rawPlans[0], now, int64(0))
	} else {
		next = 3
		messages = [][6]string{{"user", rawAnswer}, {"tool", rawResult, "find_orders", "t2.1", "", rawSummary}, {"agent", rawReply, "", "", rawCalls, ""}}
		_, err = b.conn.exec(updateState, int64(2), int64(0), int64(6), int64(1), int64(2), now,
			"", "order_status", rawParams, rawResult, rawPlans[1], now, int64(0), t.id, int64(1))
	}
	if err != nil {
		return err
	}
	for i, m := range messages {
		if _, err := b.conn.exec(insertMessage, messageID(t.id, next+int64(i)), t.number, now, m[0], m[1], m[2], m[3], m[4], m[5],
			int64(0), int64(0), now, int64(0)); err != nil {
			return err
		}
	}
	request := fmt.Sprintf("01a21508-8d18-7214-%04x-%012x", t.number, uint64(now)&0xffffffffffff)
	_, err = b.conn.exec(insertTurn, t.id, request, t.number, now, "order_status", "responded", rawResponses[t.number-1], now, rawPasts[t.number-1], int64(0))
	return err
}
