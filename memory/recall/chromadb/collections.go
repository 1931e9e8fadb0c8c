package chromadb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// collection is a collection of the server.
type collection struct {
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Metadata map[string]any `json:"metadata"`
}

// Keys of a collection's metadata.
const (
	collectionKey = "slotway" // the configured collection name; absent from foreign collections
	modelKey      = "model"
)

// The index is built and searched with more effort than the server's defaults, since messages are
// close to one another.
const (
	efConstruction = 200
	efSearch       = 400
	neighbours     = 24
)

// nameOf returns the name of the collection for a model and a vector length.
func (s *Store) nameOf(model string, dim int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", dim, model))
	return s.opts.Collection + "-" + hex.EncodeToString(sum[:8])
}

func (s *Store) ownersName() string { return s.opts.Collection + "-owners" }

// find returns the id of a collection. errMissing: there is none.
func (s *Store) find(ctx context.Context, name string) (string, error) {
	s.mu.Lock()
	id, ok := s.ids[name]
	s.mu.Unlock()
	if ok {
		return id, nil
	}
	var c collection
	if err := s.client.call(ctx, http.MethodGet, "/"+url.PathEscape(name), nil, &c); err != nil {
		return "", err
	}
	return s.remember(&c)
}

// create returns the id of a collection and creates it if needed.
func (s *Store) create(ctx context.Context, name, model string) (string, error) {
	id, err := s.find(ctx, name)
	if !errors.Is(err, errMissing) {
		return id, err
	}
	var c collection
	err = s.client.call(ctx, http.MethodPost, "", map[string]any{
		"name": name, "get_or_create": true, "metadata": map[string]any{collectionKey: s.opts.Collection, modelKey: model},
		"configuration": map[string]any{"hnsw": map[string]any{
			"space": "cosine", "ef_construction": efConstruction, "ef_search": efSearch, "max_neighbors": neighbours,
		}},
	}, &c)
	if err != nil {
		return "", err
	}
	return s.remember(&c)
}

// remember caches the id of a collection. The id becomes part of paths.
func (s *Store) remember(c *collection) (string, error) {
	if c.ID == "" {
		return "", fmt.Errorf("%w: a collection without an id", ErrServer)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ids[c.Name] = c.ID
	if c.Name == s.documentsName() {
		s.documentsModel, _ = c.Metadata[documentsModelKey].(string)
	}
	return c.ID, nil
}

// records makes a call on the records of a collection. If the collection was deleted meanwhile, it
// looks it up once more. errMissing: there is none.
func (s *Store) records(ctx context.Context, name, verb string, in, out any) error {
	for again := true; ; again = false {
		id, err := s.find(ctx, name)
		if err != nil {
			return err
		}
		err = s.client.call(ctx, http.MethodPost, "/"+url.PathEscape(id)+"/"+verb, in, out)
		if !errors.Is(err, errMissing) {
			return err
		}
		s.mu.Lock()
		delete(s.ids, name)
		s.mu.Unlock()
		if !again {
			return err
		}
	}
}

// models lists the collections that hold vectors.
func (s *Store) models(ctx context.Context) ([]collection, error) {
	const limit = 200
	var all []collection
	for offset := 0; ; offset += limit {
		var page []collection
		if err := s.client.call(ctx, http.MethodGet, fmt.Sprintf("?limit=%d&offset=%d", limit, offset), nil, &page); err != nil {
			return nil, err
		}
		for _, c := range page {
			if c.Metadata[collectionKey] == s.opts.Collection && c.Name != s.ownersName() {
				all = append(all, c)
			}
		}
		if len(page) < limit {
			return all, nil
		}
	}
}
