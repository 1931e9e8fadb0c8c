package recall

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/scopes"
)

// Query is a search in the messages of one user and agent. Zero fields do not limit.
type Query struct {
	Key  memory.Key // user and agent; with a SessionID, in that session only
	Text string     // the question

	K              int // most messages; default 5
	Neighbours     int // messages before and after each in its session that pass the limits from Roles to MinImportance
	MaxTokens      int // of all messages together, neighbours included
	ExcludeSession string
	Roles          []memory.Role
	Since, Until   time.Time // inclusive, exclusive
	Tags           []string  // the message has all of them
	MinImportance  int

	// MinSimilarity excludes messages that are less similar to the question, in [0,1]. The scale
	// adds up meaning and words: 0.7 is what one in a hundred unrelated texts reaches by its
	// meaning alone, whatever the model, and what a text with three fifths of the question's words
	// reaches, weighted by rarity. No text has 1. nil: no limit; 0 excludes nothing. Neighbours are
	// not compared with the question.
	MinSimilarity *float64

	crossSessionSimilarity *float64 // MinSimilarity of messages in other sessions than currentSession; nil: the same

	// Rerank lets the tier's reranker, if there is one, order the best results. Score does not
	// order them then. If it fails, the order stays.
	Rerank bool

	Explain bool // fill in Recalled.Why; its parts sum to the score

	epoch          int64      // of currentSession in the turn, which may be clearing it:
	from           int64      // then only messages from this number on
	before         int64      // and before this one
	currentSession string     // session of the turn
	exclude        []position // messages to leave out
	inTurn         bool       // no embedder may be asked that takes time
	meaningOnly    bool       // by meaning alone
}

// Only limits the query to the messages that pass a filter.
func (q Query) Only(f memory.Filter) Query {
	q.Roles, q.Since, q.Until, q.Tags, q.MinImportance = f.Roles, f.Since, f.Until, f.Tags, f.MinImportance
	return q
}

// passes reports whether a message passes the query's limits, except for its similarity.
func (q *Query) passes(m *memory.Message) bool {
	f := memory.Filter{Roles: q.Roles, Since: q.Since, Until: q.Until, Tags: q.Tags, MinImportance: q.MinImportance}
	return f.Passes(m)
}

// position is the position of a message in a scope.
type position struct {
	session string
	seq     int64
}

const (
	defaultK = 5
	maxK     = 1000
	maxPage  = 1000 // neighbours are read in the same page as the message
)

// Search finds the messages that relate to a text, the best first: by words and by meaning and, if
// the query asks for it, as a reranker orders them. Scores of two searches are not comparable.
// Every message is read from the store, so that deleted and cleared ones are not found.
func (t *Tier) Search(ctx context.Context, q Query) ([]memory.Recalled, error) {
	if err := q.validate(); err != nil {
		return nil, err
	}
	q.Rerank = q.Rerank && t.opts.Reranker != nil
	sc := t.scope(scopes.Of(q.Key))
	if err := t.catchUp(ctx, sc); err != nil {
		return nil, err
	}
	a := indexQuery{text: q.Text, meaningOnly: q.meaningOnly, k: q.candidates()}
	if err := t.meaning(ctx, sc, &q, &a); err != nil {
		return nil, err
	}
	found, err := t.find(ctx, sc, &q, &a)
	if err != nil {
		return nil, err
	}
	if found, err = t.rerank(ctx, &q, found); err != nil {
		return nil, err
	}
	return t.fetch(ctx, &q, found)
}

// find searches the index and, if there is one, the vector store.
func (t *Tier) find(ctx context.Context, sc *scope, q *Query, a *indexQuery) ([]located, error) {
	if t.opts.Vectors == nil || a.vec == nil {
		return sc.find(q, a), nil
	}
	return t.searchExternal(ctx, sc, q, a)
}

// Place is the position of a message with its score.
type Place struct {
	SessionID string  `json:"session_id"`
	Seq       int64   `json:"seq"`
	Score     float64 `json:"score"`
}

// Places is Search in the index as it is in memory, without the store: new messages may be missing,
// and just deleted ones may be found. It ignores limits that need the messages themselves
// (MaxTokens, Neighbours).
func (t *Tier) Places(ctx context.Context, q Query) ([]Place, error) {
	if err := q.validate(); err != nil {
		return nil, err
	}
	sc := t.scope(scopes.Of(q.Key))
	a := indexQuery{text: q.Text, meaningOnly: q.meaningOnly, k: q.K}
	if err := t.meaning(ctx, sc, &q, &a); err != nil {
		return nil, err
	}
	found, err := t.find(ctx, sc, &q, &a)
	if err != nil {
		return nil, err
	}
	var out []Place
	for _, l := range found {
		out = append(out, Place{l.session, l.seq, float64(l.score)})
	}
	return out, nil
}

