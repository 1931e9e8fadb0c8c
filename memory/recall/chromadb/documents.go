package chromadb

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/recall/internal/vec"
)

// documentsModelKey is the metadata key of a collection that names the model of its documents'
// vectors.
const documentsModelKey = "documents_of"

// documentsName is the name of the collection of documents: the configured one.
func (s *Store) documentsName() string { return s.opts.Collection }

// modelTag names a model together with the length of its vectors.
func modelTag(model string, dim int) string { return fmt.Sprintf("%d %s", dim, model) }

// PutDocuments implements recall.Documents.
func (s *Store) PutDocuments(ctx context.Context, set recall.VectorSet, docs []recall.DocumentRow) error {
	if err := ctx.Err(); err != nil || len(docs) == 0 {
		return err
	}
	if err := s.ensureDocuments(ctx, modelTag(set.Model, set.Dim)); err != nil {
		return fmt.Errorf("make a collection: %w", err)
	}
	if err := s.putOwner(ctx, set); err != nil {
		return err
	}
	records := make([]record, len(docs))
	for i := range docs {
		m, err := documentMetadata(set, &docs[i])
		if err != nil {
			return err
		}
		records[i] = record{docs[i].Seq, docs[i].Vector, docs[i].Text, m}
	}
	if err := s.upsert(ctx, s.documentsName(), set, records); err != nil {
		return fmt.Errorf("put documents: %w", err)
	}
	return nil
}

// ensureDocuments makes sure that the collection exists for the vectors of one model. A collection
// of ours with vectors of another model is dropped, since a collection has one vector length; the
// documents are made again.
func (s *Store) ensureDocuments(ctx context.Context, by string) error {
	name := s.documentsName()
	var c collection
	err := s.client.call(ctx, http.MethodGet, "/"+url.PathEscape(name), nil, &c)
	if err != nil && !errors.Is(err, errMissing) {
		return err
	}
	if err == nil {
		if c.Metadata[collectionKey] != s.opts.Collection || c.Metadata[documentsModelKey] == by {
			_, err := s.remember(&c)
			return err
		}
		if err := ignoreMissing(s.client.call(ctx, http.MethodDelete, "/"+url.PathEscape(name), nil, nil)); err != nil {
			return err
		}
	}
	c = collection{}
	err = s.client.call(ctx, http.MethodPost, "", map[string]any{
		"name": name, "get_or_create": true, "metadata": map[string]any{collectionKey: s.opts.Collection, modelKey: "", documentsModelKey: by},
		"configuration": map[string]any{"hnsw": map[string]any{"space": "cosine"}},
	}, &c)
	if err != nil {
		return err
	}
	_, err = s.remember(&c)
	return err
}

// documentMetadata returns the metadata of a record. The API allows single values only, so that
// lists become JSON.
func documentMetadata(set recall.VectorSet, d *recall.DocumentRow) (map[string]any, error) {
	out := map[string]any{
		"user": set.User.String(), "scope": set.Scope.String(), "session": set.Session.String(), "seq": d.Seq, "check": int64(d.Check), "at": d.At,
		"born": set.Fence.Born, "epoch": set.Fence.Epoch, "model": modelTag(set.Model, set.Dim), "namespace": d.Namespace, "doc_type": d.Type,
	}
	for name, value := range d.Metadata {
		switch v := value.(type) {
		case map[string]string:
			for part, text := range v {
				out[name+"_"+part] = text
			}
		case []string:
			text, err := json.Marshal(v)
			if err != nil {
				return nil, fmt.Errorf("%w: a list cannot be written", ErrServer)
			}
			out[name] = string(text)
		default:
			out[name] = v
		}
	}
	return out, nil
}

// NearestDocuments implements recall.Documents.
func (s *Store) NearestDocuments(ctx context.Context, q recall.VectorQuery) ([]recall.VectorMatch, error) {
	vector, ok := vec.Unit(q.Vector)
	if !ok {
		return nil, ErrVector
	}
	list := []where{condition("scope", "$eq", q.Scope.String()), condition("model", "$eq", modelTag(q.Model, len(q.Vector)))}
	if q.Exclude != (recall.ID{}) {
		list = append(list, condition("session", "$ne", q.Exclude.String()))
	}
	if ok, err := s.documentsHave(ctx, modelTag(q.Model, len(q.Vector))); !ok || err != nil {
		return nil, ignoreMissing(err)
	}
	near, err := s.query(ctx, s.documentsName(), &q, vector, allOf(list))
	if err = ignoreMissing(err); err != nil {
		return nil, fmt.Errorf("find the nearest documents: %w", err)
	}
	slices.SortStableFunc(near, func(a, b recall.VectorMatch) int { return cmp.Compare(b.Cosine, a.Cosine) })
	return near, nil
}

// documentsHave reports whether the documents have vectors of a model. The server refuses to
// compare others.
func (s *Store) documentsHave(ctx context.Context, by string) (bool, error) {
	s.mu.Lock()
	known := s.documentsModel
	s.mu.Unlock()
	if known == by {
		return true, nil
	}
	var c collection
	if err := s.client.call(ctx, http.MethodGet, "/"+url.PathEscape(s.documentsName()), nil, &c); err != nil {
		return false, err
	}
	_, err := s.remember(&c)
	return c.Metadata[collectionKey] != s.opts.Collection || c.Metadata[documentsModelKey] == by, err
}

// DropDocuments implements recall.Documents.
func (s *Store) DropDocuments(ctx context.Context, d recall.VectorDrop) error {
	if err := s.drop(ctx, s.documentsName(), &d); err != nil {
		return fmt.Errorf("drop documents: %w", err)
	}
	return nil
}

// isDocuments reports whether a collection is that of documents.
func (s *Store) isDocuments(c *collection) bool { return c.Name == s.documentsName() }
