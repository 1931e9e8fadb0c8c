package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// reply is what a client reads of an answer.
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

// said is one turn that was acknowledged.
type said struct {
	id, text string
	reply    reply
}

// session is one conversation as its client remembers it.
type session struct {
	id    string
	turns []said
	stuck error // why it does not answer any more
}

// write is one yes.
type write struct {
	key  string
	tool string
	told map[string]bool // statuses that the replies gave the tool
}

// script decides what is said.
type script interface {
	// open begins a conversation.
	open() string
	// next answers a reply; "" ends the conversation. confirms is the key of the write
	// that the text says yes to, or "".
	next(r reply) (text, confirms string)
}

// client talks to its sessions, one after the other, and remembers what it was told.
type client struct {
	service  *service
	rng      *rand.Rand
	script   script
	http     *http.Client
	n        int
	name     string
	sessions []*session
	writes   []*write

	retries, replayed, differ, unfinished int
}

func newClient(s *service, i int, rng *rand.Rand) *client {
	c := &client{service: s, rng: rng, script: s.script(rng, i), name: fmt.Sprintf("%s-%d", s.name, i), http: &http.Client{Timeout: 20 * time.Second}}
	for k := range 4 {
		c.sessions = append(c.sessions, &session{id: fmt.Sprintf("%s-%d", c.name, k)})
	}
	return c
}

// talk holds conversations until the service is told to end.
func (c *client) talk(ctx context.Context) {
	for {
		if s := c.sessions[c.rng.IntN(len(c.sessions))]; s.stuck == nil {
			c.converse(ctx, s)
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

// maxTurns bounds one conversation.
const maxTurns = 10

func (c *client) converse(ctx context.Context, s *session) {
	text, confirms := c.script.open(), ""
	for range maxTurns {
		r, ok := c.say(ctx, s, text, confirms)
		if !ok {
			return
		}
		if text, confirms = c.script.next(r); text == "" {
			return
		}
	}
}

// say sends a message until it is answered, always under the same id.
func (c *client) say(ctx context.Context, s *session, text, confirms string) (reply, bool) {
	c.n++
	id := fmt.Sprintf("%s-m%d", c.name, c.n)
	if confirms != "" {
		select {
		case c.service.yes <- struct{}{}: // a kill is waiting for this
		default:
		}
	}
	r, tries, err := c.insist(ctx, s.id, id, text)
	c.retries += max(0, tries-1)
	if err != nil {
		s.stuck = err
		return r, false
	}
	s.turns = append(s.turns, said{id: id, text: text, reply: r})
	if confirms != "" {
		c.confirmed(confirms, r, tries)
	}
	if c.rng.IntN(20) == 0 {
		c.again(ctx, s)
	}
	return r, true
}

func (c *client) confirmed(key string, r reply, tries int) {
	w := &write{key: key, told: map[string]bool{}}
	for _, call := range r.ToolCalls {
		if writeTools[call.Tool] {
			w.tool = call.Tool
			w.told[call.Status] = true
		}
	}
	c.writes = append(c.writes, w)
	if tries > 1 {
		c.unfinished++
	}
}

// again sends an old message once more, twice at the same time: it must be answered as
// it was then.
func (c *client) again(ctx context.Context, s *session) {
	old := s.turns[c.rng.IntN(len(s.turns))]
	var wg sync.WaitGroup
	var replies [2]reply
	var errs [2]error
	for i := range replies {
		wg.Go(func() { replies[i], _, errs[i] = c.insist(ctx, s.id, old.id, old.text) })
	}
	wg.Wait()
	for i, r := range replies {
		if errs[i] != nil {
			s.stuck = errs[i]
			continue
		}
		c.replayed++
		if r.raw != old.reply.raw {
			c.differ++
		}
	}
}

// patience is how long a message is sent again before its session counts as stuck.
const patience = 90 * time.Second

// insist sends one message until there is an answer.
func (c *client) insist(ctx context.Context, session, id, text string) (r reply, tries int, err error) {
	body, err := json.Marshal(map[string]string{"message": text, "conversation_id": session, "message_id": id})
	if err != nil {
		return r, 0, err
	}
	for end := time.Now().Add(patience); time.Now().Before(end); {
		tries++
		r, again, err := c.send(ctx, body)
		if err == nil || !again {
			return r, tries, err
		}
		if err := pause(ctx, 10*time.Millisecond); err != nil {
			return r, tries, err
		}
	}
	return r, tries, fmt.Errorf("no answer within %s", patience)
}

// send posts once; again says whether trying again may help.
func (c *client) send(ctx context.Context, body []byte) (r reply, again bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+c.service.addr+"/chat", bytes.NewReader(body))
	if err != nil {
		return r, false, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return r, true, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return r, true, err
	}
	switch res.StatusCode {
	case http.StatusOK:
		r.raw = string(text)
		return r, true, json.Unmarshal(text, &r)
	case http.StatusConflict, http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return r, true, fmt.Errorf("status %d: %s", res.StatusCode, text)
	}
	return r, false, fmt.Errorf("status %d: %s", res.StatusCode, text)
}

// lastWords talks to every session once more.
func (c *client) lastWords(ctx context.Context) {
	for _, s := range c.sessions {
		if s.stuck == nil {
			c.say(ctx, s, "help", "")
		}
	}
}
