package recall

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/scopes"
)

// Query is a search in the messages of one user with one agent. Zero fields do not limit.
type Query struct {
	Key  memory.Key // of the user and the agent; with a SessionID, in that session only
	Text string     // the question

	K              int // messages at most; default 5
	Neighbours     int // messages before and after each, of its session, that pass the limits from Roles to MinImportance
	MaxTokens      int // that the messages may have together, neighbours included
	ExcludeSession string
	Roles          []memory.Role
	Since, Until   time.Time         // at or after; before
	Metadata       map[string]string // that the message has
	Tags           []string          // all of which the message has
	MinImportance  int

	// MinSimilarity leaves out messages that are less similar to the question, in [0,1]. On
	// this scale meaning and words add up: 0.7 is what one in a hundred texts reaches by its
	// meaning alone that is about something else, whatever the model, and what a text has
	// with three fifths of the question's words, weighted by how rare they are. None has 1.
	// nil: no limit; 0 is a limit that all pass. Neighbours are not compared with the question.
	MinSimilarity *float64

	crossSessionSimilarity *float64 // MinSimilarity of messages in other sessions than beforeIn; nil: the same

	// Rerank has the tier's reranker, if there is one, judge the best of what was found: then its
	// judgement orders them, and Score does not. Where it fails the order stays.
	Rerank bool

	Explain bool // fill in Recalled.Why, whose parts sum to the score

	epoch          int64      // of beforeIn in the turn, which may just be clearing it:
	from           int64      // then only messages from this one on
	before         int64      // and before this one
	currentSession string     // a session
	exclude        []position // left out
	inTurn         bool       // no embedder may be asked that takes time
	meaningOnly    bool       // by meaning alone
}

// Only limits the query to the messages that a filter means.
func (q Query) Only(f memory.Filter) Query {
	q.Roles, q.Since, q.Until, q.Tags, q.MinImportance = f.Roles, f.Since, f.Until, f.Tags, f.MinImportance
	return q
}

// passes reports whether the query's limits let a message through, other than its similarity.
func (q *Query) passes(m *memory.Message) bool {
	f := memory.Filter{Roles: q.Roles, Since: q.Since, Until: q.Until, Tags: q.Tags, MinImportance: q.MinImportance}
	return f.Passes(m) && hasMetadata(m, q.Metadata)
}

// position is where a message stands in a scope.
type position struct {
	session string
	seq     int64
}

const (
	defaultK = 5
	maxK     = 1000
	maxPage  = 1000 // neighbours are read in the message's own page
)

// Search finds the messages that have to do with a text, the best first: by words and by
// meaning, and where the query asks for it as a reranker judges them. Scores order the results of one search; those of two are not comparable. Every
// message is read from the store, so what was deleted or cleared is not found.
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

// find looks into the index, and asks for vectors that are kept elsewhere.
func (t *Tier) find(ctx context.Context, sc *scope, q *Query, a *indexQuery) ([]located, error) {
	if t.external == nil || a.vec == nil {
		return sc.find(q, a), nil
	}
	return t.searchExternal(ctx, sc, q, a)
}

// Place is where a message stands.
type Place struct {
	SessionID string  `json:"session_id"`
	Seq       int64   `json:"seq"`
	Score     float64 `json:"score"`
}

// Places is Search in the index as it is in memory: no store is asked, so what is new may
// be missing and what was deleted a moment ago be among them. Limits that need the messages
// themselves (Metadata, MaxTokens, Neighbours) are passed over.
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

// Similar finds the messages nearest in meaning to a text: Score is the cosine.
// ErrNoMeaning: there is nothing to compare with.
func (t *Tier) Similar(ctx context.Context, q Query) ([]memory.Recalled, error) {
	q.meaningOnly = true
	return t.Search(ctx, q)
}

// RelevantContext is Search for as much as fits into maxTokens.
func (t *Tier) RelevantContext(ctx context.Context, q Query, maxTokens int) ([]memory.Recalled, error) {
	const overFetch = 20
	if maxTokens <= 0 {
		return nil, nil
	}
	q.MaxTokens = maxTokens
	q.K = max(q.K, overFetch)
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

// candidates is how many docs are taken from the index: some may be left out when they
// are read.
func (q *Query) candidates() int {
	k := max(q.K+q.K/2+4, q.rerankCount()) + len(q.exclude)
	if len(q.Metadata) > 0 {
		k = max(k, 50*q.K)
	}
	return k
}

// meaning embeds the question for the model that serves the scope. Where words are enough,
// an embedder that fails is passed over.
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
	if local, ok := e.(localEmbedder); ok && t.external == nil {
		a.vec = make([]float32, e.Dimension())
		local.EmbedInto(a.vec, q.Text)
	} else {
		var vectors [][]float32
		texts, err := t.hide(ctx, q.Key, []string{q.Text})
		if err == nil {
			vectors, err = e.Embed(ctx, texts)
		}
		switch {
		case err == nil && (len(vectors) != 1 || len(vectors[0]) != e.Dimension()):
			err = ErrEmbedder
		case err == nil:
			a.vec = vectors[0]
			unit(a.vec)
		}
		if err != nil && q.meaningOnly {
			return fmt.Errorf("embed the question: %w", err)
		}
	}
	if a.model = model; a.vec != nil {
		a.calibration = t.calibrations[model].get(ctx, e)
	}
	if !slices.ContainsFunc(a.vec, func(v float32) bool { return v != 0 }) {
		if a.vec = nil; q.meaningOnly {
			return ErrNoMeaning
		}
	}
	return nil
}

// bestModel is the model with the most rows, the earlier of two; -1: none has any.
func (x *index) bestModel(local bool) int {
	best, most := -1, 0
	for i := range x.meaning {
		if have := x.vectorCount(i); have > most && (!local || x.local[i] != nil) {
			best, most = i, have
		}
	}
	return best
}

// located is a hit outside its index.
type located struct {
	position
	check        uint64
	epoch, floor int64 // of its session
	hit
}

// find ranks and applies what the index knows of the query's limits.
func (sc *scope) find(q *Query, a *indexQuery) []located {
	sc.mu.RLock()
	defer sc.mu.RUnlock()
	if sn, ok := sc.x.ids[q.currentSession]; ok && sc.x.sessions[sn].epoch >= q.epoch {
		q.from = 0 // the index has seen the session's beginning
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

// least is the similarity that a session's messages must have; nil: none.
func (q *Query) least(session string) *float64 {
	if q.crossSessionSimilarity != nil && session != q.currentSession {
		return q.crossSessionSimilarity
	}
	return q.MinSimilarity
}

// filter translates the query's limits; false: nothing passes them.
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
