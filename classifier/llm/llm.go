package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/breaker"
)

// Model is a model server.
type Model interface {
	// Complete returns the model's answer to a request. It ends when ctx does. An error that
	// is context.DeadlineExceeded is a time-out, ErrUnreadable an answer that is none; any
	// other says that there was no answer. Errors are not shown to anybody.
	Complete(ctx context.Context, req Request) (string, error)
}

// Request is one question to a model.
type Request struct {
	System string          // what to do, and with which intents and params
	User   string          // the situation and the message
	Name   string          // of the schema
	Schema json.RawMessage // that the answer should follow; what it does not follow is refused
}

// ErrUnreadable is the error of a Model when its server sent something other than an answer.
var ErrUnreadable = errors.New("no readable answer")

// ErrNoNames is returned by New for an agent that redacts when nothing can hide its values.
var ErrNoNames = errors.New("an agent with redaction needs Options.Names")

// Names stands in names for values in what is sent, and puts the values back. It belongs
// to one question.
type Names interface {
	Hide(text string) string
	Restore(text string) string
}

// Options tunes a Classifier; the zero value is right for an agent without redaction.
type Options struct {
	// Names begins a question in which these values are known, each param with a list of
	// them. It decides which params are hidden.
	Names    func(known map[string]any) Names
	Extract  *extract.Options // as the embedded classifier has it
	Timeout  time.Duration    // of one question; default 5s
	Intents  int              // tasks and answers that a question lists; default 20
	Failures int              // in a row, after which the model is left alone; default 3
	Pause    time.Duration    // for which it is; default 30s
}

const (
	defaultTimeout  = 5 * time.Second
	defaultIntents  = 20
	defaultFailures = 3
	defaultPause    = 30 * time.Second
)

// minConfidence is the least confidence of an answer that holds. It is below the planner's limit
// for a sure intent (0.8), so an answer to the open question outweighs the model's intent for the
// same message. A higher threshold is met exactly.
const minConfidence = 0.75

// Classifier asks the model about the messages of one agent. It may be used by any number
// of goroutines.
type Classifier struct {
	agent   *config.Agent
	model   Model
	opts    Options
	extract *extract.Extractor
	breaker breaker.Breaker
	bare    []*config.Param // whose values may be bare words
	listing *listing        // of all intents; nil: there are too many for one question
}

// New returns a Classifier; nothing is asked yet. The agent is not changed.
func New(agent *config.Agent, model Model, opts *Options) (*Classifier, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.Names == nil {
		if len(agent.Redaction.Params)+len(agent.Redaction.Patterns) > 0 {
			return nil, ErrNoNames
		}
		o.Names = func(map[string]any) Names { return plain{} }
	}
	o.Timeout, o.Intents = cmp.Or(o.Timeout, defaultTimeout), cmp.Or(o.Intents, defaultIntents)
	c := &Classifier{
		agent: agent, model: model, opts: o, extract: extract.New(agent, o.Extract),
		breaker: breaker.Breaker{Failures: cmp.Or(o.Failures, defaultFailures), Pause: cmp.Or(o.Pause, defaultPause)},
	}
	for _, p := range params(agent.Intents) {
		if p.Type != nil && p.Type.Bare != nil {
			c.bare = append(c.bare, p)
		}
	}
	if !c.TooMany() {
		c.listing = c.list(c.choose(Question{}))
	}
	return c, nil
}

// plain is a Names that hides nothing.
type plain struct{}

func (plain) Hide(text string) string    { return text }
func (plain) Restore(text string) string { return text }

// Question is a message with its result from the embedded classifier.
type Question struct {
	Input    classifier.Input
	Embedded message.Result
	Likely   []string // intents, the likeliest first; used only where TooMany
}

// TooMany reports whether the agent has more intents than one question lists. A question then lists
// those under way, those on offer and the likeliest.
func (c *Classifier) TooMany() bool { return len(c.agent.Intents) > c.opts.Intents }

