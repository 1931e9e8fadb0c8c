package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/review"
)

// Store is the part of a backend that Collect reads.
type Store interface{ memory.Reader }

// Query selects what a report is about.
type Query struct {
	UserID string    // "": every user
	Since  time.Time // first moment
	Until  time.Time // first moment behind it; zero: Now
	Now    time.Time // the moment that silence is measured to, where Until is later
	Most   int       // sessions that are read, the latest first; default 100,000
	Groups int       // of unanswered messages that are listed; default 20
}

// Reading reads texts of users, so that values in them can be hidden and alike ones be found.
type Reading struct {
	Classifier classifier.Classifier // of the agent; nil: unanswered messages are counted and not listed
	Embedder   review.Embedder       // groups by meaning, too; nil: by words alone
}

// usualIdle is the silence after which a task counts as abandoned where sessions never expire.
const usualIdle = 24 * time.Hour

// Collect makes a report of the sessions of an agent. progress is called after each session; nil:
// nobody looks.
func Collect(ctx context.Context, store Store, agent *config.Agent, reading Reading, q Query, progress func(done int)) (*Report, error) {
	if q.Until.IsZero() || q.Until.After(q.Now) {
		q.Until = q.Now
	}
	q.Most, q.Groups = cmp.Or(q.Most, 100_000), cmp.Or(q.Groups, 20)
	c := &collector{
		store: store, agent: agent, query: q, idle: cmp.Or(agent.Session.IdleTTL, usualIdle),
		total: newTally(), out: &Report{Since: q.Since, Until: q.Until, Damaged: []Damaged{}},
	}
	if reading.Classifier != nil {
		c.texts = newTexts(store, agent, reading)
	}
	infos, more, err := review.Latest(ctx, store, memory.Query{AgentID: agent.ID, UserID: q.UserID}, q.Since, q.Most)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	c.out.More = more
	for i := range infos {
		if err := c.add(ctx, infos[i].Key); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(i + 1)
		}
	}
	c.total.write(c.out)
	c.out.Unanswered.Messages = c.total.unanswered
	c.out.Unanswered.Groups, c.out.Unanswered.More = c.texts.groups(q.Groups, c.total.unanswered)
	return c.out, nil
}

// collector reads sessions one after the other, and keeps their part of the sums.
type collector struct {
	store Store
	agent *config.Agent
	query Query
	idle  time.Duration
	texts *texts // nil: they are not listed
	total *tally
	out   *Report
}

// add reads a session.
func (c *collector) add(ctx context.Context, key memory.Key) error {
	err := c.session(ctx, key)
	switch {
	case errors.Is(err, memory.ErrNotFound): // erased meanwhile
	case errors.Is(err, memory.ErrCorrupt), errors.Is(err, errUnreadable):
		c.out.DamagedAll++
		if len(c.out.Damaged) < MostDamaged {
			c.out.Damaged = append(c.out.Damaged, Damaged{key.UserID, key.SessionID})
		}
	case err != nil:
		return fmt.Errorf("read session %q: %w", key.SessionID, err)
	}
	return nil
}

// session adds one session to the sums, wholly or not at all.
func (c *collector) session(ctx context.Context, key memory.Key) error {
	s := newSession(c, key)
	if err := s.read(ctx); err != nil || s.turns+s.taken == 0 {
		return err
	}
	if err := c.texts.take(ctx, key, s.unanswered); err != nil {
		return err
	}
	c.out.Sessions++
	c.out.Turns += s.turns
	c.out.Handoffs += s.handoffs
	c.out.Taken += s.taken
	s.end(c.query.Until)
	c.total.add(s)
	return nil
}
