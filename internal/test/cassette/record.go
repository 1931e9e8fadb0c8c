package cassette

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/tools"
)

// Recorder puts on a tape what goes through the parts of a router.
type Recorder struct {
	mu   sync.Mutex // guards tape
	tape Tape
}

// Deps returns p with a classifier and tools that record what they do.
func (r *Recorder) Deps(p router.Deps) router.Deps {
	p.Reader, _ = p.Classifier.(router.Reader)
	p.Classifier, p.Tools = &ear{r, p.Classifier}, &hand{r, p.Tools}
	if p.Reader != nil {
		p.Reader = &eye{r, p.Reader}
	}
	return p
}

// Tape returns the recording.
func (r *Recorder) Tape(name string) *Tape {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.tape
	t.Name = name
	return &t
}

type ear struct {
	*Recorder
	router.Classifier
}

func (e *ear) Classify(ctx context.Context, in classifier.Input) (message.Result, error) {
	res, err := e.Classifier.Classify(ctx, in)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tape.Messages = append(e.tape.Messages, Message{Text: in.Text, Result: res})
	if at, hear := len(e.tape.Messages)-1, res.Hear; hear != nil {
		res.Hear = func() []message.Command {
			commands := hear()
			e.mu.Lock()
			defer e.mu.Unlock()
			e.tape.Messages[at].Commands = append([]message.Command{}, commands...)
			return commands
		}
	}
	return res, err
}

type eye struct {
	*Recorder
	router.Reader
}

func (e *eye) Read(param, text string, now time.Time) (any, bool) {
	value, ok := e.Reader.Read(param, text, now)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.tape.Read == nil {
		e.tape.Read = map[string]Answer{}
	}
	e.tape.Read[readKey(param, text)] = Answer{value, ok}
	return value, ok
}

type hand struct {
	*Recorder
	router.Tools
}

func (h *hand) Call(ctx context.Context, call tools.Call) (tools.Result, error) {
	res, err := h.Tools.Call(ctx, call)
	c := Call{Tool: call.Tool, Args: call.Args, Value: res.Value, Attempts: res.Attempts}
	if err != nil {
		c.Code = string(tools.CodeOf(err))
		var te *tools.Error
		c.Uncertain = errors.As(err, &te) && te.Uncertain
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tape.Calls = append(h.tape.Calls, c)
	return res, err
}
