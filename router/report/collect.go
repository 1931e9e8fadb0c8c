package report

import (
	"cmp"
	"context"
	"crypto/sha256"
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

const (
	page    = 500 // sessions that are listed together
	overlap = 50  // of two pages: as many sessions may be erased meanwhile without one being missed
)

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
		store: store, agent: agent, query: q, idle: cmp.Or(agent.Session.IdleTTL, usualIdle), progress: progress,
		seen: map[[16]byte]bool{}, total: newTally(), out: &Report{Since: q.Since, Until: q.Until, Damaged: []Damaged{}},
	}
	if reading.Classifier != nil {
		c.texts = newTexts(store, agent, reading)
	}
	// A session that changes while others are read moves to the front of the list: the second
	// listing finds it, down to what was last changed before the first one began.
	last, err := c.list(ctx, q.Since)
	if err == nil {
		_, err = c.list(ctx, last)
	}
	if err != nil {
		return nil, err
	}
	c.total.write(c.out)
	c.out.Unanswered.Messages = c.total.unanswered
	c.out.Unanswered.Groups, c.out.Unanswered.More = c.texts.groups(q.Groups, c.total.unanswered)
	return c.out, nil
}

// collector reads sessions one after the other. What it keeps of each is a digest and its part of the
// sums.
type collector struct {
	store    Store
	agent    *config.Agent
	query    Query
	idle     time.Duration
	texts    *texts // nil: they are not listed
	progress func(done int)
	seen     map[[16]byte]bool
	total    *tally
	out      *Report
}

// list reads the sessions that were changed at or after a moment and were not read yet. It returns
// when the latest of them was changed.
func (c *collector) list(ctx context.Context, since time.Time) (latest time.Time, err error) {
	find := memory.Query{AgentID: c.agent.ID, UserID: c.query.UserID, Limit: page}
	for ; ; find.Offset += page - overlap {
		infos, err := c.store.Sessions(ctx, find)
		if err != nil {
			return latest, fmt.Errorf("list sessions: %w", err)
		}
		for i := range infos {
			if i == 0 && find.Offset == 0 {
				latest = infos[i].UpdatedAt
			}
			if infos[i].UpdatedAt.Before(since) {
				return latest, nil
			}
			if err := c.once(ctx, &infos[i]); err != nil || c.out.More {
				return latest, err
			}
		}
		if len(infos) < page {
			return latest, nil
		}
	}
}

// once reads a session unless it was read before.
func (c *collector) once(ctx context.Context, info *memory.Info) error {
	digest := sha256.Sum256([]byte(info.Key.UserID + "\x00" + info.Key.SessionID))
	short := [16]byte(digest[:16])
	if memory.Reserved(info.Key.UserID) || c.seen[short] {
		return nil
	}
	if len(c.seen) == c.query.Most {
		c.out.More = true
		return nil
	}
	c.seen[short] = true
	err := c.session(ctx, info)
	switch {
	case errors.Is(err, memory.ErrNotFound): // erased meanwhile
	case errors.Is(err, memory.ErrCorrupt), errors.Is(err, errUnreadable):
		c.out.DamagedAll++
		if len(c.out.Damaged) < MostDamaged {
			c.out.Damaged = append(c.out.Damaged, Damaged{info.Key.UserID, info.Key.SessionID})
		}
	case err != nil:
		return fmt.Errorf("read session %q: %w", info.Key.SessionID, err)
	}
	if c.progress != nil {
		c.progress(len(c.seen))
	}
	return nil
}

// session adds one session to the sums, wholly or not at all.
func (c *collector) session(ctx context.Context, info *memory.Info) error {
	s := newSession(c, info.Key)
	if err := s.read(ctx, info.Turns); err != nil || s.turns+s.taken == 0 {
		return err
	}
	if err := c.texts.take(ctx, info.Key, s.unanswered); err != nil {
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
