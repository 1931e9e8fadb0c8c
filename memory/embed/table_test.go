package embed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"
)

// small is a table of two words and three slots, the second word with the hash of key.
func small(weight uint16, secondRow uint32) []byte {
	data := []byte(magic)
	for _, n := range []uint32{8, 2, 3, 0} {
		data = binary.LittleEndian.AppendUint32(data, n)
	}
	data = append(data, "small"+string(make([]byte, headerBytes-nameOffset-len("small")))...)
	for _, entry := range [][2]uint32{{11, 0}, {12, secondRow}, {freeSlot, freeSlot}} {
		data = binary.LittleEndian.AppendUint32(data, entry[0])
		data = binary.LittleEndian.AppendUint32(data, entry[1])
	}
	data = binary.LittleEndian.AppendUint16(data, 7)
	data = binary.LittleEndian.AppendUint16(data, weight)
	for i := range 16 {
		data = append(data, byte(100+4*i))
	}
	return sign(data)
}

// sign writes the right checksum.
func sign(data []byte) []byte {
	sum := crc32.Update(crc32.ChecksumIEEE(data[:checksumAt]), crc32.IEEETable, data[checksumAt+4:])
	binary.LittleEndian.PutUint32(data[checksumAt:], sum)
	return data
}

func TestParse(t *testing.T) {
	set := func(at int, n uint32) []byte {
		data := small(3, 1)
		binary.LittleEndian.PutUint32(data[at:], n)
		return sign(data)
	}
	flipped := small(3, 1)
	flipped[len(flipped)-1] ^= 1
	full := small(3, 1)
	binary.LittleEndian.PutUint32(full[headerBytes+2*slotBytes+4:], 1)
	tests := []struct {
		name string
		data []byte
		ok   bool
	}{
		{"right", small(3, 1), true},
		{"empty", nil, false},
		{"header cut", small(3, 1)[:headerBytes-1], false},
		{"cut", small(3, 1)[:headerBytes+40], false},
		{"one byte more", append(small(3, 1), 0), false},
		{"another magic", append([]byte("SLOTEMB2"), small(3, 1)[8:]...), false},
		{"a bit flipped", flipped, false},
		{"dimension not of eights", set(8, 12), false},
		{"dimension zero", set(8, 0), false},
		{"dimension huge", set(8, 1<<31), false},
		{"more rows than slots", set(12, 3), false},
		{"rows huge", set(12, 1<<32-1), false},
		{"slots huge", set(16, 1<<32-1), false},
		{"row beyond the table", small(3, 2), false},
		{"no free slot", sign(full), false},
		{"weight too large", small(maxWeight+1, 1), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := parse(test.data)
			if ok := err == nil; ok != test.ok {
				t.Errorf("parse: error %v, want success %v", err, test.ok)
			}
			if err != nil && !errors.Is(err, ErrTable) {
				t.Errorf("error %v does not wrap ErrTable", err)
			}
		})
	}
}

func TestSum(t *testing.T) {
	table, err := parse(small(3, 1))
	if err != nil {
		t.Fatal(err)
	}
	var s sum
	table.add(&s, 0)
	table.add(&s, 1)
	for i := range 8 {
		want := int64(7*(100+4*i-128) + 3*(100+4*(i+8)-128))
		if got := s.value(i); got != want {
			t.Errorf("dimension %d is %d, want %d", i, got, want)
		}
	}
}

// TestSumDoesNotOverflow adds the largest row as often as it may be added.
func TestSumDoesNotOverflow(t *testing.T) {
	data := small(maxWeight, 1)
	for i := len(data) - 8; i < len(data); i += 2 {
		data[i], data[i+1] = 255, 0
	}
	table, err := parse(sign(data))
	if err != nil {
		t.Fatal(err)
	}
	var s sum
	for range maxRows + 5 {
		table.add(&s, 1)
	}
	for i := range 8 {
		want := int64(maxRows * maxWeight * 127)
		if i%2 == 1 {
			want = -maxRows * maxWeight * 128
		}
		if got := s.value(i); got != want {
			t.Errorf("dimension %d is %d, want %d", i, got, want)
		}
	}
}

// FuzzParse runs every table that is accepted: no input may panic or loop for ever.
func FuzzParse(f *testing.F) {
	f.Add(small(3, 1), "refund")
	f.Add(small(3, 1)[:70], "")
	f.Add(bytes.Repeat([]byte{0xff}, 200), "x")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		if len(data) >= headerBytes {
			data = sign(bytes.Clone(data))
		}
		table, err := parse(data)
		if err != nil {
			if !errors.Is(err, ErrTable) {
				t.Fatalf("error %v does not wrap ErrTable", err)
			}
			return
		}
		checkVector(t, &Static{table: table}, text)
	})
}
