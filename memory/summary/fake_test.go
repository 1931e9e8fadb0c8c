package summary

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
)

var (
	key = memory.Key{UserID: "ada", AgentID: "orders", SessionID: "s1"}
	day = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
)

// talk is a session that turns are committed to.
type talk struct {
	t     *testing.T
	store memory.Backend
	conv  *memory.Conversations
	now   time.Time

	window int // turns
}

func newTalk(t *testing.T) *talk {
	t.Helper()
	store := inmem.New(nil)
	t.Cleanup(func() { _ = store.Close() })
	return &talk{t: t, store: store, conv: memory.NewConversations(store, 16), now: day, window: 4}
}

// turn commits one turn. Lines are "user: ...", "agent: ...", or "tool NAME: JSON".
func (k *talk) turn(params map[string]any, lines ...string) {
	k.t.Helper()
	if err := k.commit(params, lines...); err != nil {
		k.t.Fatal(err)
	}
}

func (k *talk) commit(params map[string]any, lines ...string) error {
	s, err := k.conv.ForSession(context.Background(), key)
	if err != nil {
		return err
	}
	k.now = k.now.Add(time.Minute)
	for _, line := range lines {
		who, text, _ := strings.Cut(line, ": ")
		m := memory.Message{Role: memory.Role(who), Text: text, Timestamp: k.now}
		if tool, ok := strings.CutPrefix(who, "tool "); ok {
			m.Role, m.Name = memory.Tool, tool
		}
		if text, ok := strings.CutPrefix(text, "!"); ok {
			m.Text, m.Importance = text, 2
		}
		s.Append(m)
	}
	state := s.State()
	state.Params = params
	s.SetState(state)
	s.RecordTurn(memory.Turn{RequestID: fmt.Sprint(s.Turn()), Outcome: "responded"})
	return s.Commit(context.Background(), k.now)
}

// chatter commits n turns that say something, each its own.
func (k *talk) chatter(n int) {
	k.t.Helper()
	for i := range n {
		k.turn(nil, fmt.Sprintf("user: We watched the %s film number %d in Lisbon.", words9[i%9], i), fmt.Sprintf("agent: Noted, film %d.", i))
	}
}

var words9 = [...]string{"red", "green", "yellow", "purple", "orange", "silver", "golden", "black", "white"}

func (k *talk) change(do func(s *memory.Session) error) {
	k.t.Helper()
	s, err := k.conv.ForSession(context.Background(), key)
	if err == nil {
		err = do(s)
	}
	if err == nil {
		err = s.Commit(context.Background(), k.now)
	}
	if err != nil {
		k.t.Fatal(err)
	}
}

func (k *talk) work(tier *Tier) {
	k.t.Helper()
	if err := tier.Work(context.Background(), memory.Job{Key: key}); err != nil {
		k.t.Fatal(err)
	}
}

func (k *talk) request(budget int) memory.Request {
	k.t.Helper()
	s, err := k.conv.ForSession(context.Background(), key)
	if err != nil {
		k.t.Fatal(err)
	}
	return s.Request("and now?", k.now, budget)
}

// counted counts reads of a store, and fails where it is told to.
type counted struct {
	memory.Backend
	reads atomic.Int64 // messages and turns that were read
	fails func(call string) error
}

func (c *counted) fail(call string) error {
	if c.fails == nil {
		return nil
	}
	return c.fails(call)
}

func (c *counted) Messages(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Message, error) {
	if err := c.fail("messages"); err != nil {
		return nil, err
	}
	list, err := c.Backend.Messages(ctx, key, page)
	c.reads.Add(int64(len(list)))
	return list, err
}

func (c *counted) Turns(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Turn, error) {
	if err := c.fail("turns"); err != nil {
		return nil, err
	}
	list, err := c.Backend.Turns(ctx, key, page)
	c.reads.Add(int64(len(list)))
	return list, err
}

func (c *counted) Views(ctx context.Context, q memory.ViewQuery) ([]memory.View, error) {
	if err := c.fail("views"); err != nil {
		return nil, err
	}
	return c.Backend.Views(ctx, q)
}

func (c *counted) PutViews(ctx context.Context, views []memory.View) (int, error) {
	if err := c.fail("put"); err != nil {
		return 0, err
	}
	return c.Backend.PutViews(ctx, views)
}

func (c *counted) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	if err := c.fail("load"); err != nil {
		return nil, err
	}
	return c.Backend.Load(ctx, key, opts)
}
