package report

import (
	"context"
	"errors"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
)

// errUnreadable reports a turn whose reply or plan has a form that this program cannot read.
var errUnreadable = errors.New("a turn cannot be read")

// session follows the tasks of one session through its turns.
type session struct {
	of   *collector
	key  memory.Key
	last *point // the turn before; nil: there is none

	turns      int
	handoffs   int
	taken      int
	before     map[string]bool // ids of the tasks that were begun before the range
	tasks      map[string]*task
	failures   map[Failure]int
	unanswered []unanswered
}

// point is one turn and how the session stood after it.
type point struct {
	number int64
	at     time.Time
	reply  router.Reply
	planner.Account
}

// unanswered is a message that was not understood.
type unanswered struct {
	turn   int64
	at     time.Time
	reason string
	asked  string // param that the message was to answer; ""
}

func newSession(c *collector, key memory.Key) *session {
	return &session{of: c, key: key, before: map[string]bool{}, tasks: map[string]*task{}, failures: map[Failure]int{}}
}

// read goes through the turns up to the end of the range. Those before it tell how the session stood.
func (s *session) read(ctx context.Context) error {
	return memory.EachTurn(ctx, s.of.store, s.key, memory.Page{}, func(t *memory.Turn) error {
		if !t.At.Before(s.of.query.Until) {
			return nil
		}
		p, err := pointOf(t)
		if err != nil {
			return err
		}
		s.pass(p)
		return nil
	})
}

func pointOf(t *memory.Turn) (*point, error) {
	reply, err := router.StoredReply("", t)
	if t.Snapshot == nil || err != nil {
		return nil, errUnreadable
	}
	p := &point{number: t.Number, at: t.At, reply: reply}
	state, err := planner.Load(t.Snapshot.State.PlanExecution, t.Snapshot.State.Params)
	if err != nil {
		return nil, errUnreadable
	}
	p.Account = state.Account(t.Number)
	return p, nil
}

// pass takes one turn in.
func (s *session) pass(p *point) {
	before := s.last
	s.last = p
	if before == nil {
		before = &point{at: p.at}
	}
	if p.at.Before(s.of.query.Since) {
		p.each(func(t *planner.TaskAccount) { s.before[t.ID] = true })
		for i := range p.Finished {
			s.before[p.Finished[i].ID] = true // a task that was declined may be taken up again
		}
		return
	}
	switch {
	case p.reply.Action != "": // no message of the user
		if p.reply.Action == router.ActionTake && !before.Held {
			s.taken++
		}
	case p.reply.Person != nil:
		s.turns++
	default:
		s.turns++
		if p.reply.Handoff {
			s.handoffs++
		}
		s.judge(before, p)
	}
	s.follow(before, p)
}

// each calls visit with every task that has begun.
func (p *point) each(visit func(t *planner.TaskAccount)) {
	if p.Active != nil {
		visit(p.Active)
	}
	for i := range p.Behind {
		visit(&p.Behind[i])
	}
}

// follow accounts for the tasks that a turn began, worked on and ended.
func (s *session) follow(before, p *point) {
	expired := s.expired(before, p)
	touched := map[string]bool{}
	if before.Active != nil && !expired {
		touched[before.Active.ID] = true
	}
	if p.Active != nil {
		touched[p.Active.ID] = true
	}
	stays := map[string]bool{}
	p.each(func(t *planner.TaskAccount) {
		stays[t.ID] = true
		if known := s.task(t.ID, t.Intent); known != nil {
			known.fate = Open // also one that was declined and taken up again
		}
	})
	for i := range p.Finished {
		f := &p.Finished[i]
		touched[f.ID] = true
		if t := s.task(f.ID, f.Intent); t != nil && !stays[f.ID] {
			t.fate = fateOf(f, p)
		}
		stays[f.ID] = true
	}
	for i := range p.Queued {
		stays[p.Queued[i].ID] = true
	}
	before.each(func(t *planner.TaskAccount) {
		if known := s.tasks[t.ID]; known != nil && !stays[t.ID] {
			if known.fate = s.left(p, expired); before.Held { // the person has dealt with it
				known.fate = HandedOff
			}
		}
	})
	if p.Held || p.reply.Action != "" {
		s.holdTasks(p)
		return
	}
	for id := range touched {
		if t := s.tasks[id]; t != nil {
			t.turns++
		}
	}
	s.detail(before, p, touched)
}

// holdTasks gives the tasks that are open to the person who has the conversation. They go on, if they do,
// with the turn that gives it back.
func (s *session) holdTasks(p *point) {
	if !p.Held {
		return
	}
	p.each(func(t *planner.TaskAccount) {
		if known := s.tasks[t.ID]; known != nil {
			known.fate = HandedOff
		}
	})
}

// expired reports whether the session began anew with a turn because of the silence before it.
func (s *session) expired(before, p *point) bool {
	ttl := s.of.agent.Session.IdleTTL
	return ttl > 0 && !before.Held && p.reply.Action == "" && p.at.Sub(before.at) > ttl
}

// task returns what is known of a task of the range, which may begin now; nil for any other.
func (s *session) task(id, intent string) *task {
	if t := s.tasks[id]; t != nil {
		return t
	}
	if s.before[id] || !s.of.counts(intent) {
		return nil
	}
	t := newTask(intent)
	s.tasks[id] = t
	return t
}

// counts reports whether an intent is a task. One that the agent no longer has is.
func (c *collector) counts(intent string) bool {
	in := c.agent.Intent(intent)
	return intent != c.agent.Classifier.Fallback && (in == nil || !in.System)
}

// fateOf returns how a task ended whose plan came to an end.
func fateOf(f *planner.FinishedTask, p *point) Fate {
	switch {
	case !f.Succeeded():
		return Failed
	case f.Wrote():
		return Done
	case p.reply.Handoff:
		return HandedOff
	}
	for _, a := range p.Answered {
		if a.ID == f.ID && !a.Yes {
			return Declined
		}
	}
	return Done
}

// left returns how a task ended that is gone although its plan did not come to an end.
func (s *session) left(p *point, expired bool) Fate {
	switch {
	case expired:
		return Abandoned
	case p.reply.Handoff, p.reply.Intent == human, p.Active != nil && p.Active.Intent == human:
		return HandedOff
	}
	return Stopped
}

// human is the built-in intent that asks for a person.
const human = "human"

// end closes the session: a task that is still open is abandoned after a long silence.
func (s *session) end(until time.Time) {
	if s.last == nil || s.last.Held || until.Sub(s.last.at) <= s.of.idle {
		return
	}
	s.last.each(func(t *planner.TaskAccount) {
		if known := s.tasks[t.ID]; known != nil {
			known.fate = Abandoned
		}
	})
}
