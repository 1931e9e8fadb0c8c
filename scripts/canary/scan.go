package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/slotway/slotway/router/telemetry/canary"
)

// The values that all planted ones begin with: whoever lets any of them out lets one of these
// out. No line holds them by chance.
const (
	word   = "quixzotlmabre"
	number = "904177315"
	secret = "sk-vexillopathzry"
	inID   = "731905284" // in ids, which are keys in the database and stand there as they are
)

// ledger counts what was searched and what was found, by output.
type ledger struct {
	set, atRest canary.Set

	mu     sync.Mutex // guards what follows
	bytes  map[string]int64
	hits   map[string]int
	sample map[string]string
	lines  int64
}

func newLedger() *ledger {
	l := &ledger{bytes: map[string]int64{}, hits: map[string]int{}, sample: map[string]string{}}
	l.set.Add(word, number, secret, inID)
	l.atRest.Add(word, number, secret)
	return l
}

// atRest is the output of which ids are not asked.
const atRest = "files"

// search looks through data that has come out at an output.
func (l *ledger) search(output string, data []byte) {
	set := &l.set
	if output == atRest {
		set = &l.atRest
	}
	found := set.Find(data)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bytes[output] += int64(len(data))
	l.hits[output] += len(found)
	if len(found) > 0 && l.sample[output] == "" {
		l.sample[output] = found[0].Form + ": " + excerpt(data)
	}
}

// excerpt is the part of data around the first planted value, if it stands there as it is.
func excerpt(data []byte) string {
	const around = 200
	at := -1
	for _, v := range []string{word, number, secret, inID} {
		if i := bytes.Index(data, []byte(v)); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	at = max(at, 0)
	return string(data[max(0, at-around):min(len(data), at+around)])
}

// block is how much of a stream is searched at a time, and overlap what is searched again with
// the next, so that nothing is missed at the seam.
const (
	block   = 256 << 10
	overlap = 4 << 10
)

// stream searches all that comes from r and counts its lines.
func (l *ledger) stream(output string, r io.Reader) error {
	buf := make([]byte, 0, block+overlap)
	for {
		n, err := io.ReadFull(r, buf[len(buf):len(buf)+block])
		fresh := buf[len(buf) : len(buf)+n]
		l.mu.Lock()
		l.lines += int64(bytes.Count(fresh, []byte{'\n'}))
		l.mu.Unlock()
		buf = buf[:len(buf)+n]
		l.search(output, buf)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil
		}
		if err != nil {
			return err
		}
		buf = buf[:copy(buf, buf[max(0, len(buf)-overlap):])]
	}
}

// folder searches the files below dir and returns how many there are.
func (l *ledger) folder(output, dir string) (files int, err error) {
	err = filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		l.search(output, []byte(path))
		for len(data) > 0 {
			n := min(len(data), block)
			l.search(output, data[:n])
			data = data[max(0, min(n, n-overlap*boolInt(n < len(data)))):]
		}
		return nil
	})
	return files, err
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
