package recall

import (
	"context"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/scopes"
)

// Name is the name of the tier and of its views, Kind the kind of its jobs.
const (
	Name = "recall"
	Kind = "embed"
)

// Embedder turns texts into vectors. One that also has
//
//	EmbedInto(dst []float32, text string)
//
// costs next to nothing and asks nobody: it is used within a turn, for words as well, and
// its vectors are made again rather than stored.
type Embedder interface {
	// Embed returns one vector of Dimension numbers for each text, in their order.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Model names the model and its version: vectors of two models never mix.
	Model() string
	// Dimension is 0 until a server has answered for the first time.
	Dimension() int
}

// share is how much of a request's token budget recalled messages may take.
const share = .25

// Options of the tier. The zero value is ready to use.
type Options struct {
	// Embedders lists the preferred one first. Until it has seen all messages of a scope, the one
	// that has seen the most is used. None: search by words alone.
	Embedders []Embedder

	Redact Redactor // applied to what embedders of another process see

	// Vectors keeps the vectors in a vector store; nil: in memory and in the store's views. Words
	// stay in memory. A message is then found by its meaning once the job has embedded it, whatever
	// the embedder, and texts are redacted for every embedder.
	Vectors VectorStore
	// VectorTimeout is the time limit of Vectors for a search within a turn; default 250 ms.
	// Outside a turn it is ten times as long. If it fails, words alone decide.
	VectorTimeout time.Duration
	OnCall        func(VectorCall) // is called after every call to Vectors; may be nil

	OnCorrupt func(memory.Key, error) // is called with a session that cannot be read and is left out; may be nil

	MaxScopes int   // most users and agents whose index is in memory; default 1000
	MaxBytes  int64 // most bytes of all indexes; default 256 MiB. One index is always kept

	Reranker Reranker // orders what turns recall, and queries that ask for it; may be nil

	// For Contribute:
	SearchOnly             bool          // turns recall nothing; other searches still work
	K                      int           // messages to recall; default 5
	Neighbours             int           // messages before and after each; default 1, negative none
	MinSimilarity          *float64      // see Query; nil: no limit
	CrossSessionSimilarity *float64      // of messages of other sessions; nil: MinSimilarity
	CrossSession           CrossSession  // when to search the user's other sessions with the agent
	Roles                  []memory.Role // of recalled messages and their neighbours; none: user and agent
	Tags                   []string      // all of which recalled messages have
	MinImportance          int           // of recalled messages
	MaxAge                 time.Duration // of recalled messages; 0: any age

	Now func() time.Time // default time.Now
}

func (o Options) withDefaults() Options {
	if o.OnCorrupt == nil {
		o.OnCorrupt = func(memory.Key, error) {}
	}
	if o.MaxScopes <= 0 {
		o.MaxScopes = 1000
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 256 << 20
	}
	if o.K <= 0 {
		o.K = 5
	}
	if o.Neighbours == 0 {
		o.Neighbours = 1
	}
	o.Neighbours = max(o.Neighbours, 0)
	if o.VectorTimeout <= 0 {
		o.VectorTimeout = 250 * time.Millisecond
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Store is the part of a backend that the tier uses.
type Store interface {
	memory.Reader
	memory.Views
}

// Tier recalls messages. It is safe for concurrent use.
type Tier struct {
	store Store
	opts  Options

	scopes       *scopes.LRU[*scope]
	calibrations []*lazyCalibration // by embedder

	reranking *Reranking
	guard     *CallGuard
}

var (
	_ memory.Tier   = (*Tier)(nil)
	_ memory.Worker = (*Tier)(nil)
)

// New returns the tier. It builds an index when it is first needed.
func New(store Store, opts *Options) *Tier {
	var o Options
	if opts != nil {
		o = *opts
	}
	o = o.withDefaults()
	limits := scopes.Limits{Scopes: o.MaxScopes, Bytes: o.MaxBytes}
	t := &Tier{store: store, opts: o}
	t.scopes = scopes.New(limits, func(key scopes.Key) *scope { return &scope{key: key, x: t.newIndex(key)} })
	t.guard = &CallGuard{Now: o.Now, OnCall: o.OnCall}
	t.reranking = &Reranking{Reranker: o.Reranker, Redact: o.Redact}
	for range o.Embedders {
		t.calibrations = append(t.calibrations, &lazyCalibration{})
	}
	return t
}

// newIndex returns an empty index of a scope.
func (t *Tier) newIndex(key scopes.Key) *index {
	x := newIndex(t.opts.Embedders)
	if t.opts.Vectors != nil {
		x.external = &externalIndex{key: key, scope: ScopeID(key.User, key.Agent)}
	}
	return x
}

// Name implements memory.Tier.
func (*Tier) Name() string { return Name }

// Contribute implements memory.Tier. It adds older messages that relate to what was just said, from
// the session itself before c.Recent and, where Options.CrossSession allows it, from the user's
// other sessions.
func (t *Tier) Contribute(ctx context.Context, req memory.Request, c *memory.Context) error {
	if t.opts.SearchOnly || strings.TrimSpace(req.Text) == "" {
		return nil
	}
	beyond, triggered := t.opts.CrossSession.Applies(req.Text)
	q := Query{
		Key: req.Key, Text: req.Text, K: t.opts.K, Neighbours: t.opts.Neighbours, MinSimilarity: t.opts.MinSimilarity, crossSessionSimilarity: t.opts.CrossSessionSimilarity,
		epoch: req.Epoch, from: req.Floor, before: req.NextSeq, currentSession: req.Key.SessionID, inTurn: true, Rerank: true,
		Roles: t.opts.Roles, Tags: t.opts.Tags, MinImportance: t.opts.MinImportance,
	}
	if t.opts.MaxAge > 0 {
		q.Since = req.Now.Add(-t.opts.MaxAge)
	}
	if triggered {
		q.K *= 2
	}
	if beyond {
		q.Key.SessionID = ""
	} else if req.NextSeq <= 1 {
		return nil
	}
	if req.Budget > 0 {
		q.MaxTokens = max(int(float64(req.Budget)*share), 1)
	}
	if len(c.Recent) > 0 {
		q.before = c.Recent[0].Seq
	}
	for i := range c.Kept {
		q.exclude = append(q.exclude, position{req.Key.SessionID, c.Kept[i].Seq})
	}
	found, err := t.Search(ctx, q)
	if err != nil {
		return err
	}
	said := map[string]bool{} // a text that was said repeatedly is recalled once, at its best score
	for i := range found {
		if text := plain(found[i].Message.Text); !said[text] {
			said[text] = true
			c.Recalled = append(c.Recalled, found[i])
		}
	}
	return nil
}

// plain returns the words of a text, each between single spaces.
func plain(text string) string { return " " + strings.Join(message.WordsOf(text), " ") + " " }
