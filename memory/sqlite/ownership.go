package sqlite

import (
	"database/sql/driver"
	"errors"

	"github.com/slotway/slotway/memory"
)

// The checksums of two rows cover the key of a session: that of its row of sessions, and that of
// its state. Either proves the key. Where both fail, the key may be another person's.

const selectOwn = `SELECT id, ` + aboutColumns + ` FROM sessions WHERE user_id = ? AND agent_id = ? AND session_id = ?`

const selectOwnState = `SELECT ` + stateColumns + ` FROM state st WHERE st.session = ?`

// verifiedID returns the number of a session, 0 if there is none. memory.ErrCorrupt: no checksum
// proves that the session has this key.
func verifiedID(c *conn, key memory.Key) (id int64, err error) {
	var unproven error
	if err := c.query(selectOwn, func(row []driver.Value) error {
		id = asInt(row[0])
		_, unproven = about(key, row[1:])
		return nil
	}, key.UserID, key.AgentID, key.SessionID); err != nil || unproven == nil {
		return id, err
	}
	err = c.query(selectOwnState, func(row []driver.Value) error {
		if _, err := scanState(key, row); err == nil {
			unproven = nil
		}
		return nil
	}, id)
	return id, errors.Join(err, unproven)
}

// onlyOwned leaves out the sessions whose keys are not proven.
func onlyOwned(c *conn, list []memory.Info) ([]memory.Info, error) {
	kept := list[:0]
	for _, in := range list {
		if in.Damaged {
			if _, err := verifiedID(c, in.Key); errors.Is(err, memory.ErrCorrupt) {
				continue
			} else if err != nil {
				return nil, err
			}
		}
		kept = append(kept, in)
	}
	return kept, nil
}

const selectAged = `SELECT s.user_id, s.agent_id, s.session_id, ` + stateColumns + ` FROM sessions s JOIN state st ON st.session = s.id WHERE s.id = ?`

const selectKey = `SELECT user_id, agent_id, session_id FROM sessions WHERE id = ?`

// ageVerified reports whether the rows that tell the age of a session match their checksums: its
// state, or for one that has only a journal its calls.
func (w *writer) ageVerified(id int64) (bool, error) {
	var stated, sound bool
	err := w.conn.query(selectAged, func(row []driver.Value) error {
		_, err := scanState(scanKey(row), row[3:])
		stated, sound = true, err == nil
		return nil
	}, id)
	if err != nil || stated {
		return sound, err
	}
	var key memory.Key
	if err := w.conn.query(selectKey, func(row []driver.Value) error {
		key = scanKey(row)
		return nil
	}, id); err != nil {
		return false, err
	}
	_, err = verifiedID(w.conn, key)
	if err == nil {
		_, err = readSteps(w.conn, selectSteps, id)
	}
	if errors.Is(err, memory.ErrCorrupt) {
		return false, nil
	}
	return err == nil, err
}
