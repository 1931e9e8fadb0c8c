package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// reply is the part of an answer that a client reads.
type reply struct {
	SessionID  string  `json:"session_id"`
	Turn       int64   `json:"turn"`
	Reply      string  `json:"reply"`
	Asked      *string `json:"asked"`
	Confirming *string `json:"confirming"`
	ToolCalls  []struct {
		Tool   string `json:"tool"`
		Status string `json:"status"`
	} `json:"tool_calls"`

	raw string // the whole body
}

// said is an acknowledged turn.
type said struct {
	id, text string
	reply    reply
	after    int64 // the newest acknowledged turn when it was sent
	by       int   // the replica that replied, from 1 on; 0: there is one process

	sent, heard time.Time // the first try, and the answer
}

// session is a conversation as its client remembers it.
type session struct {
	id     string
	turns  []said
	writes map[string][]*write // by tool, the newest last
	gone   []gone              // messages that the client gave up
	last   int64               // the newest acknowledged turn
	stuck  error               // why it no longer answers
}

// hear records what a reply reports about the session's writes. The reply may belong to a later
// turn, which resumes a task.
func (s *session) hear(r *reply) {
	for _, call := range r.ToolCalls {
		of := s.writes[call.Tool]
		for _, w := range slices.Backward(of) {
			// A reply names a completed write. A failed one is the newest.
			if call.Status == "ok" && !strings.Contains(r.Reply, w.key+" ") && named(of, r.Reply) {
				continue
			}
			w.told[call.Status] = true
			break
		}
	}
}

// named reports whether a text names one of the writes.
func named(of []*write, text string) bool {
	return slices.ContainsFunc(of, func(w *write) bool { return strings.Contains(text, w.key+" ") })
}

// write is a confirmed write.
type write struct {
	key     string
	first   bool // it answers a question
	session *session
	turn    int64
	told    map[string]bool // statuses of the tool in replies
}

// script chooses the messages of a client.
type script interface {
	// open begins a conversation.
	open() (text, writes string)
	// next answers a reply; "" ends the conversation. writes is the key of the write that the
	// text should cause, or "".
	next(r reply) (text, writes string)
}

// client talks to its sessions, one after the other, and remembers the replies.
type client struct {
	service  *service
	rng      *rand.Rand
	script   script
	http     *harness.Client
	n        int
	name     string
	sessions []*session
	writes   []*write

	forgotten []string       // sessions that were erased
	harms     map[string]int // that this client did
	leaving   bool           // it sends its last messages and gives none up
	asked     int            // writes that it asked for, if the transcript shows which

	mu   sync.Mutex // guards ways
	ways map[string]int

	retries, replayed, differ, unfinished int

	windows      int // checked
	wrongWindows []string
}

func newClient(s *service, i int, rng *rand.Rand) *client {
	c := &client{service: s, rng: rng, script: s.script(rng, i), name: fmt.Sprintf("%s-%d", s.name, i), http: &harness.Client{Addr: s.addr, HTTP: &http.Client{Timeout: 20 * time.Second}}, harms: map[string]int{}, ways: map[string]int{}}
	sessions := 4
	if s.fleet != nil {
		sessions = s.fleet.perClient(s.clients)
		c.http.HTTP.Timeout = harness.Patience // an abandoned request would run beside the next
	}
	for k := range sessions {
		c.sessions = append(c.sessions, &session{id: fmt.Sprintf("%s-%d", c.name, k), writes: map[string][]*write{}})
	}
	return c
}

// talk holds conversations until the service stops.
func (c *client) talk(ctx context.Context) {
	for {
		if s := c.sessions[c.rng.IntN(len(c.sessions))]; s.stuck == nil {
			if c.service.fleet != nil && s.last > 0 && c.rng.IntN(2) == 0 {
				c.checkWindow(ctx, s) // before a turn renews the cache's entry
			}
			c.converse(ctx, s)
		}
		if c.service.faults.clients && c.rng.IntN(40) == 0 {
			c.forget(ctx)
		}
		select {
		case <-c.service.stop:
			return
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(c.rng.IntN(3)) * time.Millisecond):
		}
	}
}

// maxTurns bounds a conversation.
const maxTurns = 10

func (c *client) converse(ctx context.Context, s *session) {
	text, writes := c.script.open()
	for range maxTurns {
		r, how := c.say(ctx, s, text, writes)
		switch how {
		case answered:
			text, writes = c.script.next(r)
		case givenUp:
			text, writes = c.sayInstead(text, writes)
		case stuck:
			return
		}
		if text == "" {
			return
		}
	}
}

