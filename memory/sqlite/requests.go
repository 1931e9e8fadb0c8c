package sqlite

import (
	"database/sql/driver"
	"hash/maphash"
	"slices"
)

// maxRequests is how many request ids of a session the cache knows at most.
const maxRequests = 64

var requestSeed = maphash.MakeSeed()

// requests are the hashes of the request ids of a session's turns, so that a new id is not looked
// up. Values share their list: only the writer makes the next one.
type requests struct {
	hashes []uint64
	whole  bool // no turn is missing
}

// exclude reports that no turn has an id; false: one may have it.
func (r *requests) exclude(id string) bool {
	return id == "" || r.whole && !slices.Contains(r.hashes, maphash.String(requestSeed, id))
}

// with returns the requests with one more.
func (r requests) with(id string) requests {
	switch {
	case id == "" || !r.whole:
		return r
	case len(r.hashes) == maxRequests:
		return requests{}
	}
	return requests{append(r.hashes, maphash.String(requestSeed, id)), true}
}

const selectRequests = `SELECT request_id FROM turns WHERE session = ? AND request_id IS NOT NULL`

// readRequests reads the requests of a session that has so many turns. Those of a long one are not
// known.
func readRequests(c *conn, session, turns int64) (r requests, err error) {
	if turns > maxRequests {
		return r, nil
	}
	r.whole = true
	err = c.query(selectRequests, func(row []driver.Value) error {
		r = r.with(asText(row[0]))
		return nil
	}, session)
	return r, err
}
