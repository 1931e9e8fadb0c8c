package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// post is a message that is sent until an answer comes.
type post struct {
	client            *client
	rng               *rand.Rand
	session, id, text string
	calm              bool // the client never hangs up
	most              int  // tries; 0: as many as fit into the time

	reply reply
	by    int // the replica that replied
	tries int
	gone  bool  // the client gave it up
	err   error // why there is no answer

	sent, heard time.Time // the first try, and the answer
}

// post makes a message with a new id. Only the client's goroutine calls it.
func (c *client) post(s *session, text string) *post {
	c.n++
	return &post{
		client: c, rng: rand.New(rand.NewPCG(c.rng.Uint64(), c.rng.Uint64())),
		session: s.id, id: fmt.Sprintf("%s-m%d", c.name, c.n), text: text,
	}
}

// clientWait bounds the wait for one answer in runs that stop services.
const clientWait = 3 * time.Second

// hangUps is the number of first tries of a message that may hang up.
const hangUps = 2

// insist sends the message until an answer comes.
func (p *post) insist(ctx context.Context) {
	var last error
	p.sent = time.Now()
	for end := time.Now().Add(harness.Patience); time.Now().Before(end); {
		p.tries++
		again, err := p.send(ctx)
		if err == nil || !again {
			p.err, p.heard = err, time.Now()
			return
		}
		if p.tries == p.most && ctx.Err() == nil {
			p.gone = true
			return
		}
		last = err
		if p.err = harness.Pause(ctx, p.client.service.rest(p.rng)); p.err != nil {
			return
		}
	}
	p.err = fmt.Errorf("no answer within %s: %w", harness.Patience, last)
}

// ways are the routes for a message. Each try chooses one.
var ways = []string{viaChat, viaStream, viaCompletions}

// send sends the message once. again reports whether another try may help.
func (p *post) send(ctx context.Context) (again bool, err error) {
	way, faults := viaChat, &p.client.service.faults
	if faults.clients {
		way = ways[p.rng.IntN(len(ways))]
	}
	if wait := p.client.service.wait(); wait > 0 && !p.calm {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, wait)
		defer cancel()
	}
	left := false
	if faults.clients && !p.calm && p.tries <= hangUps && p.rng.IntN(12) == 0 {
		left = true
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(p.rng.IntN(30_000))*time.Microsecond)
		defer cancel()
	}
	again, err = p.exchange(ctx, way)
	p.client.mu.Lock()
	defer p.client.mu.Unlock()
	if err == nil {
		p.client.ways[way]++
	} else if left && errors.Is(err, context.DeadlineExceeded) {
		p.client.ways[hungUp]++
	}
	return again, err
}

func (p *post) exchange(ctx context.Context, way string) (again bool, err error) {
	path, body, header := p.request(way)
	res, err := p.client.http.Try(ctx, http.MethodPost, path, body, header)
	if err != nil {
		return true, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return true, err
	}
	if res.StatusCode == http.StatusOK {
		p.by, _ = strconv.Atoi(res.Header.Get(replicaHeader)) // 0: no proxy
		return p.take(way, text)
	}
	return harness.Repeatable(res.StatusCode), fmt.Errorf("status %d: %s", res.StatusCode, text)
}

// request returns the request for a route.
func (p *post) request(way string) (path string, body any, header http.Header) {
	if way == viaCompletions {
		body = map[string]any{"messages": []map[string]string{{"role": "user", "content": p.text}}}
		return "/v1/chat/completions", body, http.Header{"X-Conversation-Id": {p.session}, "Idempotency-Key": {p.id}}
	}
	return "/chat", harness.Message{Text: p.text, Session: p.session, ID: p.id, Stream: way == viaStream}, nil
}

// take reads an answer. The part about the turn does not depend on the route.
func (p *post) take(way string, text []byte) (again bool, err error) {
	switch way {
	case viaStream:
		_, data, found := strings.Cut(string(text), "event: done\ndata: ")
		if !found {
			return true, errors.New("a stream without an end")
		}
		text = []byte(data)
	case viaCompletions:
		var whole struct{ Slotway json.RawMessage }
		if err := json.Unmarshal(text, &whole); err != nil {
			return false, err
		}
		text = whole.Slotway
	}
	var turn map[string]any
	if err := json.Unmarshal(text, &turn); err != nil {
		return false, fmt.Errorf("answer by %s: %w", way, err)
	}
	for _, other := range []string{"conversation_id", "model", "provider", "history"} {
		delete(turn, other)
	}
	raw, err := json.Marshal(turn)
	if err != nil {
		return false, err
	}
	p.reply = reply{}
	if err := json.Unmarshal(raw, &p.reply); err != nil {
		return false, err
	}
	p.reply.raw = string(raw)
	return false, nil
}
