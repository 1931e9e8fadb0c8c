package sqlite

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/memory"
)

// Sizes in the write-ahead log (https://www.sqlite.org/fileformat2.html#walformat).
const (
	walHeader   = 32
	frameHeader = 24
)

// walDamage is a write-ahead log of which commits are lost. SQLite reads it up to the first
// frame that does not fit and says nothing. Rightly so for what a crash has cut off, and for
// what is left of commits whose sync failed: they were refused and undone, the next commit was
// written over their beginning, and their ends still lie behind it. Neither was acknowledged.
//
// Each frame carries a sum that continues that of the frame before it. So a frame that continues
// a commit proves that the commit was whole: a durable one is synced before the next is written,
// and a refused one is written over, not continued. Only such a proof is damage.
type walDamage struct {
	salt    [8]byte // of this life of the log
	frame   int     // the first that cannot be used, from 1; 0: the header
	commits int     // at least so many, behind it, cannot be read
}

func (d *walDamage) err() error {
	return fmt.Errorf("%w: the write-ahead log is damaged at frame %d, at least %d acknowledged commits behind that cannot be read; %s",
		memory.ErrCorrupt, d.frame, d.commits, textKeep)
}

// inspectWAL reports lost commits in the log at path; nil when there are none. What only
// looks lost because another process was writing is not there a second time.
func inspectWAL(path string) (*walDamage, error) {
	first, err := scanWAL(path)
	if first == nil || err != nil {
		return nil, err
	}
	second, err := scanWAL(path)
	if err != nil || second == nil || second.frame != first.frame || second.salt != first.salt {
		return nil, err
	}
	return second, nil
}

func scanWAL(path string) (*walDamage, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: read the write-ahead log; %s: %w", memory.ErrUnavailable, durable.Remedy(err), err)
	}
	defer f.Close()
	s := walScan{in: bufio.NewReaderSize(f, 1<<20)}
	damage, err := s.scan()
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("%w: read the write-ahead log; %s: %w", memory.ErrUnavailable, durable.Remedy(err), err)
	}
	return damage, nil
}

// walScan is a way through a log.
type walScan struct {
	in     io.Reader
	order  binary.ByteOrder
	salt   [8]byte
	intact bool // the header is whole
}

func (s *walScan) scan() (*walDamage, error) {
	var head [walHeader]byte
	if _, err := io.ReadFull(s.in, head[:]); err != nil || head == [walHeader]byte{} {
		return nil, err // never synced: nothing was acknowledged
	}
	s.salt = [8]byte(head[16:24])
	s.order = binary.LittleEndian
	if head[3]&1 != 0 {
		s.order = binary.BigEndian
	}
	sum := s.continued(walSum{}, head[:24])
	s.intact = binary.BigEndian.Uint32(head[:4])|1 == 0x377f0683 && sum == storedSum(head[24:32])
	bytes := int(binary.BigEndian.Uint32(head[8:12]))
	if !s.intact || bytes > 1<<16 {
		bytes = pageSize // ours; the header cannot say it
	}
	frame := make([]byte, frameHeader+bytes)
	if !s.intact {
		return s.headless(frame)
	}
	for n := 1; ; n++ {
		if _, err := io.ReadFull(s.in, frame); err != nil {
			return nil, err
		}
		next := s.frameSum(sum, frame)
		if [8]byte(frame[8:16]) != s.salt || next != storedSum(frame[16:24]) {
			return s.behind(n, sum, frame)
		}
		sum = next
	}
}

// headless counts the commits of a log whose header is lost.
func (s *walScan) headless(frame []byte) (*walDamage, error) {
	d := &walDamage{salt: s.salt}
	for {
		if _, err := io.ReadFull(s.in, frame); err != nil {
			if d.commits > 0 {
				return d, nil
			}
			return nil, err
		}
		if isCommit(frame) {
			d.commits++
		}
	}
}

// behind reads on from the first frame that cannot be used, whose predecessor had the given
// sum, and looks for commits that were continued. The damage may be in a frame's content or in
// the sum that it carries: the next may continue either.
func (s *walScan) behind(first int, sum walSum, frame []byte) (*walDamage, error) {
	d := &walDamage{salt: s.salt, frame: first}
	chain := walChain{stored: sum, computed: sum}
	for n := first; ; n++ {
		if [8]byte(frame[8:16]) == s.salt || n == first {
			chain.add(s, frame)
		} else { // of an earlier life of the log
			chain.end()
		}
		if _, err := io.ReadFull(s.in, frame); err != nil {
			chain.end()
			if d.commits = chain.lost; d.commits > 0 {
				return d, nil
			}
			return nil, err
		}
	}
}

// walChain follows frames that continue each other.
type walChain struct {
	stored, computed walSum // of the frame before
	commits          int    // in the chain that goes on at present
	proven           bool   // one of them was continued
	lost             int    // commits of the chains so far that were proven
}

func (c *walChain) add(s *walScan, frame []byte) {
	here, computed := storedSum(frame[16:24]), s.frameSum(c.stored, frame)
	if here != computed && here != s.frameSum(c.computed, frame) {
		c.end()
	}
	c.proven = c.proven || c.commits > 0
	if isCommit(frame) {
		c.commits++
	}
	c.stored, c.computed = here, computed
}

func (c *walChain) end() {
	if c.proven {
		c.lost += c.commits
	}
	c.commits, c.proven = 0, false
}

// isCommit reports the last frame of a commit: it says how long the database is then.
func isCommit(frame []byte) bool { return binary.BigEndian.Uint32(frame[4:8]) != 0 }

// walSum is the sum that frames carry.
type walSum [2]uint32

func storedSum(data []byte) walSum {
	return walSum{binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:])}
}

// frameSum is the sum of a frame behind one with the given sum.
func (s *walScan) frameSum(before walSum, frame []byte) walSum {
	return s.continued(s.continued(before, frame[:8]), frame[frameHeader:])
}

// continued adds whole pairs of 32-bit words to a sum.
func (s *walScan) continued(sum walSum, data []byte) walSum {
	a, b := sum[0], sum[1]
	for ; len(data) >= 8; data = data[8:] {
		a += s.order.Uint32(data) + b
		b += s.order.Uint32(data[4:]) + a
	}
	return walSum{a, b}
}
