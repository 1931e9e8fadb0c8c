package build

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/config/settings"
)

// BackfillState is the progress of making everybody's missing vectors. It is a file of the data
// folder; if the file is lost, all sessions are checked once more.
type BackfillState struct {
	Digest     string    `json:"for"`   // digest of the model, the place of the vectors and the store
	Model      string    `json:"model"` // "": none is needed
	Done       int       `json:"done"`  // sessions
	Total      int       `json:"total"`
	Made       int       `json:"made"` // vectors
	Finished   bool      `json:"finished"`
	Waiting    bool      `json:"waiting,omitempty"` // a server that it needs did not answer
	WaitingFor string    `json:"awaited,omitempty"` // the name of that server
	At         time.Time `json:"at"`
}

func backfillPath(dir string) string { return filepath.Join(dir, "vectors.json") }

// ReadBackfill reads the progress; nil: unknown.
func ReadBackfill(dir string) *BackfillState {
	data, err := os.ReadFile(backfillPath(dir))
	var b BackfillState
	if err != nil || json.Unmarshal(data, &b) != nil {
		return nil
	}
	return &b
}

// Write saves the progress in the data folder.
func (b *BackfillState) Write(dir string) error {
	return durable.WriteFile(backfillPath(dir), func(w io.Writer) error { return json.NewEncoder(w).Encode(b) })
}

// WantedVectors returns the embedding model of the settings, and a digest of the model, the place
// of the vectors and the store; model is "" if no vectors are made.
func WantedVectors(s *settings.Settings) (model, digest string) {
	m, e := &s.Memory, s.Models.Embed
	store := m.DSN
	if m.Storage == "sqlite" {
		store = m.StoragePath
	}
	place := ""
	if externalVectors(m.VectorStore.Backend) {
		place = m.VectorStore.Backend
	}
	if m.Enabled && m.Storage != "inmem" && m.VectorStore.Enabled && (e.Provider != "static" || place != "") {
		model = strings.TrimSuffix(e.Provider+"/"+e.Model, "/")
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{model, e.BaseURL, place, m.VectorStore.CollectionName, m.VectorStore.URL, m.Storage, store}))
	return model, hex.EncodeToString(sum[:16])
}

// String describes the progress in words.
func (b *BackfillState) String() string {
	state := "going on"
	switch {
	case b.Finished && b.Total == 0:
		return b.Model + ": jobs make them as messages come; there were none before"
	case b.Finished:
		state = "done"
	case b.Waiting:
		state = "waiting for " + cmp.Or(b.WaitingFor, "the embedding server")
	case b.At.IsZero():
		state = "not begun: serve and chat do so, or memory reindex"
	}
	return fmt.Sprintf("%s: %d of %d sessions checked for missing vectors, %d made, %s", b.Model, b.Done, b.Total, b.Made, state)
}