// Similar finds the messages nearest in meaning to a text. Score is the cosine. ErrNoMeaning: there
// is nothing to compare with.
func (t *Tier) Similar(ctx context.Context, q Query) ([]memory.Recalled, error) {
	q.meaningOnly = true
	return t.Search(ctx, q)
}

func (q *Query) validate() error {
	key := q.Key
	if key.SessionID == "" {
		key.SessionID = "any"
	}
	if err := key.Validate(); err != nil {
		return err
	}
	if q.K <= 0 {
		q.K = defaultK
	}
	q.K = min(q.K, maxK)
	q.Neighbours = min(max(q.Neighbours, 0), maxPage/2-1)
	return nil
}

// candidates returns how many docs to take from the index: some may be dropped when they are read.
func (q *Query) candidates() int {
	return max(q.K+q.K/2+4, q.rerankCount()) + len(q.exclude)
}

// meaning embeds the question by the model with the most vectors in the scope. If words are enough,
// a failing embedder is ignored.
func (t *Tier) meaning(ctx context.Context, sc *scope, q *Query, a *indexQuery) error {
	sc.mu.RLock()
	model := sc.x.bestModel(q.inTurn)
	sc.mu.RUnlock()
	if model < 0 {
		if q.meaningOnly {
			return ErrNoMeaning
		}
		return nil
	}
	e := t.opts.Embedders[model]
	if local, ok := e.(localEmbedder); ok && t.opts.Vectors == nil {
		a.vec = make([]float32, e.Dimension())
		local.EmbedInto(a.vec, q.Text)
	} else {
		var vectors [][]float32
		texts, err := t.opts.Redact.Texts(ctx, []string{q.Text}, q.Key)
		if err == nil {
			vectors, err = embedTexts(ctx, e, texts)
		}
		if err == nil {
			a.vec = vectors[0]
		}
		if err != nil && q.meaningOnly {
			return fmt.Errorf("embed the question: %w", err)
		}
	}
	if a.model = model; a.vec != nil {
		a.calibration = t.calibrations[model].get(ctx, e)
	}
	if IsZero(a.vec) {
		if a.vec = nil; q.meaningOnly {
			return ErrNoMeaning
		}
	}
	return nil
}

// bestModel returns the model with the most rows, the first of several; -1: none has any.
func (x *index) bestModel(local bool) int {
	best, most := -1, 0
	for i := range x.meaning {
		if have := x.vectorCount(i); have > most && (!local || x.local[i] != nil) {
			best, most = i, have
		}
	}
	return best
}

// located is a hit with what is needed to read it from the store.
type located struct {
	position
	check        uint64
	epoch, floor int64 // of its session
	hit
}

// find ranks docs and applies the limits that the index knows.
func (sc *scope) find(q *Query, a *indexQuery) []located {
	sc.mu.RLock()
	defer sc.mu.RUnlock()
	if sn, ok := sc.x.ids[q.currentSession]; ok && sc.x.sessions[sn].epoch >= q.epoch {
		q.from = 0 // the index has seen the beginning of the session
	}
	if !sc.x.filter(q, &a.filter) {
		return nil
	}
	var out []located
	for _, h := range sc.x.rank(a, q.Explain) {
		d := &sc.x.docs[h.doc]
		s := &sc.x.sessions[d.session]
		if least := q.least(s.id); least != nil && float64(h.similar) < *least {
			continue
		}
		out = append(out, located{position: position{s.id, d.seq}, check: d.check, epoch: s.epoch, floor: s.floor, hit: h})
	}
	return out
}

// least returns the least similarity for messages of a session; nil: none.
func (q *Query) least(session string) *float64 {
	if q.crossSessionSimilarity != nil && session != q.currentSession {
		return q.crossSessionSimilarity
	}
	return q.MinSimilarity
}

// filter returns the query's limits as a filter; false: nothing passes them.
func (x *index) filter(q *Query, f *filter) bool {
	*f = matchAll
	if q.Key.SessionID != "" {
		sn, ok := x.ids[q.Key.SessionID]
		if !ok {
			return false
		}
		f.session = int64(sn)
	}
	if sn, ok := x.ids[q.ExcludeSession]; ok {
		f.without = int64(sn)
	}
	if sn, ok := x.ids[q.currentSession]; ok {
		f.recent, f.recentFrom, f.recentSeq = int64(sn), q.from, q.before
	}
	if len(q.Roles) > 0 {
		f.noUser, f.noAgent = !slices.Contains(q.Roles, memory.User), !slices.Contains(q.Roles, memory.Agent)
	}
	if !q.Since.IsZero() {
		f.since = q.Since.UnixMicro()
	}
	if !q.Until.IsZero() {
		f.until = q.Until.UnixMicro()
	}
	f.importance = int8(min(max(q.MinImportance, 0), 127))
	if len(q.Tags) > 0 {
		f.tags = x.tagged(q.Tags)
	}
	return true
}
