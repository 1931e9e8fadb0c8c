package main

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlite"
	"github.com/slotway/slotway/memory/summary"
	"github.com/slotway/slotway/memory/window"
)

// query reads rows of the service's database while the service runs.
func query(ctx context.Context, path, text string, row func(scan func(...any) error) error) (err error) {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&_pragma=busy_timeout(20000)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryContext(ctx, text)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// expire ends the leases of a dead process, to save a minute of waiting.
func (m *memoryRun) expire(ctx context.Context) (err error) {
	if !m.o.expire {
		return nil
	}
	db, err := openShop(m.service.path())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, `UPDATE jobs SET until = 1 WHERE token <> ''`)
	return err
}

// watch records the blocks of summaries and reports those that have changed.
func (m *memoryRun) watch(ctx context.Context) error {
	const blocks = `SELECT s.session_id || ' ' || v.id, v.epoch || ' ' || CAST(v.data AS TEXT)
		FROM views v JOIN sessions s ON s.session = v.session WHERE v.tier = 'summary' AND v.id LIKE 'block/%'`
	now := map[string]string{}
	err := query(ctx, m.service.path(), blocks, func(scan func(...any) error) error {
		var id, data string
		if err := scan(&id, &data); err != nil {
			return err
		}
		now[id] = data
		return nil
	})
	if err != nil {
		return err
	}
	for id, data := range m.blocks {
		if now[id] != data {
			m.report.BlocksChanged++
			m.report.note("%s has changed", id)
		}
	}
	m.blocks = now
	return nil
}

// inspect checks the results of the memory tiers for every session.
func (m *memoryRun) inspect(ctx context.Context) error {
	if err := m.watch(ctx); err != nil {
		return err
	}
	return eachSession(ctx, m.service.path(), m.inspectSession)
}

