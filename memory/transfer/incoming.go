package transfer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/slotway/slotway/memory"
)

// Incoming is one whole session of an export, for a store that imports it. A long one is held on
// the disk. It can be read several times.
type Incoming struct {
	Header
	State memory.State

	spool *spool
}

// Import reads exports for a store: it hands each session to add once it is whole, and returns how
// many of them add has added.
func Import(r io.Reader, add func(*Incoming) (bool, error)) (n int, err error) {
	err = readIncoming(r, func(in *Incoming) error {
		added, err := add(in)
		if added {
			n++
		}
		return err
	})
	return n, err
}

// readIncoming reads sessions as Read does, and hands each to take once it is whole.
func readIncoming(r io.Reader, take func(*Incoming) error) (err error) {
	var in *Incoming
	var gone int64 // messages that are retracted, marks of damaged ones included
	defer func() {
		if in != nil {
			err = errors.Join(err, in.spool.close())
		}
	}()
	return Read(r, &Parts{
		Header: func(h *Header) error {
			in, gone = &Incoming{Header: *h, spool: &spool{}}, 0
			return nil
		},
		State: func(s *memory.State) error { in.State = *s; return nil },
		Message: func(m *memory.Message) error {
			if m.Retracted && m.Seq >= in.Counters.Floor {
				gone++
			}
			return in.spool.add(&exportLine{Message: m})
		},
		Turn: func(t *memory.Turn) error { return in.spool.add(&exportLine{Turn: t}) },
		Step: func(s *memory.Step) error { return in.spool.add(&exportLine{Step: s}) },
		End: func() error {
			in.Counters.Gone = gone
			err := take(in)
			err = errors.Join(err, in.spool.close())
			in = nil
			return err
		},
	})
}

// Rows calls the functions for messages, turns and the journal with each row, in the order of the
// export.
func (in *Incoming) Rows(do *Parts) error {
	r, err := in.spool.read()
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), 2*maxExportLine) // JSON of JSON's own making may be longer
	for lines.Scan() {
		var row exportLine
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return fmt.Errorf("read back what was imported: %w", err)
		}
		switch {
		case row.Message != nil:
			err = do.Message(row.Message)
		case row.Turn != nil:
			err = do.Turn(row.Turn)
		default:
			err = do.Step(row.Step)
		}
		if err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read back what was imported: %w", err)
	}
	return nil
}

// inMemory is how many bytes of a session are held without the disk.
const inMemory = 1 << 20

// spool is a list of lines: the first ones in memory, the others in a file without a name.
type spool struct {
	line bytes.Buffer // scratch
	head bytes.Buffer
	file *os.File
	tail *bufio.Writer
}

func (s *spool) add(row *exportLine) error {
	s.line.Reset()
	enc := json.NewEncoder(&s.line)
	enc.SetEscapeHTML(false) // raw JSON inside comes back as it was given
	err := enc.Encode(row)
	if err != nil {
		return err
	}
	line := s.line.Bytes()
	if s.file == nil && s.head.Len()+len(line) <= inMemory {
		s.head.Write(line)
		return nil
	}
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "slotway-import-"); err != nil {
			return fmt.Errorf("hold a long session back: %w; make room, or set TMPDIR to a folder that can be written", err)
		}
		_ = os.Remove(s.file.Name()) // where an open file cannot be removed, close does
		s.tail = bufio.NewWriterSize(s.file, 64<<10)
	}
	if _, err := s.tail.Write(line); err != nil {
		return fmt.Errorf("hold a long session back: %w; make room, or set TMPDIR to another folder", err)
	}
	return nil
}

// read is all that was added.
func (s *spool) read() (io.Reader, error) {
	head := bytes.NewReader(s.head.Bytes())
	if s.file == nil {
		return head, nil
	}
	if err := s.tail.Flush(); err != nil {
		return nil, fmt.Errorf("hold a long session back: %w; make room, or set TMPDIR to another folder", err)
	}
	size, err := s.file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	return io.MultiReader(head, io.NewSectionReader(s.file, 0, size)), nil
}

func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if gone := os.Remove(s.file.Name()); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	s.file = nil
	return err
}
