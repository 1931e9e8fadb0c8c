package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory"
)

const (
	// The lowest bit of the checksum says whether a row was undone (row.go).
	retractMessages = `UPDATE messages SET retracted = true, crc = crc # 1 WHERE session = $1 AND seq >= $2 AND seq < $3 AND NOT retracted`
	undoTurn        = `UPDATE turns SET undone = true, crc = CASE WHEN undone THEN crc ELSE crc # 1 END WHERE session = $1 AND turn = $2`
	countGone       = `SELECT count(*) FROM messages WHERE session = $1 AND seq >= $2 AND seq < $3 AND retracted`
)

// commitUndo commits an undo, or a floor that rises over retracted messages: what the row of the
// session needs is counted first, while it is locked.
func (c *commit) commitUndo(ctx context.Context, tx pgx.Tx, after memory.Counters) error {
	var now baseline
	if err := scanBaseline(tx.QueryRow(ctx, selectBaseline+` FOR NO KEY UPDATE`, c.digest), &now); err != nil {
		return err
	}
	if now != c.before {
		return errMissed
	}
	if u := c.d.Undo; u != nil {
		if _, err := tx.Exec(ctx, retractMessages, c.digest, u.From, u.Until); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, undoTurn, c.digest, u.Turn)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return fmt.Errorf("%w: there is no turn %d", memory.ErrBadDelta, u.Turn)
		}
	}
	if after.Gone > 0 && after.Floor > c.before.counters.Floor {
		if err := tx.QueryRow(ctx, countGone, c.digest, after.Floor, after.NextSeq).Scan(&after.Gone); err != nil {
			return err
		}
	}
	q, err := c.statement(after)
	if err != nil {
		return err
	}
	return c.explain(scanHit(tx.QueryRow(ctx, q.text.String(), q.args...)))
}

const describe = `UPDATE sessions SET title = $2, tags = $3, words = $4, about_crc = $5, system_prompt = $6, metadata = $7,
	expires_at = $8 WHERE session = $1 AND version > 0`

// Describe implements memory.Admin.
func (s *Store) Describe(ctx context.Context, key memory.Key, about memory.About) error {
	if err := key.Validate(); err != nil {
		return err
	}
	if err := about.WellFormed(); err != nil {
		return err
	}
	about = about.Clone()
	return s.change(ctx, func(b *pgx.Batch) {
		b.Queue(describe, digestOf(key), bytesOf(about.Title), tagsOf(about), wordsOf(key, about), aboutSum(key, about),
			bytesOf(about.SystemPrompt), bytesOf(about.Metadata), expiryOf(about)).Exec(found)
	})
}
