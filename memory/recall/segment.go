package recall

import (
	"encoding/binary"
	"fmt"
	"math"
	"net/url"

	"github.com/slotway/slotway/memory"
)

// segmentMessages is the number of messages in one view: few enough to rewrite the newest view
// after every turn.
const segmentMessages = 64

// segmentVersion is the version of a segment's form: a byte of version and the dimension (two
// bytes), then for every row the message's number within the segment, four bytes of its text's
// checksum, the scale as float32, and the row; all little-endian.
const segmentVersion = 1

const (
	segmentHeader = 3
	rowHeader     = 9
)

// vectorRow is a message's vector in stored form.
type vectorRow struct {
	seq   int64
	check uint32
	scale float32
	row   []int8
}

// segmentPrefix returns the prefix of the view ids of a model.
func segmentPrefix(model string) string { return "vec/" + url.PathEscape(model) + "/" }

// segmentName returns the id of the view of messages n*segmentMessages+1 to (n+1)*segmentMessages.
func segmentName(model string, n int64) string {
	return fmt.Sprintf("%s%06d", segmentPrefix(model), n)
}

// segmentOf returns the segment of a message.
func segmentOf(seq int64) int64 { return (seq - 1) / segmentMessages }

func encodeSegment(dim int, rows []vectorRow) []byte {
	out := make([]byte, 0, segmentHeader+len(rows)*(rowHeader+dim))
	out = append(out, segmentVersion)
	out = binary.LittleEndian.AppendUint16(out, uint16(dim))
	for _, r := range rows {
		out = append(out, byte((r.seq-1)%segmentMessages))
		out = binary.LittleEndian.AppendUint32(out, r.check)
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(r.scale))
		for _, a := range r.row {
			out = append(out, byte(a))
		}
	}
	return out
}

// decodeSegment decodes the rows of segment n; dim 0 accepts any length. ErrCorrupt: it cannot be
// read.
func decodeSegment(n int64, dim int, data []byte) ([]vectorRow, error) {
	if dim == 0 && len(data) >= segmentHeader {
		dim = int(binary.LittleEndian.Uint16(data[1:]))
	}
	if len(data) < segmentHeader || data[0] != segmentVersion || int(binary.LittleEndian.Uint16(data[1:])) != dim ||
		(len(data)-segmentHeader)%(rowHeader+dim) != 0 {
		return nil, fmt.Errorf("segment %d of vectors: %w", n, memory.ErrCorrupt)
	}
	var rows []vectorRow
	for data = data[segmentHeader:]; len(data) > 0; data = data[rowHeader+dim:] {
		r := vectorRow{
			seq: n*segmentMessages + int64(data[0]) + 1, check: binary.LittleEndian.Uint32(data[1:]),
			scale: math.Float32frombits(binary.LittleEndian.Uint32(data[5:])), row: make([]int8, dim),
		}
		if data[0] >= segmentMessages || !(r.scale >= 0 && r.scale <= math.MaxFloat32) {
			return nil, fmt.Errorf("segment %d of vectors: %w", n, memory.ErrCorrupt)
		}
		for i := range r.row {
			r.row[i] = int8(data[rowHeader+i])
		}
		rows = append(rows, r)
	}
	return rows, nil
}
