package cassette

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/tools"
)

// Player answers from a tape in the place of models and tools.
type Player struct {
	tape     *Tape
	next     int
	nextCall int
}

// NewPlayer plays a tape from its beginning.
func NewPlayer(t *Tape) *Player { return &Player{tape: t} }

// Deps returns dependencies of a router that play the tape.
func (p *Player) Deps(def *config.Agent) router.Deps {
	return router.Deps{Agent: def, Classifier: p, Tools: &played{p, def}, Reader: p}
}

// Left says what of the tape was not played; "": nothing.
func (p *Player) Left() string {
	if p.next < len(p.tape.Messages) {
		return fmt.Sprintf("message %q was not read", p.tape.Messages[p.next].Text)
	}
	if p.nextCall < len(p.tape.Calls) {
		return "tool " + p.tape.Calls[p.nextCall].Tool + " was not called"
	}
	return ""
}

// Played returns the calls that were played.
func (p *Player) Played() []Call { return p.tape.Calls[:p.nextCall] }

// Classify gives what was heard then.
func (p *Player) Classify(_ context.Context, in classifier.Input) (message.Result, error) {
	if p.next == len(p.tape.Messages) {
		return message.Result{}, fmt.Errorf("message %q is not on the tape", in.Text)
	}
	h := p.tape.Messages[p.next]
	if p.next++; h.Text != in.Text {
		return message.Result{}, fmt.Errorf("message %q comes where the tape has %q", in.Text, h.Text)
	}
	if h.Commands != nil {
		h.Result.Hear = func() []message.Command { return h.Commands }
	}
	return h.Result, nil
}

// Read gives what was read then; what was never asked is no value.
func (p *Player) Read(param, text string, _ time.Time) (any, bool) {
	a := p.tape.Read[readKey(param, text)]
	return a.Value, a.OK
}

type played struct {
	*Player
	def *config.Agent
}

func (p *played) Spec(name string) *tools.Spec { return p.def.Tools[name] }

// Call gives what the call came to then. Another one is a failure that no conversation expects.
func (p *played) Call(_ context.Context, call tools.Call) (tools.Result, error) {
	if p.nextCall == len(p.tape.Calls) {
		return tools.Result{}, &tools.Error{Code: "not_on_tape", Tool: call.Tool}
	}
	c := p.tape.Calls[p.nextCall]
	if p.nextCall++; c.Tool != call.Tool || text(c.Args) != text(call.Args) {
		return tools.Result{}, &tools.Error{Code: "not_on_tape", Tool: call.Tool}
	}
	res := tools.Result{Value: c.Value, Attempts: c.Attempts}
	if c.Code != "" {
		return res, &tools.Error{Code: tools.Code(c.Code), Tool: c.Tool, Uncertain: c.Uncertain}
	}
	return res, nil
}

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