// Ask returns the model's reading of a message, put over the embedded result; or the embedded
// result with a reason in Fallback. It fails only when ctx has ended.
func (c *Classifier) Ask(ctx context.Context, q Question) (message.Result, error) {
	known, err := c.known(ctx, q)
	if err != nil {
		return fallen(q, message.FallbackUnavailable), ctx.Err()
	}
	names := c.opts.Names(known)
	hidden := names.Hide(q.Input.Text)
	if !legible(hidden) {
		return q.Embedded, nil
	}
	permit, ok := c.breaker.Acquire()
	if !ok {
		return fallen(q, message.FallbackPaused), nil
	}
	list := c.listing
	if list == nil {
		list = c.list(c.choose(q))
	}
	text, why := c.complete(ctx, Request{
		System: list.system, Name: schemaName, Schema: list.schema, User: situation(q.Input, hidden, names),
	})
	var said answer
	if why == "" {
		var ok bool
		if said, ok = parse(text); !ok {
			why = message.FallbackInvalid
		}
	}
	permit.Done(judge(ctx, why))
	if err := ctx.Err(); err != nil {
		return message.Result{}, err
	}
	if why != "" {
		return fallen(q, why), nil
	}
	r := &reading{c: c, q: q, list: list, names: names}
	return r.read(said), nil
}

// complete calls the model with the deadline of a question.
func (c *Classifier) complete(ctx context.Context, req Request) (string, message.Fallback) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	text, err := c.model.Complete(ctx, req)
	switch {
	case err == nil:
		return text, ""
	case errors.Is(err, context.DeadlineExceeded):
		return "", message.FallbackTimeout
	case errors.Is(err, ErrUnreadable):
		return "", message.FallbackInvalid
	}
	return "", message.FallbackUnavailable
}

// judge updates the breaker with the outcome of a call. A server with unreadable answers counts as
// down.
func judge(ctx context.Context, why message.Fallback) breaker.Outcome {
	switch {
	case why == "":
		return breaker.Healthy
	case ctx.Err() != nil:
		return breaker.Unknown
	}
	return breaker.Unhealthy
}

// fallen returns the embedded result with the reason for which it stands.
func fallen(q Question, why message.Fallback) message.Result {
	r := q.Embedded
	r.Fallback = why
	return r
}

// known collects the values of redacted params that must not be sent in the clear: those of the
// session now and before, the offered ones, and those found in the message, as values and as typed.
// A text that may be a value counts as one: a word that could answer a question, and the whole
// reply to a question that takes any text.
func (c *Classifier) known(ctx context.Context, q Question) (map[string]any, error) {
	all := map[string]any{}
	add := func(param string, values ...any) {
		list, _ := all[param].([]any)
		all[param] = append(list, values...)
	}
	for param, v := range q.Input.Params {
		add(param, v)
	}
	if q.Input.Held != nil {
		held, err := q.Input.Held(ctx)
		if err != nil {
			return nil, err
		}
		for param, v := range held {
			add(param, v)
		}
	}
	for _, v := range q.Embedded.Params {
		add(v.Param, v.Value, v.Text)
	}
	if a := q.Input.Asked; a != nil {
		for _, o := range a.Options {
			add(a.Param, o.Value)
		}
		if c.extract.Open(a.Param) {
			add(a.Param, q.Input.Text)
		}
	}
	for word := range strings.FieldsSeq(q.Input.Text) {
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		for _, p := range c.bare {
			if p.Type.Bare.MatchString(word) {
				add(p.Name, word)
			}
		}
	}
	return all, nil
}

// name matches the names that stand for values.
var name = regexp.MustCompile(`<\w+:\d+>`)

// legible reports whether anything is left to read in a message whose values are hidden.
func legible(message string) bool {
	return strings.ContainsFunc(name.ReplaceAllString(message, ""), unicode.IsLetter)
}
