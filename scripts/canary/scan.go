package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/slotway/slotway/internal/test/canary"
)

// All planted values begin with one of these prefixes. No line holds a prefix by chance.
const (
	word   = "quixzotlmabre"
	number = "904177315"
	secret = "sk-vexillopathzry"
	inID   = "731905284" // in ids, which are keys in the database and are stored unchanged
)

// ledger counts searched bytes and found values by output.
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

// atRest is the output that may hold ids.
const atRest = "files"

// search looks for planted values in data from an output.
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

// excerpt returns the data around the first planted value that is not encoded, or the beginning.
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

// A stream is searched in blocks. The end of each block is searched again with the next, so that
// a value across the seam is found. Both sizes are in bytes.
const (
	block   = 256 << 10
	overlap = 4 << 10
)

// stream searches everything that r yields and counts its lines.
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

// folder searches the files below dir and returns their number.
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
		for ; len(data) > block; data = data[block-overlap:] {
			l.search(output, data[:block])
		}
		l.search(output, data)
		return nil
	})
	return files, err
}
