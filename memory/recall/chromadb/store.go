package chromadb

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"sync"

	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/recall/internal/vec"
)

// Options of a store. The zero value is ready to use.
type Options struct {
	Collection string       // prefix of collection names; default "slotway"
	Tenant     string       // default "default_tenant"
	Database   string       // default "default_database"
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
	o.Tenant, o.Database = cmp.Or(o.Tenant, "default_tenant"), cmp.Or(o.Database, "default_database")
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

// putRows is the number of records written per call.
const putRows = 500

// Put implements recall.Vectors.
func (s *Store) Put(ctx context.Context, set recall.VectorSet, rows []recall.VectorRow) error {
	if err := ctx.Err(); err != nil || len(rows) == 0 {
		return err
	}
	name := s.nameOf(set.Model, set.Dim)
	if _, err := s.create(ctx, name, set.Model); err != nil {
		return fmt.Errorf("make a collection: %w", err)
	}
	if err := s.putOwner(ctx, set); err != nil {
		return err
	}
	for from := 0; from < len(rows); from += putRows {
		if err := s.put(ctx, name, set, rows[from:min(from+putRows, len(rows))]); err != nil {
			return fmt.Errorf("put vectors: %w", err)
		}
	}
	return nil
}

// putOwner records that a session has vectors. It is called before they are written, so that no
// vector is without an owner.
func (s *Store) putOwner(ctx context.Context, set recall.VectorSet) error {
	if _, err := s.create(ctx, s.ownersName(), ""); err != nil {
		return fmt.Errorf("make a collection: %w", err)
	}
	err := s.records(ctx, s.ownersName(), "upsert", map[string]any{
		"ids": []string{set.Session.String()}, "embeddings": [][]float32{{1}},
		"metadatas": []any{map[string]any{"user": set.User.String(), "scope": set.Scope.String(), "session": set.Session.String()}},
	}, nil)
	if err != nil {
		return fmt.Errorf("put a session: %w", err)
	}
	return nil
}

func (s *Store) put(ctx context.Context, name string, set recall.VectorSet, rows []recall.VectorRow) error {
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = recordID(set.Session, rows[i].Seq)
	}
	later, err := s.newerRecords(ctx, name, ids, set.Fence)
	if err != nil {
		return err
	}
	var in struct {
		IDs        []string   `json:"ids"`
		Embeddings []string   `json:"embeddings"`
		Metadatas  []metadata `json:"metadatas"`
	}
	for i := range rows {
		r := &rows[i]
		v, ok := vec.Unit(r.Vector)
		if !ok || len(r.Vector) != set.Dim {
			return ErrVector
		}
		if later[ids[i]] {
			continue
		}
		m := metadata{
			User: set.User.String(), Scope: set.Scope.String(), Session: set.Session.String(), Seq: r.Seq, Check: int64(r.Check), At: r.At,
			Importance: r.Importance, Born: set.Fence.Born, Epoch: set.Fence.Epoch,
		}
		if r.Agent {
			m.Agent = 1
		}
		in.IDs, in.Embeddings, in.Metadatas = append(in.IDs, ids[i]), append(in.Embeddings, base64Vector(v)), append(in.Metadatas, m)
	}
	if len(in.IDs) == 0 {
		return nil
	}
	return s.records(ctx, name, "upsert", &in, nil)
}

// base64Vector encodes a vector as the API expects it: base64 of little-endian floats.
func base64Vector(v []float32) string {
	raw := make([]byte, 0, 4*len(v))
	for _, a := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(a))
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// ignoreMissing returns nil for errMissing: a missing collection has no records.
func ignoreMissing(err error) error {
	if errors.Is(err, errMissing) {
		return nil
	}
	return err
}
