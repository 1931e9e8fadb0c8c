package archive

import (
	"context"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/modelcall"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/scopes"
	"github.com/slotway/slotway/memory/window"
)

// Name is the name of the tier and of its views, Kind the kind of its jobs.
const (
	Name = "archive"
	Kind = "archive"
)

// Embedder is an embedded model: it turns texts into vectors without asking a server.
type Embedder interface {
	// EmbedInto writes the vector of a text, of unit length or all zeros.
	EmbedInto(dst []float32, text string)
	Dimension() int
}

// Options of the tier. The zero value is ready to use.
type Options struct {
	// For the job:
	Disabled        bool          // archives no conversations; archived ones are still found
	ThresholdTokens int           // archive sessions whose messages take more tokens than this, range by range; default 10000
	ThresholdCount  int           // or that have more messages than this; default 60
	Keep            int           // newest messages of a live session that stay unarchived; default 10, negative none
	RangeMessages   int           // most messages of a document, extended to the end of the turn; default 40
	ChunkSize       int           // tokens of a chunk of an added document; default 800
	ChunkOverlap    int           // tokens that a chunk shares with the one before; default 100, negative none
	MaxScopes       int           // most users and agents whose index is in memory; default 1000
	Embedder        Embedder      // nil: search by words alone
	Reranker        Reranker      // nil: none
	RerankTime      time.Duration // its time limit; default 2s

	// Preferred is a slower embedder, such as a model server. Jobs make its vectors; until they
	// have, and if it fails, Embedder and words are used. nil: none.
	Preferred recall.Embedder
	// External also gets the documents with the vectors of Preferred, for others to read; nil: none.
	External recall.VectorStore
	OnCall   func(recall.VectorCall) // is called after every call to External; may be nil

	OnCorrupt func(memory.Key, error) // is called with a session that cannot be read and is left out; may be nil

	Redact recall.Redactor // applied to what Reranker and Preferred see

	// Model digests a range, once, in the job. If it fails or is nil, rules do.
	Model modelcall.Model
	// Pseudonyms hides what Model, External and other agents must not see. If it fails, they get
	// nothing.
	Pseudonyms modelcall.Pseudonyms

	// Shared lets the user's other agents over the same store find what this one archives from now
	// on and the documents added to it, and lets this one find what they share.
	Shared bool

	// For turns, and for searches whose query does not say:
	CrossSession recall.CrossSession // when a turn searches the user's other sessions and the documents
	Threshold    *float64            // least similarity; nil: 0.7

	Now func() time.Time // default time.Now
}

const (
	defaultThreshold = 0.7
	mostResults      = 3                // of a search that does not say
	share            = .1               // of a request's token budget
	rangeTokens      = 4000             // of a document, at most, extended to the end of its turn
	idleAfter        = 30 * time.Minute // another session of the user is archived after this time without a message
	maxIndexBytes    = 64 << 20         // of all indexes; those in use are kept
)

func (o Options) withDefaults() Options {
	if o.OnCorrupt == nil {
		o.OnCorrupt = func(memory.Key, error) {}
	}
	for _, n := range []struct {
		value    *int
		fallback int
	}{
		{&o.ThresholdTokens, 10000},
		{&o.ThresholdCount, 60},
		{&o.Keep, 10},
		{&o.RangeMessages, 40},
		{&o.ChunkSize, 800},
		{&o.ChunkOverlap, 100},
		{&o.MaxScopes, 1000},
	} {
		if *n.value == 0 {
			*n.value = n.fallback
		}
		*n.value = max(*n.value, 0)
	}
	if o.RerankTime <= 0 {
		o.RerankTime = 2 * time.Second
	}
	if o.Threshold == nil {
		least := defaultThreshold
		o.Threshold = &least
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Store is the part of a backend that the tier uses. Added documents are sessions.
type Store interface {
	memory.Store
	memory.Reader
	memory.Admin
	memory.Views
}

// Tier archives conversations and finds them. It is safe for concurrent use.
type Tier struct {
	store Store
	opts  Options

	scopes    *scopes.LRU[*scope]
	reranking *recall.Reranking
	remote    *recall.RemoteEmbedder // nil: there is no Preferred
	local     bool                   // Preferred is embedded: the vectors of Embedder are the same
	guard     *recall.CallGuard
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
	limits := scopes.Limits{Scopes: o.MaxScopes, Bytes: maxIndexBytes, Minimum: 2} // the user's and the documents
	ranking := &recall.Reranking{Reranker: o.Reranker, Time: o.RerankTime, Redact: o.Redact}
	t := &Tier{store: store, opts: o, reranking: ranking, scopes: scopes.New(limits, func(key scopes.Key) *scope {
		return &scope{key: key, terms: map[string]uint32{}, sessions: map[string]*session{}}
	})}
	if o.Preferred != nil {
		_, t.local = o.Preferred.(interface {
			EmbedInto(dst []float32, text string)
		})
		t.guard = &recall.CallGuard{Now: o.Now, OnCall: o.OnCall}
		t.remote = &recall.RemoteEmbedder{Embedder: o.Preferred, Redact: o.Redact}
	}
	return t
}

// Name implements memory.Tier.
func (*Tier) Name() string { return Name }

// Contribute implements memory.Tier. Where Options.CrossSession allows it, it adds what the user's
// other sessions and the agent's documents say about the text, as recalled data: also of a range of
// which a message was recalled, as what was settled may stand beside it.
func (t *Tier) Contribute(ctx context.Context, req memory.Request, c *memory.Context) error {
	beyond, triggered := t.opts.CrossSession.Applies(req.Text)
	if !beyond || strings.TrimSpace(req.Text) == "" {
		return nil
	}
	q := Query{Key: req.Key, Text: req.Text, Type: All, Limit: mostResults, Exclude: req.Key.SessionID, turn: true}
	if triggered {
		q.Limit *= 2
	}
	found, err := t.Search(ctx, q)
	if err != nil {
		return err
	}
	left := int(float64(req.Budget) * share)
	for i := range found {
		r := found[i].recalled()
		if n := window.Tokens(&r.Message); req.Budget > 0 {
			if n > left {
				continue
			}
			left -= n
		}
		c.Recalled = append(c.Recalled, r)
	}
	return nil
}

// recalled returns a result as a message. Its role is a tool's, since nobody said it.
func (r *Result) recalled() memory.Recalled {
	return memory.Recalled{
		Key: r.Key, Score: r.Score, Similarity: r.Similarity, Why: []memory.Reason{{Part: "similarity", Score: r.Similarity}},
		Message: memory.Message{
			Seq: r.To, Role: memory.Tool, Name: Name, Text: r.Excerpt, Timestamp: r.Ended,
			Metadata: map[string]string{"type": string(r.Type), "title": r.Title},
		},
	}
}