// say sends a message under one id until it is answered or given up. Now and then it sends the
// message twice at once, or another one beside it over a second connection.
func (c *client) say(ctx context.Context, s *session, text, writes string) (reply, outcome) {
	if writes != "" {
		select {
		case c.service.yes <- struct{}{}: // a kill is waiting for this
		default:
		}
	}
	all := []*post{c.post(s, text)}
	all[0].most = c.fewTries(writes)
	if c.service.faults.clients && all[0].most == 0 {
		switch n := c.rng.IntN(40); {
		case n == 0: // the same message
			twin := c.post(s, text)
			twin.id = all[0].id
			all = append(all, twin)
			c.harms[postedTwice]++
		case n < 3 && writes != "":
			all = append(all, c.post(s, text))
			c.harms[twoYeses]++
		case n == 3:
			all = append(all, c.post(s, "help"))
			c.harms[twoConnections]++
		}
	}
	switch {
	case writes == "":
	case c.service.happened != nil:
		c.asked++
	default:
		w := &write{key: writes, first: true, told: map[string]bool{}}
		c.writes = append(c.writes, w)
		tool := toolOf(writes)
		s.writes[tool] = append(s.writes[tool], w)
	}
	if how := c.deliver(ctx, s, all); how != answered {
		return reply{}, how
	}
	if writes != "" {
		c.secondYes(s, writes, all)
	}
	if c.rng.IntN(20) == 0 {
		c.again(ctx, s)
	}
	return all[0].reply, answered
}

// deliver sends messages at the same time and records the answers.
func (c *client) deliver(ctx context.Context, s *session, all []*post) outcome {
	var wg sync.WaitGroup
	for _, p := range all {
		wg.Go(func() { p.insist(ctx) })
	}
	wg.Wait()
	after := s.last
	for i, p := range all {
		c.retries += max(0, p.tries-1)
		if p.err != nil || p.gone {
			s.gone = append(s.gone, gone{id: p.id, text: p.text, after: after, sent: p.sent})
		}
		if p.err != nil {
			s.stuck = p.err
			return stuck
		}
		if p.gone {
			return givenUp
		}
		if i > 0 && p.id == all[0].id {
			c.replayed++
			if p.reply.raw != all[0].reply.raw {
				c.differ++
			}
			continue
		}
		s.hear(&p.reply)
		s.turns = append(s.turns, said{id: p.id, text: p.text, reply: p.reply, after: after, by: p.by, sent: p.sent, heard: p.heard})
		s.last = max(s.last, p.reply.Turn)
	}
	return answered
}

// secondYes records the second of two concurrent yeses. The first answers a question; asked
// decides later whether the second does.
func (c *client) secondYes(s *session, key string, all []*post) {
	if all[0].tries > 1 {
		c.unfinished++
	}
	if c.service.happened == nil && len(all) == 2 && all[1].text == all[0].text && all[1].id != all[0].id {
		c.writes = append(c.writes, &write{key: key, session: s, turn: max(all[0].reply.Turn, all[1].reply.Turn)})
	}
}

// again repeats an old message, twice at the same time. The answers must equal the first one.
func (c *client) again(ctx context.Context, s *session) {
	old := s.turns[c.rng.IntN(len(s.turns))]
	var wg sync.WaitGroup
	var posts [2]*post
	for i := range posts {
		posts[i] = c.post(s, old.text)
		posts[i].id = old.id
		wg.Go(func() { posts[i].insist(ctx) })
	}
	wg.Wait()
	for _, p := range posts {
		if p.err != nil {
			s.stuck = p.err
			continue
		}
		c.replayed++
		if p.reply.raw != old.reply.raw {
			c.differ++
		}
	}
}

// forget begins a session and erases it. It leaves no request on the way: one that arrives after
// the erasure would begin the session again, and rightly so.
func (c *client) forget(ctx context.Context) {
	c.n++
	s := &session{id: fmt.Sprintf("%s-gone%d", c.name, c.n)}
	for range 2 {
		p := c.post(s, "help")
		p.calm = true
		if p.insist(ctx); p.err != nil {
			c.sessions = append(c.sessions, &session{id: s.id, stuck: p.err})
			return
		}
	}
	err := harness.Await(ctx, "the erasure", func() bool {
		res, err := c.http.Try(ctx, http.MethodDelete, "/v1/sessions/"+s.id, nil, nil)
		if err != nil {
			return false
		}
		res.Body.Close()
		return res.StatusCode < 300 || res.StatusCode == http.StatusNotFound
	}, nil)
	switch {
	case err == nil:
		c.forgotten = append(c.forgotten, s.id)
	case ctx.Err() == nil:
		c.sessions = append(c.sessions, &session{id: s.id, stuck: fmt.Errorf("not erased within %s", harness.Patience)})
	}
}

// lastWords sends one more message to every session.
func (c *client) lastWords(ctx context.Context) {
	c.leaving = true
	for _, s := range c.sessions {
		if s.stuck == nil {
			c.say(ctx, s, "help", "")
		}
	}
}
