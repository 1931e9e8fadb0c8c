package record

import (
	"encoding/binary"
	"hash/crc32"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Sum gathers a row's values for its checksum: integers as 8 bytes, little-endian, texts
// with their length in front. The zero Sum is empty; it is not safe for concurrent use.
type Sum struct{ buf []byte }

// Ints adds integers.
func (s *Sum) Ints(list ...int64) *Sum {
	for _, v := range list {
		s.buf = binary.LittleEndian.AppendUint64(s.buf, uint64(v))
	}
	return s
}

// Texts adds texts or bytes.
func (s *Sum) Texts(list ...string) *Sum {
	for _, v := range list {
		s.buf = binary.LittleEndian.AppendUint64(s.buf, uint64(len(v)))
		s.buf = append(s.buf, v...)
	}
	return s
}

// Bytes returns what was added.
func (s *Sum) Bytes() []byte { return s.buf }

// CRC returns the CRC32C of what was added, as a signed 32-bit number, and begins anew.
func (s *Sum) CRC() int64 {
	c := crc32.Checksum(s.buf, castagnoli)
	s.buf = s.buf[:0]
	return int64(int32(c))
}
