package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/plaintext"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/scopes"
)

// Query is a search for one user and agent.
type Query struct {
	Key       memory.Key // user and agent; the session does not limit the search
	Text      string
	Type      Type     // default All
	Limit     int      // most results; default Options.K, maximum 50
	Threshold *float64 // least similarity, in [0,1]; nil: that of the options. 0 accepts all documents that share anything with the text
	Exclude   string   // a session whose documents are left out: the current one

	turn bool // within a turn, which waits for an embedder for a shorter time
}

// Result is a found document or chunk.
type Result struct {
	Type Type
	Key  memory.Key // key of the session
	Document
	Text       string  // the document on one line, or the whole chunk
	Excerpt    string  // the beginning of the document, or the part of a chunk that fits the question; at most 400 code points
	Similarity float64 // in [0,1]; see the package comment
	Score      float64 // orders the results; in [0,1]
}

const (
	maxLimit   = 50
	maxExcerpt = 400 // code points; package prompt quotes as many of a message
)

func (q *Query) validate(o *Options) error {
	key := q.Key
	if key.SessionID == "" {
		key.SessionID = "any"
	}
	if err := key.Validate(); err != nil {
		return err
	}
	if memory.Reserved(q.Key.UserID) {
		return ErrReserved
	}
	if q.Limit <= 0 {
		q.Limit = mostResults
	}
	q.Limit = min(q.Limit, maxLimit)
	if q.Threshold == nil {
		q.Threshold = o.Threshold
	}
	switch q.Type = cmp.Or(q.Type, All); q.Type {
	case All, Conversations, Documents:
		return nil
	}
	return fmt.Errorf("%w: a search for another type than conversations, documents and all", memory.ErrBadKey)
}

// scopes returns where a query searches: the user's own conversations, the agent's documents, or
// both.
func (q *Query) scopes() []scopes.Key {
	var keys []scopes.Key
	if q.Type != Documents {
		keys = append(keys, scopes.Of(q.Key))
	}
	if q.Type != Conversations {
		keys = append(keys, scopes.Key{User: Owner, Agent: q.Key.AgentID})
	}
	return keys
}

// excluded returns the session of a scope that is left out; "" for none.
func (q *Query) excluded(key scopes.Key) string {
	if key.User == Owner || q.foreign(key) {
		return ""
	}
	return q.Exclude
}

// Search finds what the user's earlier conversations and the agent's documents say about a text,
// the best first. A reranker, if set, reorders the results; if it fails, the order stays.
func (t *Tier) Search(ctx context.Context, q Query) ([]Result, error) {
	if err := q.validate(&t.opts); err != nil {
		return nil, err
	}
	limit := q.Limit
	if t.opts.Reranker != nil {
		q.Limit = min(4*limit, maxLimit)
	}
	found, err := t.find(ctx, &q)
	if err != nil {
		return nil, err
	}
	found = t.rerank(ctx, &q, found)
	return found[:min(len(found), limit)], nil
}

// find searches the scopes of a query.
func (t *Tier) find(ctx context.Context, q *Query) ([]Result, error) {
	if err := q.validate(&t.opts); err != nil {
		return nil, err
	}
	var scs []*scope
	reached, err := t.reachableScopes(ctx, q)
	if err != nil {
		return nil, err
	}
	for _, key := range reached {
		sc := t.scope(key)
		if err := t.catchUp(ctx, sc, q.excluded(key)); err != nil {
			return nil, err
		}
		scs = append(scs, sc)
	}
	in := t.prepare(ctx, q, scs)
	var hits []hit
	for _, sc := range scs {
		hits = append(hits, sc.rank(in, *q.Threshold, q.excluded(sc.key), q.foreign(sc.key))...)
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), b.entry.Ended.Compare(a.entry.Ended),
			strings.Compare(a.entry.key.SessionID, b.entry.key.SessionID), cmp.Compare(a.entry.From, b.entry.From))
	})
	return t.fetch(ctx, q, hits, in.terms)
}

// conversational makes a question one about a conversation, not about its topic.
var conversational = stems("conversational")

// questionTerms returns the terms of a question without the phrases that refer to the past, unless
// nothing else is left.
func (t *Tier) questionTerms(text string) []string {
	drop := map[string]int{}
	for _, trigger := range t.opts.CrossSession.Triggers {
		if recall.HasPhrase(text, []string{trigger}) {
			countTerms(drop, trigger)
		}
	}
	var all, about []string
	recall.Terms(text, func(term, _ []byte) {
		s := string(term)
		if slices.Contains(all, s) {
			return
		}
		if all = append(all, s); !conversational[s] && drop[s] == 0 {
			about = append(about, s)
		}
	})
	if len(about) == 0 {
		return all
	}
	return about
}

// fetch turns the best hits into results. The text of a chunk is read from the store, so that a
// chunk deleted a moment ago is not found.
func (t *Tier) fetch(ctx context.Context, q *Query, hits []hit, terms []string) ([]Result, error) {
	var out []Result
	for _, h := range hits {
		if len(out) == q.Limit {
			break
		}
		e := h.entry
		r := Result{Type: e.typ, Key: e.key, Document: e.Document, Similarity: h.similar, Score: h.score}
		if e.key.AgentID != q.Key.AgentID {
			r.Document = r.asShared()
		}
		if e.typ == Conversations {
			r.Text = plaintext.Line(r.Document.Text())
			r.Excerpt = shorten(r.Text, maxExcerpt)
		} else {
			list, err := t.store.Messages(ctx, e.key, memory.Page{After: e.From - 1, Limit: 1})
			if errors.Is(err, memory.ErrNotFound) || err == nil && (len(list) == 0 || list[0].Seq != e.From) {
				continue
			}
			if errors.Is(err, memory.ErrCorrupt) {
				t.opts.OnCorrupt(e.key, err)
				continue
			}
			if err != nil {
				return nil, err
			}
			r.Text = list[0].Text
			r.Excerpt = excerpt(r.Text, terms, maxExcerpt)
		}
		out = append(out, r)
	}
	return out, nil
}

// excerpt returns the part of a text that has the most of the wanted terms, on one line, in whole
// sentences if they are short enough.
func excerpt(text string, terms []string, limit int) string {
	units := unitsOf(text, limit/8)
	var best, bestTo, most int
	for from := range units {
		if from > 0 && most == len(terms) {
			break
		}
		seen, n, to := map[string]int{}, 0, from
		for to < len(units) && (to == from || n+units[to].to-units[to].from <= limit) {
			n += units[to].to - units[to].from
			countTerms(seen, text[units[to].from:units[to].to])
			to++
		}
		have := 0
		for _, term := range terms {
			if seen[term] > 0 {
				have++
			}
		}
		if have > most || bestTo == 0 {
			best, bestTo, most = from, to, have
		}
	}
	if bestTo == 0 {
		return ""
	}
	return shorten(plaintext.Line(text[units[best].from:units[bestTo-1].to]), limit)
}
