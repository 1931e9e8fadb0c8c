package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory"
)

// A page of active messages: they are counted from the floor, and what is retracted does
// not count.
const (
	selectPage = `SELECT ` + messageColumns + ` FROM messages WHERE session = $1 AND seq > $2 AND ($3 OR NOT retracted
		AND seq >= (SELECT floor_seq FROM sessions WHERE session = $1)) ORDER BY seq `
	messagesForward  = selectPage + `LIMIT $4`
	messagesBackward = selectPage + `DESC LIMIT $4`

	selectTurns   = `SELECT ` + turnColumns + ` FROM turns WHERE session = $1 AND turn > $2 AND ($3 OR NOT undone) ORDER BY turn `
	turnsForward  = selectTurns + `LIMIT $4`
	turnsBackward = selectTurns + `DESC LIMIT $4`

	selectSteps = `SELECT ` + stepColumns + ` FROM plan_steps WHERE session = $1 ORDER BY place, idempotency_key`
)

// paged reads a page of a session's rows, oldest first, whichever end it reads from.
func paged[T any](
	ctx context.Context, s *Store, key memory.Key, page memory.Page, forward, backward string,
	scanner func(d digest, salvage bool) func(row pgx.Row) (T, error),
) (r *sessionRow, list []T, err error) {
	if err := key.Validate(); err != nil {
		return nil, nil, err
	}
	text := forward
	if page.Last {
		text = backward
	}
	d := digestOf(key)
	if err := s.read(ctx, func(b *pgx.Batch) {
		r, list = nil, nil
		queueSession(b, key, &r)
		queueRows(b, &list, scanner(d, page.Salvage), text, d, max(page.After, 0), page.Inactive, int64(page.Size()))
	}); err != nil {
		return nil, nil, err
	}
	if r == nil || r.counters.Version == 0 {
		return nil, nil, s.absent(ctx, d)
	}
	if page.Last {
		slices.Reverse(list)
	}
	return r, list, nil
}

// Messages implements memory.Reader.
func (s *Store) Messages(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Message, error) {
	r, list, err := paged(ctx, s, key, page, messagesForward, messagesBackward, messagesOf)
	if err != nil {
		return nil, err
	}
	first, until, known := extent(r, page)
	switch {
	case !known:
		return list, nil
	case page.Salvage:
		return filled(list, first, until), nil
	}
	return list, dense(digestOf(r.key), list, first, until)
}

// filled puts placeholders in the place of messages that are missing from one number up to, not
// including, another.
func filled(list []memory.Message, first, until int64) []memory.Message {
	out, next := list[:0:0], first
	for _, m := range list {
		for ; next < min(m.Seq, until); next++ {
			out = append(out, memory.DamagedMessage(next))
		}
		out, next = append(out, m), m.Seq+1
	}
	for ; next < until; next++ {
		out = append(out, memory.DamagedMessage(next))
	}
	return out
}

// extent returns which messages a page has, without a gap. Where some are retracted, missing ones
// cannot be told from those left out: known is false.
func extent(r *sessionRow, page memory.Page) (first, until int64, known bool) {
	first = max(page.After, 0) + 1
	if !page.Inactive {
		if r.counters.Gone > 0 {
			return 0, 0, false
		}
		first = max(first, r.counters.Floor)
	}
	until = min(r.counters.NextSeq, first+int64(page.Size()))
	if page.Last {
		first, until = max(first, r.counters.NextSeq-int64(page.Size())), r.counters.NextSeq
	}
	return first, until, true
}

// absent returns the error of a session without a row: damage, or memory.ErrNotFound.
func (s *Store) absent(ctx context.Context, d digest) error {
	if err := s.checkNotLost(ctx, d); err != nil {
		return err
	}
	return memory.ErrNotFound
}

// Turns implements memory.Reader.
func (s *Store) Turns(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Turn, error) {
	_, list, err := paged(ctx, s, key, page, turnsForward, turnsBackward, turnsOf)
	return list, err
}

// Steps implements memory.Reader.
func (s *Store) Steps(ctx context.Context, key memory.Key) ([]memory.Step, error) {
	if err := key.Validate(); err != nil {
		return nil, err
	}
	var list []memory.Step
	err := s.read(ctx, func(b *pgx.Batch) {
		list = nil
		queueSteps(b, selectSteps, digestOf(key), &list)
	})
	return list, err
}

const selectInfo = `SELECT user_id, agent_id, session_id, turns, next_seq - floor_seq - gone, waiting_for_param, version,
	created_at, updated_at, session, ` + selectedAbout + ` FROM sessions WHERE version > 0 `

const infoFilter = `AND ($3 = '' OR session_id = $3) AND ($4::bytea = '' OR $4 = ANY(tags)) AND ($5::bytea = '' OR position($5 IN words) > 0)
	ORDER BY updated_at DESC, user_id, agent_id, session_id LIMIT $6 OFFSET $7`

// listings list the sessions of a user, by index, or all, which reads the whole table. There is no
// index by time, because every turn would pay for it.
var listings = map[bool]string{
	true:  selectInfo + `AND user_id = $1 AND ($2 = '' OR agent_id = $2) ` + infoFilter,
	false: selectInfo + `AND $1::text = '' AND ($2 = '' OR agent_id = $2) ` + infoFilter,
}

// listOne lists one session: its cost must not grow with the sessions of the user.
const listOne = selectInfo + `AND user_id = $1 AND agent_id = $2 AND session_id = $3 ` + infoFilter

// listExpired uses an index of the few sessions that expire.
const listExpired = selectInfo + `AND expires_at > 0 AND expires_at <= $8 AND ($1 = '' OR user_id = $1) AND ($2 = '' OR agent_id = $2) ` + infoFilter

func listingOf(q memory.Query) string {
	if q.UserID != "" && q.AgentID != "" && q.SessionID != "" {
		return listOne
	}
	return listings[q.UserID != ""]
}

// Sessions implements memory.Reader.
func (s *Store) Sessions(ctx context.Context, q memory.Query) ([]memory.Info, error) {
	text := listingOf(q)
	args := []any{q.UserID, q.AgentID, q.SessionID, bytesOf(q.Tag), bytesOf(strings.ToLower(q.Text)), int64(q.Size()), int64(max(q.Offset, 0))}
	if !q.Expired.IsZero() {
		text, args = listExpired, append(args, micros(q.Expired))
	}
	return readRows(ctx, s, func(row pgx.Row) (memory.Info, error) {
		info, owned, err := scanInfo(row)
		if err == nil && !owned && q.UserID != "" {
			err = errSkip
		}
		return info, err
	}, text, args...)
}

// scanInfo also reports whether the digest proves the key that the row has.
func scanInfo(row pgx.Row) (i memory.Info, owned bool, err error) {
	var (
		waiting          []byte
		created, updated int64
		about            aboutRow
		d                digest
	)
	if err := row.Scan(append([]any{
		&i.Key.UserID, &i.Key.AgentID, &i.Key.SessionID, &i.Turns, &i.History, &waiting, &i.Version, &created, &updated, &d,
	}, about.into()...)...); err != nil {
		return i, false, err
	}
	i.Waiting, i.CreatedAt, i.UpdatedAt = string(waiting), moment(created), moment(updated)
	if i.About, err = about.about(i.Key); errors.Is(err, memory.ErrCorrupt) { // the others are listed
		i.About, i.Damaged, err = memory.About{}, true, nil
	}
	return i, digestOf(i.Key) == d, err
}
