package chromadb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"sync"

	"github.com/slotway/slotway/memory/recall"
)

// Options of a store. The zero value is ready to use.
type Options struct {
	Collection string       // prefix of collection names; default "slotway"
	Client     *http.Client // its transport decides which addresses may be reached; default a plain client
	Header     http.Header  // sent with every call, such as Authorization; never part of an error
}

// Store keeps vectors in ChromaDB. It is safe for concurrent use.
type Store struct {
	client *client
	opts   Options

	mu             sync.Mutex        // guards the fields below
	ids            map[string]string // of collections, by name
	documentsModel string            // model of the documents' vectors; "": unknown
}

var _ recall.VectorStore = (*Store)(nil)

// word matches names of collections.
var word = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_-]{0,39}$`)

// Open returns a store for a server. It does not call the server, which may be down. ErrURL,
// ErrCollection: the arguments cannot be used.
func Open(address string, opts *Options) (*Store, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	o.Collection = cmp.Or(o.Collection, "slotway")
	o.Client = cmp.Or(o.Client, &http.Client{})
	if !word.MatchString(o.Collection) {
		return nil, ErrCollection
	}
	c, err := newClient(address, &o)
	if err != nil {
		return nil, err
	}
	return &Store{client: c, opts: o, ids: map[string]string{}}, nil
}

// Close closes idle connections. It may be called more than once.
func (s *Store) Close() { s.client.http.CloseIdleConnections() }

// Name implements recall.Vectors.
func (s *Store) Name() string { return "chromadb/" + s.opts.Collection }

// Ping implements recall.VectorStore.
func (s *Store) Ping(ctx context.Context) error {
	err := s.client.call(ctx, http.MethodGet, "?limit=1", nil, &[]collection{})
	if errors.Is(err, errMissing) {
		return fmt.Errorf("%w: status 404: it has no such database, or is no ChromaDB", ErrServer)
	}
	return err
}

// metadata is the metadata of a record.
type metadata struct {
	User       string `json:"user"`
	Scope      string `json:"scope"`
	Session    string `json:"session"`
	Seq        int64  `json:"seq"`
	Check      int64  `json:"check"`
	At         int64  `json:"at"`
	Agent      int    `json:"agent"`
	Importance int    `json:"importance"`
	Born       int64  `json:"born"`
	Epoch      int64  `json:"epoch"`
}

func (m *metadata) fence() recall.Fence { return recall.Fence{Born: m.Born, Epoch: m.Epoch} }

// fetched is the response of a get.
type fetched struct {
	IDs        []string    `json:"ids"`
	Metadatas  []metadata  `json:"metadatas"`
	Embeddings [][]float32 `json:"embeddings"`
}

// recordID returns the id of a message's record.
func recordID(session recall.ID, seq int64) string {
	return session.String() + "/" + strconv.FormatInt(seq, 10)
}

// ignoreMissing returns nil for errMissing: a missing collection has no records.
func ignoreMissing(err error) error {
	if errors.Is(err, errMissing) {
		return nil
	}
	return err
}
