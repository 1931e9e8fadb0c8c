package memory

import (
	"context"
	"fmt"
	"time"
)

// Tier is a view over a user's messages that adds to what one turn may know of the past.
// It is safe for concurrent use. A tier that fails is left out of the turn.
type Tier interface {
	// Name is the tier's name in settings, telemetry and stored views.
	Name() string
	// Contribute adds what the tier knows about the request to c. What a model makes is made
	// in the background, after a commit; only what puts this very question beside texts, a
	// reranker or an embedder, may be asked, within a bound of its own: a context is assembled
	// where the plan asks a model anyway.
	Contribute(ctx context.Context, req Request, c *Context) error
}

// Worker does background work that turns ask for. Many tiers are one.
type Worker interface {
	// Kind is the kind of its jobs.
	Kind() string
	// Wants says whether the turn that is about to be committed makes work. It only
	// looks at counters: the work itself finds out what there is to do.
	Wants(p Progress) bool
	// Work does what there is to do for a session up to job.Target. It runs at least
	// once for every turn that wanted it, perhaps twice at the same time, so what it
	// writes replaces older views only. An error that has a method Code() string names
	// the failure, and one with RetryAfter() time.Duration says how long to wait at least.
	Work(ctx context.Context, job Job) error
}

// Request says for whom and for which message a context is assembled.
type Request struct {
	Key     Key
	Text    string    // what was just said; "" where nothing was
	Now     time.Time // the turn's clock
	Epoch   int64     // of the session
	Floor   int64     // the first active message
	NextSeq int64     // the number of the next message
	Recent  []Message // the newest active messages that are loaded, oldest first
	Budget  int       // tokens that the whole context may take; 0: no limit
	Prompt  string    // the agent's system prompt, which stands first
}

// Progress is how far a session has come once the turn is committed.
type Progress struct {
	Key      Key
	Before   int64 // NextSeq before the turn
	NextSeq  int64
	Floor    int64
	Messages []Message // those of the turn
	Handoff  bool      // a person is to take over, has the session, or has given it back
}

// Context is the part of the past that a model, or a person in the studio, sees, in the order in
// which it is given: system, facts, narrative, recalled, recent.
type Context struct {
	System    []Message  `json:"system,omitempty"` // pinned instructions; never cut
	Facts     []Fact     `json:"facts,omitempty"`
	Narrative string     `json:"narrative,omitempty"`
	Recalled  []Recalled `json:"recalled,omitempty"`
	Kept      []Message  `json:"kept,omitempty"`   // important messages from before Recent, verbatim
	Recent    []Message  `json:"recent,omitempty"` // the window

	SummarizedUpTo int64    `json:"summarized_up_to,omitempty"` // Facts and Narrative stand for the messages up to here
	Failed         []string `json:"failed,omitempty"`           // tiers that were left out
}

// Category says what a fact is about.
type Category string

// The categories.
const (
	Entity    Category = "ENTITY"
	Decision  Category = "DECISION"
	Condition Category = "CONDITION"
	Status    Category = "STATE"
	Numeric   Category = "NUMERIC"
	General   Category = "GENERAL"
)

// Categories are all of them.
var Categories = []Category{Entity, Decision, Condition, Status, Numeric, General}

// Origin says where a fact comes from. The earlier in Origins, the more it is trusted.
type Origin string

// The origins.
const (
	FromSlot Origin = "slot" // a param that was filled and validated
	FromUser Origin = "user" // said by the person
	FromTool Origin = "tool" // in a tool's result
	FromRule Origin = "rule" // found in a text by a rule
	FromLLM  Origin = "llm"  // found in a text by a model, and checked against it
)

// Origins are all of them, the most trusted first.
var Origins = []Origin{FromSlot, FromUser, FromTool, FromRule, FromLLM}

// Fact is one thing that is known, and since when.
type Fact struct {
	Key       string    `json:"key"`
	Value     string    `json:"value"`
	Category  Category  `json:"category"`
	Origin    Origin    `json:"origin"`
	Source    int64     `json:"source"`              // the message that says so
	Sensitive bool      `json:"sensitive,omitempty"` // of a redacted param
	ValidFrom time.Time `json:"valid_from"`
	ValidTo   time.Time `json:"valid_to,omitzero"` // zero: still valid
}

// Recalled is an older message that has to do with what was just said.
type Recalled struct {
	Key     Key       `json:"key"` // of the session it is from
	Message Message   `json:"message"`
	Before  []Message `json:"before,omitempty"` // neighbours in its session
	After   []Message `json:"after,omitempty"`
	Score   float64   `json:"score"`
	Why     []Reason  `json:"why,omitempty"`

	Similarity float64 `json:"similarity,omitempty"` // to what was asked, in [0,1); 0 where nothing compared them
}

// Reason is one part of a score.
type Reason struct {
	Part  string  `json:"part"` // such as "words", "meaning", "neighbours"
	Score float64 `json:"score"`
}

// TierOf finds a tier of a type among those that the settings name.
func TierOf[T Tier](tiers []Tier) (T, error) {
	for _, t := range tiers {
		if found, ok := t.(T); ok {
			return found, nil
		}
	}
	var none T
	return none, fmt.Errorf("tier %s is not enabled; 'slotway config show' lists the settings under memory", none.Name())
}
