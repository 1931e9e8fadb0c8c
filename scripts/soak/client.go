package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
)

// caller sends requests for one user.
type caller struct {
	base, key, user string
	http            *http.Client
}

// do sends a request; body is marshalled, nil is none. Any status but 2xx is an error, the
// body then closed.
func (c *caller) do(ctx context.Context, method, path string, body any) (*http.Response, error) {
	return c.send(ctx, method, path, body, nil)
}

func (c *caller) send(ctx context.Context, method, path string, body any, header http.Header) (*http.Response, error) {
	var in io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		in = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, in)
	if err != nil {
		return nil, err
	}
	maps.Copy(req.Header, header)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
		req.Header.Set("X-User-Id", c.user)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode/100 != 2 {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 512))
		res.Body.Close()
		return nil, &refusal{method + " " + path, res.StatusCode, string(text)}
	}
	return res, nil
}

// refusal is an answer that is no success.
type refusal struct {
	what   string
	status int
	text   string
}

func (r *refusal) Error() string { return fmt.Sprintf("%s: status %d: %s", r.what, r.status, r.text) }

// get reads an answer to its end.
func (c *caller) get(ctx context.Context, path string) error {
	res, err := c.do(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	return drain(res)
}

func drain(res *http.Response) error {
	defer res.Body.Close()
	_, err := io.Copy(io.Discard, res.Body)
	return err
}

// conversation is one of those under way.
type conversation struct {
	*caller
	rng  *rand.Rand
	load *load
	id   string
	n    int // messages sent
	most int // after which it is deleted
}

// lengths of conversations, in turns.
const shortest, longest = 8, 40

func (c *conversation) begin() {
	c.n, c.most = 0, shortest+c.rng.IntN(longest-shortest)
	c.id = fmt.Sprintf("s-%x", c.rng.Uint64())
}

// step is the next thing that happens in it.
func (c *conversation) step(ctx context.Context) error {
	if c.n >= c.most {
		defer c.begin()
		res, err := c.do(ctx, http.MethodDelete, "/v1/sessions/"+c.id, nil)
		if err != nil {
			return err
		}
		return drain(res)
	}
	if c.n > 0 && c.rng.IntN(4) == 0 {
		return c.lookOn(ctx)
	}
	return c.say(ctx)
}

// say sends a message as JSON or asks for a stream.
func (c *conversation) say(ctx context.Context) error {
	begun := time.Now()
	stream := c.rng.IntN(3) == 0
	c.n++
	res, err := c.do(ctx, http.MethodPost, "/chat", map[string]any{
		"message": sentence(c.rng), "conversation_id": c.id, "message_id": fmt.Sprintf("%s-%d", c.id, c.n), "stream": stream,
	})
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err == nil && !bytes.Contains(text, []byte(`"turn":`)) {
		err = fmt.Errorf("POST /chat: an answer without a turn (stream %t)", stream)
	}
	if err == nil {
		c.load.turn(time.Since(begun))
	}
	return err
}

// pages are what people and the studio look at in a conversation.
var pages = []string{
	"", "/messages", "/messages?last=true&limit=20", "/state", "/turns?last=true&limit=10", "/trace", "/export", "/context?text=the+blue+canoe",
}

func (c *conversation) lookOn(ctx context.Context) error {
	if c.rng.IntN(10) == 0 {
		res, err := c.do(ctx, http.MethodPost, "/v1/memory/search", map[string]any{"query": sentence(c.rng), "limit": 5})
		if err != nil {
			return err
		}
		c.load.count("searches")
		return drain(res)
	}
	c.load.count("looks")
	page := pages[c.rng.IntN(len(pages))]
	err := c.get(ctx, "/v1/sessions/"+c.id+page)
	var refused *refusal
	if errors.As(err, &refused) && page == "/trace" && refused.status == http.StatusNotFound {
		return nil // only the newest turns are kept
	}
	return err
}

// completions hold one conversation as clients of OpenAI's API do, then delete it. named:
// they say which conversation it is; else they send its whole history each time.
func (c *conversation) completions(ctx context.Context, named bool) error {
	c.begin()
	var history []map[string]string
	header := http.Header{}
	if named {
		header.Set("X-Conversation-Id", c.id)
	}
	found := map[string]bool{}
	for range 4 {
		history = append(history, map[string]string{"role": "user", "content": sentence(c.rng)})
		begun := time.Now()
		res, err := c.send(ctx, http.MethodPost, "/v1/chat/completions", map[string]any{"model": "slotway", "messages": history}, header)
		if err != nil {
			return err
		}
		found[res.Header.Get("X-Conversation-Id")] = true
		var answer struct {
			Choices []struct {
				Message struct{ Content string }
			}
		}
		err = json.NewDecoder(res.Body).Decode(&answer)
		res.Body.Close()
		if err != nil || len(answer.Choices) != 1 {
			return fmt.Errorf("POST /v1/chat/completions: %d choices: %w", len(answer.Choices), err)
		}
		c.load.turn(time.Since(begun))
		c.load.count("completions")
		history = append(history, map[string]string{"role": "assistant", "content": answer.Choices[0].Message.Content})
	}
	for id := range found {
		res, err := c.do(ctx, http.MethodDelete, "/v1/sessions/"+id, nil)
		if err != nil {
			return err
		}
		if err := drain(res); err != nil {
			return err
		}
	}
	return nil
}

var (
	who  = []string{"Petra", "the baker", "my neighbour Tom", "our landlord", "Aunt Vera", "the harbour master"}
	did  = []string{"sold the blue canoe", "decided to repaint the staircase", "lost a suitcase in Bergen", "ordered forty lanterns", "promised to mend the gate"}
	when = []string{"on Tuesday", "before the storm", "at half past six", "during the fair", "while everybody slept"}
	asks = []string{"where is my order", "track my package", "has my order shipped"}
)

// sentence is something to say: a story, a question, or an order number, of which there are
// many.
func sentence(rng *rand.Rand) string {
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	switch rng.IntN(6) {
	case 0:
		return pick(asks)
	case 1:
		return fmt.Sprintf("track order O-%05d", rng.IntN(100_000))
	}
	return strings.Join([]string{pick(who), pick(did), pick(when), fmt.Sprintf("and that cost %d crowns", rng.IntN(1_000_000))}, " ")
}
