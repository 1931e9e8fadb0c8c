package modelfile

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"hash/crc32"
)

// Packed is a list of numbers that gob writes as one run of bytes, little-endian: a model holds
// millions of them, and gob would look at each.
type Packed[T int8 | uint32 | uint64 | float32] []T

// MarshalBinary never fails.
func (p Packed[T]) MarshalBinary() ([]byte, error) {
	return binary.Append(nil, binary.LittleEndian, []T(p))
}

// UnmarshalBinary keeps nothing of data.
func (p *Packed[T]) UnmarshalBinary(data []byte) error {
	var one T
	*p = make([]T, len(data)/binary.Size(one))
	if _, err := binary.Decode(data, binary.LittleEndian, []T(*p)); err != nil {
		return fmt.Errorf("%d bytes of numbers: %w", len(data), err)
	}
	return nil
}

// Keep writes a value by gob behind a magic string and its CRC-32C behind it, for [Load].
func Keep(magic string, value any) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(magic)
	if err := gob.NewEncoder(&out).Encode(value); err != nil {
		return nil, fmt.Errorf("keep a model: %w", err)
	}
	return binary.LittleEndian.AppendUint32(out.Bytes(), crc32.Checksum(out.Bytes(), castagnoli)), nil
}

// Load fills value, a pointer, with what Keep wrote, and reports whether it could: data may be cut,
// changed or another file's.
func Load(data []byte, magic string, value any) bool {
	body, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok || len(body) < 4 {
		return false
	}
	end := len(data) - 4
	if crc32.Checksum(data[:end], castagnoli) != binary.LittleEndian.Uint32(data[end:]) {
		return false
	}
	return gob.NewDecoder(bytes.NewReader(body[:len(body)-4])).Decode(value) == nil
}

// castagnoli is the polynomial of the checksum, RFC 3720.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)
