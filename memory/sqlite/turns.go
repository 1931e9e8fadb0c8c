package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"

	"github.com/slotway/slotway/memory"
)

// Turns implements memory.Reader. The table has turns in their order of arrival, those of all
// sessions together, so that a turn writes to no page of its own. A page of them is found by the
// ranks of the session's rows in an index, without the rows before it.
func (s *Store) Turns(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Turn, error) {
	return paged(ctx, s, key, page, func(c *conn, e *entry, page memory.Page) ([]memory.Turn, error) {
		list, err := pageOfTurns(c, e, page)
		if errors.Is(err, errSparse) {
			return searchTurns(c, e.id, page)
		}
		return list, err
	})
}

// errSparse: the turns of a session are not numbered from one on without a gap, as after an
// import.
var errSparse = errors.New("the numbers of turns have gaps")

// pageOfTurns reads in steps until the page is full: some turns may be undone.
func pageOfTurns(c *conn, e *entry, page memory.Page) (out []memory.Turn, err error) {
	first, until := max(page.After, 0)+1, e.counters.Turns+1
	for size := int64(page.Size()); first < until && int64(len(out)) < size; {
		n := min(size-int64(len(out)), until-first)
		from := first
		if page.Last {
			from = until - n
		}
		list, err := readTurns(c, e.id, from, n, page.Salvage)
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(list, func(t memory.Turn) bool { return t.Undone && !page.Inactive })
		if page.Last {
			out, until = append(list, out...), from
		} else {
			out, first = append(out, list...), from+n
		}
	}
	return out, nil
}

// selectRanked reads the rows of a session by their rank: a later row has the higher id, whatever
// was deleted. (0 +: see listOrder.)
const selectRanked = `SELECT ` + turnColumns + ` FROM turns WHERE id IN (
	SELECT id FROM turns WHERE session = ?1 ORDER BY id LIMIT 0 + ?2 OFFSET 0 + ?3) ORDER BY id`

// readTurns reads n turns from a number on. salvage leaves out damaged ones.
func readTurns(c *conn, session, from, n int64, salvage bool) ([]memory.Turn, error) {
	var list []memory.Turn
	met := int64(0)
	err := c.query(selectRanked, func(row []driver.Value) error {
		t, err := scanTurn(row)
		number := from + met
		met++
		switch {
		case salvage && err != nil:
			return nil
		case err == nil && t.Number != number:
			err = errSparse
		}
		list = append(list, t)
		return err
	}, session, n, from-1)
	if err == nil && met != n {
		err = errSparse
	}
	return list, err
}

const (
	selectPage    = `SELECT ` + turnColumns + ` FROM turns WHERE session = ? AND turn > ? AND undone <= ? ORDER BY turn `
	turnsForward  = selectPage + `LIMIT 0 + ?`
	turnsBackward = selectPage + `DESC LIMIT 0 + ?`
)

// searchTurns reads every turn of the session.
func searchTurns(c *conn, session int64, page memory.Page) (list []memory.Turn, err error) {
	text := turnsForward
	if page.Last {
		text = turnsBackward
	}
	err = c.query(text, func(row []driver.Value) error {
		t, err := scanTurn(row)
		if page.Salvage && err != nil {
			return nil
		}
		list = append(list, t)
		return err
	}, session, page.After, flag(page.Inactive), int64(page.Size()))
	if page.Last {
		slices.Reverse(list)
	}
	return list, err
}
