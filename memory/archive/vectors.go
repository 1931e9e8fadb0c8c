package archive

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"net/url"
	"strconv"
	"strings"

	"github.com/slotway/slotway/memory"
)

// VectorsName is the tier name of the views that record which documents have a vector by the
// preferred embedder. They hold the vectors too, unless the external store does.
const VectorsName = "archive_vectors"

// vectorVersion is the version of such a view: a byte of version, the session's creation time, the
// checksum of the text, the length of the vector and, if the vector is kept here, its scale and its
// numbers as int8; all little-endian.
const (
	vectorVersion = 1
	vectorHead    = 1 + 8 + 4 + 2
)

// vectorOf is the stored record of a document's vector.
type vectorOf struct {
	from  int64
	epoch int64
	born  int64
	check uint32
	scale float32
	row   []int8 // nil: the external store has it
}

// vectorPrefix is the prefix of the view ids of a model. vectorID is the view id of the document
// that begins at a message.
func (t *Tier) vectorPrefix() string {
	where := "here"
	if t.opts.External != nil {
		where = url.PathEscape(t.opts.External.Name())
	}
	return where + "/" + url.PathEscape(t.opts.Preferred.Model()) + "/"
}

func (t *Tier) vectorID(from int64) string { return fmt.Sprintf("%s%09d", t.vectorPrefix(), from) }

func (v *vectorOf) data(dim int) []byte {
	out := binary.LittleEndian.AppendUint64([]byte{vectorVersion}, uint64(v.born))
	out = binary.LittleEndian.AppendUint32(out, v.check)
	out = binary.LittleEndian.AppendUint16(out, uint16(dim))
	if v.row == nil {
		return out
	}
	out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v.scale))
	for _, a := range v.row {
		out = append(out, byte(a))
	}
	return out
}

// cosine compares with a vector of length 1. ok is false if the lengths differ or the vector is
// kept externally.
func (v *vectorOf) cosine(vec []float32) (float32, bool) {
	if v == nil || len(v.row) == 0 || len(v.row) != len(vec) {
		return 0, false
	}
	var sum float32
	for i, a := range v.row {
		sum += float32(a) * vec[i]
	}
	return sum * v.scale, true
}

// vectors reads the records of a session's vectors, by the first message of the document.
func (t *Tier) vectors(ctx context.Context, key memory.Key) (map[int64]*vectorOf, error) {
	views, err := t.store.Views(ctx, memory.ViewsOf(key, VectorsName, t.vectorPrefix()))
	if err != nil {
		return nil, err
	}
	known := map[int64]*vectorOf{}
	for i := range views {
		from, err := strconv.ParseInt(strings.TrimPrefix(views[i].ID, t.vectorPrefix()), 10, 64)
		if err != nil {
			continue
		}
		if v := readVector(&views[i], t.opts.External != nil); v != nil {
			v.from = from
			known[from] = v
		}
	}
	return known, nil
}

// readVector decodes a view; nil if it cannot be read and must be made again.
func readVector(view *memory.View, outside bool) *vectorOf {
	d := view.Data
	if len(d) < vectorHead || d[0] != vectorVersion {
		return nil
	}
	v := &vectorOf{epoch: view.Epoch, born: int64(binary.LittleEndian.Uint64(d[1:])), check: binary.LittleEndian.Uint32(d[9:])}
	dim := int(binary.LittleEndian.Uint16(d[13:]))
	if d = d[vectorHead:]; outside {
		return v
	}
	if len(d) != 4+dim {
		return nil
	}
	v.scale = math.Float32frombits(binary.LittleEndian.Uint32(d))
	v.row = make([]int8, dim)
	for i := range v.row {
		v.row[i] = int8(d[4+i])
	}
	return v
}

func checkOf(text string) uint32 { return crc32.ChecksumIEEE([]byte(text)) }
