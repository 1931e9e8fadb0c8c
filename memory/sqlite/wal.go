package sqlite

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/slotway/slotway/memory"
)

// Sizes in the write-ahead log (https://www.sqlite.org/fileformat2.html#walformat).
const (
	walHeader   = 32
	frameHeader = 24
)

// walDamage is a write-ahead log of which commits are lost. SQLite reads it up to the first
// frame that does not fit and says nothing: rightly so for what a crash has cut off. But a
// commit that has more behind it was whole once, since a durable commit is synced before
// the next is written.
type walDamage struct {
	salt    [8]byte // of this life of the log
	frame   int     // the first that cannot be used, from 1; 0: the header
	commits int     // behind it, that cannot be read
}

func (d *walDamage) err() error {
	return fmt.Errorf("%w: the write-ahead log is damaged at frame %d, %d commits behind that are lost; restore a backup, "+
		"or keep what is whole: 'slotway db backup FILE', then 'slotway db restore FILE'", memory.ErrCorrupt, d.frame, d.commits)
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
		return nil, fmt.Errorf("%w: read the write-ahead log: %w", memory.ErrUnavailable, err)
	}
	defer f.Close()
	s := walScan{in: bufio.NewReaderSize(f, 1<<20)}
	damage, err := s.scan()
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("%w: read the write-ahead log: %w", memory.ErrUnavailable, err)
	}
	return damage, nil
}

// walScan is a way through a log.
type walScan struct {
	in    io.Reader
	order binary.ByteOrder
	sum   [2]uint32
}

func (s *walScan) scan() (*walDamage, error) {
	var head [walHeader]byte
	if _, err := io.ReadFull(s.in, head[:]); err != nil || head == [walHeader]byte{} {
		return nil, err // never synced: nothing was acknowledged
	}
	d := &walDamage{salt: [8]byte(head[16:24])}
	s.order = binary.LittleEndian
	if head[3]&1 != 0 {
		s.order = binary.BigEndian
	}
	s.add(head[:24])
	intact := binary.BigEndian.Uint32(head[:4])|1 == 0x377f0683 && s.matches(head[24:32])
	bytes := int(binary.BigEndian.Uint32(head[8:12]))
	if !intact || bytes > 1<<16 {
		bytes = pageSize // ours; the header cannot say it
	}
	frame := make([]byte, frameHeader+bytes)
	ended := false
	for n := 1; ; n++ {
		if _, err := io.ReadFull(s.in, frame); err != nil {
			if ended || !intact && d.commits > 0 {
				return d, nil
			}
			return nil, err
		}
		if intact && d.frame == 0 {
			if s.add(frame[:8]); [8]byte(frame[8:16]) == d.salt {
				if s.add(frame[frameHeader:]); s.matches(frame[16:24]) {
					continue
				}
			}
			d.frame = n
		}
		if intact && [8]byte(frame[8:16]) != d.salt && n != d.frame {
			continue // of an earlier life of the log
		}
		ended = ended || d.commits > 0
		if binary.BigEndian.Uint32(frame[4:8]) != 0 {
			d.commits++
		}
	}
}

// add continues the checksum with whole pairs of 32-bit words.
func (s *walScan) add(data []byte) {
	a, b := s.sum[0], s.sum[1]
	for ; len(data) >= 8; data = data[8:] {
		a += s.order.Uint32(data) + b
		b += s.order.Uint32(data[4:]) + a
	}
	s.sum = [2]uint32{a, b}
}

func (s *walScan) matches(stored []byte) bool {
	return binary.BigEndian.Uint32(stored) == s.sum[0] && binary.BigEndian.Uint32(stored[4:]) == s.sum[1]
}
