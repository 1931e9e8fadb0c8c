package summary

import (
	"math"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/modelcall"
	"github.com/slotway/slotway/memory/window"
)

// Strategy says what the tier adds to a context.
type Strategy string

// The strategies.
const (
	Simple        Strategy = "simple"        // nothing: only the window
	Summarization Strategy = "summarization" // facts and narrative
	Hybrid        Strategy = "hybrid"        // and important messages word for word
)

// Kind is the kind of the tier's jobs.
const Kind = "summarize"

// Name is the name of the tier and of its views.
const Name = "summary"

// Store is the part of a backend that the tier uses.
type Store interface {
	memory.SessionStore
	memory.Views
}

// Options of the tier. The zero value of a field is its default.
type Options struct {
	Strategy           Strategy // default summarization; with Simple there is no tier
	Trigger            int      // summarise sessions with more spoken messages than this; default 20
	ThresholdTokens    int      // or with more tokens than this, which also starts compression; default 10000
	Recent             int      // newest spoken messages that are never covered; default 10
	BlockSize          int      // messages of a block, and about how far the background may be behind; default 10
	MaxNarrativeTokens int      // default 500

	Compress bool // covered messages leave the window once the active ones take more than ThresholdTokens
	Keep     int  // newest spoken messages that compression leaves active, exactly; default Recent

	FollowUpJobs []string // kinds of the jobs to enqueue after a compression; default none

	// CompressionOnly summarises nothing until compression starts, whatever Trigger is. Until then
	// the tier adds nothing.
	CompressionOnly bool

	// KeepsRested tells of the messages before a pause that ended the window, too. Where messages
	// leave the window by their age, nothing may tell of them.
	KeepsRested bool

	Model      modelcall.Model      // asked once per block, in the background; default none
	Pseudonyms modelcall.Pseudonyms // hides what Model must not see; if it fails, Model is not asked

	Sensitive func(param string) bool // params whose facts are marked as sensitive; default none
	Count     func(string) int        // tokens of a text; default window.Estimate
	Now       func() time.Time        // to see whether a job has time for a call; default time.Now
}

func (o Options) withDefaults() Options {
	if o.Strategy == "" {
		o.Strategy = Summarization
	}
	o.Trigger, o.ThresholdTokens, o.Recent = or(o.Trigger, 20), or(o.ThresholdTokens, 10_000), or(o.Recent, 10)
	o.BlockSize, o.MaxNarrativeTokens, o.Keep = min(or(o.BlockSize, 10), 200), or(o.MaxNarrativeTokens, 500), or(o.Keep, o.Recent)
	if o.Sensitive == nil {
		o.Sensitive = func(string) bool { return false }
	}
	if o.Count == nil {
		o.Count = window.Estimate
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// or returns n, or what stands for it where it is none.
func or(n, fallback int) int {
	if n <= 0 {
		return fallback
	}
	return n
}

// Tier is the summary tier.
type Tier struct {
	store Store
	opts  Options
}

var _ memory.Worker = (*Tier)(nil)

// New returns the tier over a store.
func New(store Store, opts *Options) *Tier {
	var o Options
	if opts != nil {
		o = *opts
	}
	return &Tier{store, o.withDefaults()}
}

// Name implements memory.Tier.
func (*Tier) Name() string { return Name }

// Kind implements memory.Worker.
func (*Tier) Kind() string { return Kind }

// Wants implements memory.Worker. A session that is long enough wants a job every half block, or
// after a turn that nearly fills a block, or that a pause came before.
func (t *Tier) Wants(p memory.Progress) bool {
	tokens := 0
	for i := range p.Messages {
		tokens += window.Tokens(&p.Messages[i])
	}
	rested := t.opts.KeepsRested && p.Floor > 1 && p.Floor >= p.Before
	if rested || tokens >= t.blockTokens()/4 {
		return true
	}
	if t.opts.CompressionOnly {
		return grown(p.NextSeq-p.Floor) > grown(p.Before-p.Floor)
	}
	count, before := p.NextSeq-p.Floor, max(p.Before-p.Floor, 0)
	trigger, step := int64(t.opts.Trigger), int64(max(t.opts.BlockSize/2, 1))
	if count <= trigger {
		return false
	}
	return before <= trigger || before/step != count/step
}

// grown counts how often a session has grown by a quarter since it may be over the token threshold.
// Counting tokens reads all messages, so it is not done every turn.
func grown(messages int64) int {
	const few = 20
	if messages < few {
		return 0
	}
	return 1 + int(math.Log(float64(messages)/few)/math.Log(1.25))
}

// blockTokens returns the number of tokens that fill a block, however few its messages.
func (t *Tier) blockTokens() int { return max(t.opts.ThresholdTokens/2, 1) }

// blockSize returns the number of messages that fill a block. The first block is full as soon as
// the trigger is passed.
func (t *Tier) blockSize(number int) int {
	if number == 1 {
		return min(max(t.opts.Trigger-t.opts.Recent, 2), t.opts.BlockSize)
	}
	return t.opts.BlockSize
}
