package classifier

import (
	"context"
	"time"

	"github.com/slotway/slotway/classifier/message"
)

// Classifier turns one utterance into what it may mean. It is safe for concurrent use.
type Classifier interface {
	Classify(ctx context.Context, in Input) (message.Result, error)
}

// Input is an utterance and what the conversation is about when it arrives.
type Input struct {
	Text       string
	Tokens     []message.Token // of Text, which is in its normal form then; nil: it is cut where it is read
	Now        time.Time       // the turn's clock, in the agent's time zone; dates resolve against it
	Params     map[string]any  // what is known already
	Asked      *Asked          // the open question, or nil
	Confirming bool            // a yes or no is awaited
	Active     string          // intent under way, or ""
	Ended      []string        // intents that have just ended: what may only follow them can be meant
	Filled     []string        // params of the task under way that are known: what may correct them is read as an answer is
	Said       string          // the agent's last reply: the open question, or how the last task ended
	Finished   string          // the task that was finished in the turn before, or ""
	Offered    string          // the task that the open question offers, [Person] for a person, or ""

	// Held are the values that the params have and had in the conversation, by param: what a
	// server must not see of those that are redacted. It may take a while; nil: Params are all
	// that is known.
	Held func(ctx context.Context) (map[string]any, error)
}

// Awaits reports whether a question waits for its answer.
func (in *Input) Awaits() bool { return in.Confirming || in.Asked != nil }

// Person is what [Input.Offered] has where the open question offers a colleague.
const Person = "human"

// Cut returns the tokens of the text.
func (in *Input) Cut() []message.Token {
	if in.Tokens == nil {
		in.Tokens = message.Tokenize(in.Text, nil)
	}
	return in.Tokens
}

// Asked is the param that is being asked for.
type Asked struct {
	Param   string
	Options []Option // the choices that were offered, in their order; nil: open question
}

// Option is one offered choice.
type Option struct {
	Value any    // JSON-normal
	Label string // as it was shown
}