// eachSession calls f with every session of a database.
func eachSession(ctx context.Context, path string, f func(context.Context, memory.Backend, memory.Key) error) (err error) {
	store, err := sqlite.Open(ctx, path, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	infos, err := store.Sessions(ctx, memory.Query{Limit: 1000})
	if err != nil {
		return err
	}
	for i := range infos {
		if err := f(ctx, store, infos[i].Key); err != nil {
			return fmt.Errorf("session %s: %w", infos[i].Key.SessionID, err)
		}
	}
	return nil
}

// piece is a block or a document, which covers a range of messages.
type piece struct {
	from, to int64
	messages int
}

func (m *memoryRun) inspectSession(ctx context.Context, store memory.Backend, key memory.Key) error {
	var all []memory.Message
	for after := int64(0); ; {
		page, err := store.Messages(ctx, key, memory.Page{After: after, Inactive: true})
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		all = append(all, page...)
		after = page[len(page)-1].Seq
	}
	if len(all) == 0 {
		return nil
	}
	r := m.report
	r.Messages += len(all)
	blocks, documents, err := pieces(ctx, store, key)
	if err != nil {
		return err
	}
	r.Blocks, r.Documents = r.Blocks+len(blocks), r.Documents+len(documents)
	for _, kind := range []struct {
		name   string
		list   []piece
		broken *int
		late   int64 // messages that may wait for more
	}{
		{"blocks", blocks, &r.BlocksOverlap, summaryLate},
		{"documents", documents, &r.DocumentsOverlap, archiveLate},
	} {
		if n := broken(kind.list, all); n > 0 {
			*kind.broken += n
			r.note("session %s: %d %s do not follow one another: %v", key.SessionID, n, kind.name, kind.list)
		}
		upTo := int64(0)
		if n := len(kind.list); n > 0 {
			upTo = kind.list[n-1].to
		}
		if last := all[len(all)-1].Seq; last-upTo > kind.late {
			r.JobsLost++
			r.note("session %s: %s end at %d of %d messages", key.SessionID, kind.name, upTo, last)
		}
	}
	if err := m.inspectVectors(ctx, store, key, all, firstModel); err != nil {
		return err
	}
	return m.covered(ctx, store, key)
}

// The number of newest messages that a tier may leave when no job is pending: those that it never
// touches, an incomplete range, and the turns until its next check.
const (
	summaryLate = summaryRecent + 20 + 10 + 4
	archiveLate = keptActive + 40 + 20 + 4
)

// pieces reads the blocks and documents of a session in order.
func pieces(ctx context.Context, store memory.Backend, key memory.Key) (blocks, documents []piece, err error) {
	views, err := store.Views(ctx, memory.ViewQuery{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID})
	if err != nil {
		return nil, nil, err
	}
	for i := range views {
		v := &views[i]
		var d struct {
			Number   int
			From     int64
			FromSeq  int64 `json:"from_seq"`
			Messages int
		}
		isBlock, isDocument := v.Tier == "summary" && strings.HasPrefix(v.ID, "block/"), v.Tier == "archive"
		if !isBlock && !isDocument {
			continue
		}
		if err := json.Unmarshal(v.Data, &d); err != nil {
			return nil, nil, fmt.Errorf("view %s: %w", v.ID, err)
		}
		if isBlock {
			blocks = append(blocks, piece{d.From, v.UpTo, d.Messages})
		} else {
			documents = append(documents, piece{d.FromSeq, v.UpTo, d.Messages})
		}
	}
	byFrom := func(a, b piece) int { return cmp.Compare(a.from, b.from) }
	slices.SortFunc(blocks, byFrom)
	slices.SortFunc(documents, byFrom)
	return blocks, documents, nil
}

// broken counts the pieces that do not begin right after the one before, or whose count of
// messages is wrong. The first must begin with the first message.
func broken(list []piece, all []memory.Message) int {
	n, next := 0, int64(1)
	for _, p := range list {
		there := 0
		for i := range all {
			if all[i].Seq >= p.from && all[i].Seq <= p.to && !all[i].Retracted {
				there++
			}
		}
		if p.from != next || p.to < p.from || p.messages != there {
			n++
		}
		next = p.to + 1
	}
	return n
}

// inspectVectors counts the messages without exactly one vector of a model. Retracted messages
// count too.
func (m *memoryRun) inspectVectors(ctx context.Context, store memory.Backend, key memory.Key, all []memory.Message, model string) error {
	views, err := store.Views(ctx, memory.ViewQuery{
		UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID, Tier: "recall", Prefix: "vec/",
	})
	if err != nil {
		return err
	}
	count, of := map[int64]int{}, "%2F"+model+"/"
	for i := range views {
		name, segment, _ := strings.Cut(views[i].ID, of)
		if segment == "" {
			return fmt.Errorf("vectors of another model: %s", name)
		}
		if err := eachRow(views[i].Data, segment, func(seq int64) { count[seq]++ }); err != nil {
			return err
		}
	}
	missing := 0
	for i := range all {
		if spoken := all[i].Role == memory.User || all[i].Role == memory.Agent; spoken && count[all[i].Seq] != 1 {
			missing++
		}
	}
	if missing > 0 {
		m.report.VectorsMissing += missing
		m.report.note("session %s: %d of %d messages do not have one vector", key.SessionID, missing, len(all))
	}
	return nil
}

// The layout of a segment of vectors, as package recall writes it: a version, the dimension, and
// rows of a number within the segment, a checksum, a scale and the vector.
const (
	segmentHead     = 3
	segmentRow      = 9 + toyDimension
	segmentMessages = 64
)

func eachRow(data []byte, segment string, row func(seq int64)) error {
	var number int64
	if _, err := fmt.Sscanf(segment, "%d", &number); err != nil {
		return fmt.Errorf("segment %q: %w", segment, err)
	}
	if len(data) < segmentHead || binary.LittleEndian.Uint16(data[1:]) != toyDimension || (len(data)-segmentHead)%segmentRow != 0 {
		return fmt.Errorf("segment %q cannot be read", segment)
	}
	for data = data[segmentHead:]; len(data) > 0; data = data[segmentRow:] {
		row(number*segmentMessages + int64(data[0]) + 1)
	}
	return nil
}

// covered counts the messages that are in no window, summary or document.
func (m *memoryRun) covered(ctx context.Context, store memory.Backend, key memory.Key) error {
	session, err := memory.NewConversations(store, 24).ForSession(ctx, key)
	if err != nil {
		return err
	}
	tiers := []memory.Tier{window.New(window.Limits{MaxTurns: 8, MaxTokens: 4096}), summary.New(store, &summary.Options{
		Strategy: summary.Hybrid, Trigger: summaryTrigger, Recent: summaryRecent, ThresholdTokens: thresholdToken,
		Compress: true, Keep: keptActive,
	})}
	req := session.Request("what was that about the canoe?", time.Now(), 0)
	known, err := memory.Assemble(ctx, tiers, req)
	if err != nil {
		return err
	}
	next := known.SummarizedUpTo + 1
	for i := range known.Recent {
		if seq := known.Recent[i].Seq; seq <= next {
			next = max(next, seq+1)
		}
	}
	if n := int(req.NextSeq - next); n > 0 || len(known.Failed) > 0 {
		m.report.Uncovered += max(n, 1)
		m.report.note("session %s: %d messages from %d on are not covered, failed %v", key.SessionID, n, next, known.Failed)
	}
	return nil
}
