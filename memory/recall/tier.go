package recall

import (
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/scopes"
)

// Name is the tier's, and that of its views; Kind is that of its jobs.
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
	// Dimension is 0 until a server that has not answered yet says how long its vectors are.
	Dimension() int
}

// Options of the tier; the zero value is right.
type Options struct {
	// Embedders, the wanted one first. Where that has not seen all messages of a scope yet,
	// the one that has seen the most serves. None: search is by words alone.
	Embedders []Embedder

	// Redact makes what takes the values out of texts that an embedder of another process must
	// not see; the texts are of these sessions, or, where a key has no session, of a question
	// of that user's. When it fails nothing is sent. nil: nothing is taken out.
	Redact func(ctx context.Context, keys ...memory.Key) (func(text string) string, error)

	// Vectors keeps the vectors elsewhere; nil: in memory, and in the store's views. Words
	// stay in memory. A message is then found by its meaning once the job has been at it,
	// whatever the embedder, and texts go through Hide before any embedder sees them.
	Vectors Vectors
	// VectorTimeout is how long a search within a turn waits for Vectors; default 250 ms.
	// Outside a turn it is ten times that. Where it fails a search is by words alone.
	VectorTimeout time.Duration
	OnCall        func(VectorCall) // hears of every call to Vectors; nil: nobody does

	OnCorrupt func(memory.Key, error) // hears of a session that cannot be read and is left out; nil: nobody does

	MaxScopes int   // users and agents whose index is kept in memory; default 1000
	MaxBytes  int64 // that all indexes may take; default 256 MiB. One scope is always kept

	Reranker   Reranker      // judges what a turn recalls, and a query that asks for it; nil: nobody does
	RerankTime time.Duration // that it has; default 2s

	// For Contribute:
	SearchOnly             bool          // turns recall nothing; searches by hand find as ever
	K                      int           // messages to recall; default 5
	Neighbours             int           // messages before and after each; default 1, negative none
	MinSimilarity          *float64      // see Query; nil: no limit
	CrossSessionSimilarity *float64      // the same for messages of other sessions; nil: MinSimilarity
	CrossSession           CrossSession  // when the user's other sessions with the agent are looked into
	Roles                  []memory.Role // of the messages that turns recall, and of those beside them; none: both sides'
	Tags                   []string      // that those have, all of them
	MinImportance          int           // of those
	MaxAge                 time.Duration // of those; 0: however old
	Share                  float64       // of the request's budget that may be used; default .25

	Now func() time.Time // default time.Now
}

func (o Options) withDefaults() Options {
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
	if o.Share <= 0 {
		o.Share = .25
	}
	if o.VectorTimeout <= 0 {
		o.VectorTimeout = 250 * time.Millisecond
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Store is what the tier needs of a backend.
type Store interface {
	memory.Reader
	memory.Views
}

// Tier recalls messages. It is safe for concurrent use.
type Tier struct {
	store Store
	opts  Options

	scopes       *scopes.LRU[*scope]
	external     *external          // nil: vectors are kept in memory
	calibrations []*lazyCalibration // by embedder

	reranking *Reranking
}

var (
	_ memory.Tier   = (*Tier)(nil)
	_ memory.Worker = (*Tier)(nil)
)

// New returns the tier. Indexes are built when they are first asked for.
func New(store Store, opts *Options) *Tier {
	var o Options
	if opts != nil {
		o = *opts
	}
	o = o.withDefaults()
	limits := scopes.Limits{Scopes: o.MaxScopes, Bytes: o.MaxBytes}
	t := &Tier{store: store, opts: o, scopes: scopes.New(limits, func(key scopes.Key) *scope {
		x := newIndex(o.Embedders)
		if o.Vectors != nil {
			x.external = &externalIndex{key: key, scope: ScopeID(key.User, key.Agent)}
		}
		return &scope{key: key, x: x}
	})}
	t.reranking = &Reranking{Reranker: o.Reranker, Time: o.RerankTime, Redact: o.Redact}
	for range o.Embedders {
		t.calibrations = append(t.calibrations, &lazyCalibration{})
	}
	if o.Vectors != nil {
		t.external = &external{vectors: o.Vectors, opts: &t.opts}
	}
	return t
}

// Name implements memory.Tier.
func (*Tier) Name() string { return Name }

// Contribute implements memory.Tier: it adds older messages that have to do with what was
// just said. It looks into the session itself, before what c.Recent holds, and into the
// user's other sessions where Options.Beyond says so.
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
		q.MaxTokens = max(int(float64(req.Budget)*t.opts.Share), 1)
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
	said := map[string]bool{} // what is said again and again is told once, as it was said best
	for i := range found {
		if text := plain(found[i].Message.Text); !said[text] {
			said[text] = true
			c.Recalled = append(c.Recalled, found[i])
		}
	}
	return nil
}

// plain is a text in lower case with single blanks around every word.
func plain(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !wordRune(r) })
	return " " + strings.Join(words, " ") + " "
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' }
