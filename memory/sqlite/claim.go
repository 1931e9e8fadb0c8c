package sqlite

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/memory"
)

// A claim is a file beside the database. Its lock belongs to the one process that runs turns on it: another
// would take calls that are under way here for those of a process that has died. Its content says how many
// commits that process has acknowledged. Whatever becomes of the database and its log, one with fewer
// commits has lost some.
//
// The content is written behind each commit and not synced. A power cut may leave an older or a torn one,
// which claims less.
type claim struct{ file *os.File }

// claimSuffix names the file of a claim.
const claimSuffix = "-lock"

// commits counts the commits of a database with this id; a copy has the same.
type commits struct {
	id string
	n  int64
}

const (
	idBytes    = 8
	claimBytes = idBytes + 8 + 4
)

// claimFile takes the claim, and waits for another process that is about to end.
func claimFile(path string, patience time.Duration) (*claim, error) {
	name := path + claimSuffix
	_, err := os.Stat(name)
	f, failed := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if failed != nil {
		return nil, fmt.Errorf("%w: open %s; %s: %w", memory.ErrUnavailable, filepath.Base(name), durable.Remedy(failed), failed)
	}
	if errors.Is(err, fs.ErrNotExist) {
		if err := durable.SyncFolder(filepath.Dir(path)); err != nil {
			return nil, errors.Join(fmt.Errorf("%w: %s: %w", memory.ErrUnavailable, textDisk, err), f.Close())
		}
	}
	for end := time.Now().Add(patience); ; time.Sleep(busyPause) {
		err := lockWhole(f)
		if err == nil {
			return &claim{f}, nil
		}
		if time.Now().After(end) {
			return nil, errors.Join(fmt.Errorf("%w, and runs conversations on it: stop that process, talk to it over HTTP, "+
				"or give this one other data (--data); several processes need memory.storage: postgres (%w)", ErrInUse, err), f.Close())
		}
	}
}

// acknowledged reads what a claim says; zero: nothing, or nothing that can be read.
func acknowledged(path string) (c commits, err error) {
	f, err := os.Open(path + claimSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("%w: read %s%s; %s: %w", memory.ErrUnavailable, filepath.Base(path), claimSuffix, durable.Remedy(err), err)
	}
	defer f.Close()
	data := make([]byte, claimBytes)
	if _, err := io.ReadFull(f, data); err != nil {
		return c, nil
	}
	content := data[:claimBytes-4]
	if crc32.ChecksumIEEE(content) != binary.LittleEndian.Uint32(data[claimBytes-4:]) {
		return c, nil
	}
	return commits{string(content[:idBytes]), int64(binary.LittleEndian.Uint64(content[idBytes:]))}, nil
}

// note writes how many commits are acknowledged. An error leaves an older content.
func (c *claim) note(done commits) {
	if c == nil || len(done.id) != idBytes {
		return
	}
	data := binary.LittleEndian.AppendUint64([]byte(done.id), uint64(done.n))
	data = binary.LittleEndian.AppendUint32(data, crc32.ChecksumIEEE(data))
	_, _ = c.file.WriteAt(data, 0)
}

func (c *claim) release() error {
	if c == nil {
		return nil
	}
	return c.file.Close() // which ends the lock
}

// commitsOf reads how many commits a database has.
func commitsOf(c *conn) (done commits, err error) {
	err = c.query(`SELECT id, n FROM commits`, func(row []any) error {
		done = commits{asText(row[0]), asInt(row[1])}
		return nil
	})
	return done, explain(err)
}

// lacksNone reports whether a file has every commit that its claim says. It changes nothing, so that a log that
// is put back later still fits. What else may be wrong with the file is not found here.
func lacksNone(path string) error {
	said, err := acknowledged(path) // before the database: what is in there may grow meanwhile
	if err != nil || said.id == "" {
		return err
	}
	err = withReader(path, func(c *conn) error {
		done, err := commitsOf(c)
		return cmp.Or(err, done.behind(said))
	})
	if errors.Is(err, ErrLost) {
		return err
	}
	return nil
}

// behind reports acknowledged commits that a database lacks.
func (done commits) behind(acknowledged commits) error {
	if done.id != acknowledged.id || done.n >= acknowledged.n {
		return nil
	}
	return fmt.Errorf("%w: %d of %d acknowledged commits are missing, because the write-ahead log (-wal) or the file is gone, damaged or an older one; "+
		"bring back both as they were; else %s; to go on without what is missing: slotway store restored",
		ErrLost, acknowledged.n-done.n, acknowledged.n, textKeep)
}
