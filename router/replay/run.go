package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

// Setup holds the parts of a runtime that a conversation needs.
type Setup struct {
	Agent string                // path of the agent's YAML; "": the default agent
	Tools map[string]tools.Tool // in place of the agent's own tools of these names
	Store string                // StoreInMemory or StoreSQLite
	Now   func() time.Time      // the conversation's clock
	Sink  telemetry.Sink        // takes every event
	Dir   string                // data folder of this conversation alone; empty at first

	guard *guard
}

// Runtime answers messages. After Close, a runtime opened with the same Setup has the same data.
type Runtime interface {
	Handle(ctx context.Context, in router.Interaction) (router.Reply, error)
	Close() error
}

// Open starts a runtime. Its pauses between the tries of a tool must not really take time.
type Open func(ctx context.Context, s Setup) (Runtime, error)

// Options of Run and RunFile. The zero value is valid.
type Options struct {
	Live   bool           // make the writes that a conversation does not script; see Setup.Guarded
	Update bool           // write goldens anew, and (RunFile) the expectations that differ
	Sink   telemetry.Sink // also takes the events; default telemetry.Discard
}

// Run plays one conversation and compares. All failures are in the Result.
func Run(ctx context.Context, c Conversation, open Open, opts *Options) Result {
	started := time.Now()
	p := &play{c: c, open: open, clock: &clock{now: c.Start}, result: Result{Name: c.Name, File: c.File, Line: c.Line}}
	if opts != nil {
		p.opts = *opts
	}
	if err := p.run(ctx); err != nil {
		p.fail(c.Line, 0, err.Error())
	}
	p.result.Passed = len(p.result.Failures) == 0
	p.result.Duration = time.Since(started)
	return p.result
}

// play is a running conversation.
type play struct {
	c       Conversation
	open    Open
	opts    Options
	clock   *clock
	setup   Setup
	runtime Runtime
	heard   telemetry.Recorder // the events of the turn under way
	lines   bytes.Buffer       // the telemetry of the conversation
	result  Result
}

func (p *play) run(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "slotway-replay-")
	if err != nil {
		return fmt.Errorf("make a data folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	p.setup = Setup{
		Agent: p.c.AgentPath(), Tools: scripts(p.c.Tools), Store: p.c.Store, Now: p.clock.Now, Dir: dir,
		guard: &guard{live: p.opts.Live},
		Sink:  telemetry.Multi(&p.heard, ofTurns{telemetry.NewLog(&p.lines, telemetry.LevelInfo)}, p.opts.Sink),
	}
	if err := p.start(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	for i := range p.c.Turns {
		ok, err := p.turn(ctx, i)
		if err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
		if !ok {
			return nil // what would follow is another conversation
		}
	}
	return p.golden()
}

// ofTurns leaves out jobs, which end beside the turns: whether they do before the next one is chance.
type ofTurns struct{ telemetry.Sink }

func (s ofTurns) Record(e telemetry.Event) {
	if _, job := e.Payload.(telemetry.Job); !job {
		s.Sink.Record(e)
	}
}

// scripts returns the tools that answer from the file. They outlive a restart, so that their next
// answer is the next one of the file.
func scripts(outcomes map[string][]tools.Outcome) map[string]tools.Tool {
	made := make(map[string]tools.Tool, len(outcomes))
	for name, row := range outcomes {
		made[name] = tools.Script(row)
	}
	return made
}

func (p *play) start(ctx context.Context) error {
	runtime, err := p.open(ctx, p.setup)
	if err != nil {
		return fmt.Errorf("start the agent: %w", err)
	}
	p.runtime = runtime
	return nil
}

func (p *play) stop() error {
	if p.runtime == nil {
		return nil
	}
	err := p.runtime.Close()
	p.runtime = nil
	if err != nil {
		return fmt.Errorf("stop the agent: %w", err)
	}
	return nil
}

// turn plays one turn. ok is false if it could not run.
func (p *play) turn(ctx context.Context, i int) (ok bool, err error) {
	t := p.c.Turns[i]
	if i > 0 || t.After > 0 {
		p.clock.advance(t.After)
	}
	if t.Restart {
		if err := p.stop(); err != nil {
			return false, err
		}
		if t.Agent != "" {
			p.setup.Agent = p.c.path(t.Agent)
		}
		if err := p.start(ctx); err != nil {
			return false, err
		}
	}
	p.heard.Reset()
	reply, err := p.runtime.Handle(ctx, router.Interaction{
		ID: t.ID, Text: t.User, HandOver: t.Person, Preset: given(t.Preset),
		Context: router.Context{SessionID: p.c.Session, UserID: p.c.User},
	})
	if refused := p.setup.guard.take(); len(refused) > 0 {
		for _, why := range refused {
			p.fail(t.Line, i+1, why)
		}
		return false, nil
	}
	if err != nil {
		p.fail(t.Line, i+1, "the turn could not be carried out: "+err.Error())
		return false, nil
	}
	p.result.Turns++
	p.noteOutside()
	p.compare(i, observe(reply, p.heard.Events()))
	return true, nil
}

// noteOutside notes the tools of the turn that were called for real and leave the test.
func (p *play) noteOutside() {
	for _, e := range p.heard.Events() {
		call, ok := e.Payload.(telemetry.ToolCall)
		if ok && p.setup.guard.leaves(call.Tool) && !slices.Contains(p.result.Outside, call.Tool) {
			p.result.Outside = append(p.result.Outside, call.Tool)
		}
	}
}

// given returns a copy, because a conversation may be played more than once.
func given(g *planner.Preset) *planner.Preset {
	if g == nil {
		return nil
	}
	c := *g
	return &c
}

func (p *play) fail(line, turn int, diff string) {
	p.result.Failures = append(p.result.Failures, Failure{Line: line, Turn: turn, Diff: diff})
}
