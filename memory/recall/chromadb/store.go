package chromadb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"sync"

	"github.com/slotway/slotway/memory/recall"
)

// Store keeps vectors in ChromaDB. It is safe for concurrent use.
type Store struct {
	client *client
	prefix string // the configured collection name

	mu    sync.Mutex            // guards known
	known map[string]collection // by name
}

var _ recall.VectorStore = (*Store)(nil)

// word matches names of collections.
var word = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_-]{0,39}$`)

// Open returns a store for a server, whose collections have names that begin with the given one. A
// token, if not "", is sent with every call. Open does not call the server, which may be down.
// ErrURL, ErrCollection: the arguments cannot be used.
func Open(address, name, token string) (*Store, error) {
	if !word.MatchString(name) {
		return nil, ErrCollection
	}
	c, err := newClient(address, token)
	if err != nil {
		return nil, err
	}
	return &Store{client: c, prefix: name, known: map[string]collection{}}, nil
}

// Close implements recall.VectorStore.
func (s *Store) Close() { s.client.http.CloseIdleConnections() }

// Name implements recall.VectorStore.
func (s *Store) Name() string { return "chromadb/" + s.prefix }

// Ping implements recall.VectorStore.
func (s *Store) Ping(ctx context.Context) error {
	err := s.client.call(ctx, http.MethodGet, "?limit=1", nil, &[]collection{})
	if errors.Is(err, errMissing) {
		return fmt.Errorf("%w: status 404: it has no such database, or is no ChromaDB", ErrServer)
	}
	return err
}

// collection is a collection of the server.
type collection struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Metadata struct {
		Prefix string `json:"slotway"` // absent from foreign collections
		Model  string `json:"model"`
		Dim    int    `json:"dim"`
	} `json:"metadata"`
}

// kind says what a collection holds: messages or documents by one model.
type kind struct {
	documents bool
	model     string
	dim       int
}

// nameOf returns the name of the collection for a kind.
func (s *Store) nameOf(wanted kind) string {
	if wanted.documents {
		return s.prefix
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", wanted.dim, wanted.model))
	return s.prefix + "-" + hex.EncodeToString(sum[:8])
}

// fits reports whether a collection holds vectors of a kind. Only that of documents may hold others,
// which the server refuses to compare. A foreign one is taken as it is.
func (s *Store) fits(c *collection, wanted kind) bool {
	m := &c.Metadata
	return m.Prefix != s.prefix || m.Model == wanted.model && m.Dim == wanted.dim
}

// find returns the collection for a kind. errMissing: there is none, or, with the collection, it
// holds another kind. It asks the server unless it knows one that fits: another process may have
// created it anew.
func (s *Store) find(ctx context.Context, wanted kind) (collection, error) {
	name := s.nameOf(wanted)
	s.mu.Lock()
	known, ok := s.known[name]
	s.mu.Unlock()
	if ok && s.fits(&known, wanted) {
		return known, nil
	}
	var found collection
	err := s.client.call(ctx, http.MethodGet, "/"+url.PathEscape(name), nil, &found)
	if err == nil {
		err = s.remember(&found)
	}
	if err == nil && !s.fits(&found, wanted) {
		err = errMissing
	}
	return found, err
}

// remember keeps a collection in mind. Its id becomes part of paths.
func (s *Store) remember(c *collection) error {
	if c.ID == "" {
		return fmt.Errorf("%w: a collection without an id", ErrServer)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[c.Name] = *c
	return nil
}

func (s *Store) forget(c *collection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.known, c.Name)
}

// The index is built and searched with more effort than the server's defaults, since messages are
// close to one another.
var index = map[string]any{"hnsw": map[string]any{"space": "cosine", "ef_construction": 200, "ef_search": 400, "max_neighbors": 24}}

// create creates the collection for a kind if needed. It drops a collection of documents by another
// model, since a collection has one vector length; the documents are made again.
func (s *Store) create(ctx context.Context, wanted kind) error {
	c, err := s.find(ctx, wanted)
	if !errors.Is(err, errMissing) {
		return err
	}
	if c.ID != "" {
		s.forget(&c)
		if err := ignoreMissing(s.client.call(ctx, http.MethodDelete, "/"+url.PathEscape(c.Name), nil, nil)); err != nil {
			return err
		}
	}
	c = collection{}
	err = s.client.call(ctx, http.MethodPost, "", map[string]any{
		"name": s.nameOf(wanted), "get_or_create": true, "configuration": index,
		"metadata": map[string]any{"slotway": s.prefix, "model": wanted.model, "dim": wanted.dim},
	}, &c)
	if err != nil {
		return err
	}
	return s.remember(&c)
}

// records makes a call on the records of a kind. If the collection was deleted meanwhile, it looks
// it up once more. errMissing: there is none.
func (s *Store) records(ctx context.Context, wanted kind, verb string, in, out any) error {
	for again := true; ; again = false {
		c, err := s.find(ctx, wanted)
		if err != nil {
			return err
		}
		err = s.client.call(ctx, http.MethodPost, "/"+url.PathEscape(c.ID)+"/"+verb, in, out)
		if !errors.Is(err, errMissing) {
			return err
		}
		s.forget(&c)
		if !again {
			return err
		}
	}
}

// kinds lists what the server holds for this store.
func (s *Store) kinds(ctx context.Context) ([]kind, error) {
	const limit = 200
	var all []kind
	for offset := 0; ; offset += limit {
		var page []collection
		if err := s.client.call(ctx, http.MethodGet, fmt.Sprintf("?limit=%d&offset=%d", limit, offset), nil, &page); err != nil {
			return nil, err
		}
		for i := range page {
			if c := &page[i]; c.Metadata.Prefix == s.prefix {
				all = append(all, kind{c.Name == s.prefix, c.Metadata.Model, c.Metadata.Dim})
			}
		}
		if len(page) < limit {
			return all, nil
		}
	}
}
