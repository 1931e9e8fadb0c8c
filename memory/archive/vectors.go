package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"net/url"
	"strconv"
	"strings"

	"github.com/slotway/slotway/memory"
)

// VectorsName is the tier name of the views that hold the documents' vectors by the preferred
// embedder. With an external store they also record which documents it has.
const VectorsName = "archive_vectors"

// vectorOf is the stored record of a document's vector.
type vectorOf struct {
	from  int64
	epoch int64
	Born  int64   `json:"born"`  // the session's creation time
	Check uint32  `json:"check"` // of the text
	Scale float32 `json:"scale,omitempty"`
	Row   []byte  `json:"row,omitempty"` // int8
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

// cosine compares with a vector of length 1. ok is false if one is missing or the lengths differ.
func (v *vectorOf) cosine(vec []float32) (float32, bool) {
	if v == nil || len(v.Row) == 0 || len(v.Row) != len(vec) {
		return 0, false
	}
	var sum float32
	for i, a := range v.Row {
		sum += float32(int8(a)) * vec[i]
	}
	return sum * v.Scale, true
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
		v := vectorOf{from: from, epoch: views[i].Epoch}
		if json.Unmarshal(views[i].Data, &v) == nil {
			known[from] = &v // else it is made again
		}
	}
	return known, nil
}

func checkOf(text string) uint32 { return crc32.ChecksumIEEE([]byte(text)) }
