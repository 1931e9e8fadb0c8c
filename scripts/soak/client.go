package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// conversation is a client in one session after the other.
type conversation struct {
	*harness.Client
	rng  *rand.Rand
	load *load
	id   string
	n    int // messages sent in this session
	most int // messages after which the session is deleted
}

// Bounds on the length of a session, in turns.
const shortest, longest = 8, 40

func (c *conversation) begin() {
	c.n, c.most = 0, shortest+c.rng.IntN(longest-shortest)
	c.id = fmt.Sprintf("s-%x", c.rng.Uint64())
}

// step deletes the session when it is long enough, looks at it, or sends a message.
func (c *conversation) step(ctx context.Context) error {
	if c.n >= c.most {
		defer c.begin()
		_, err := c.Ask(ctx, http.MethodDelete, "/v1/sessions/"+c.id, nil)
		return err
	}
	if c.n > 0 && c.rng.IntN(4) == 0 {
		return c.lookOn(ctx)
	}
	return c.say(ctx)
}

// say sends a message. It asks for the answer as JSON or as a stream.
func (c *conversation) say(ctx context.Context) error {
	begun := time.Now()
	stream := c.rng.IntN(3) == 0
	c.n++
	text, err := c.Ask(ctx, http.MethodPost, "/chat", harness.Message{
		Text: sentence(c.rng), Session: c.id, ID: fmt.Sprintf("%s-%d", c.id, c.n), Stream: stream,
	})
	if err == nil && !bytes.Contains(text, []byte(`"turn":`)) {
		err = fmt.Errorf("POST /chat: an answer without a turn (stream %t)", stream)
	}
	if err == nil {
		c.load.turn(time.Since(begun))
	}
	return err
}

// pages are the parts of a session that people and the studio look at.
var pages = []string{
	"", "/messages", "/messages?last=true&limit=20", "/state", "/turns?last=true&limit=10", "/trace", "/export", "/context?text=the+blue+canoe",
}

func (c *conversation) lookOn(ctx context.Context) error {
	if c.rng.IntN(10) == 0 {
		_, err := c.Ask(ctx, http.MethodPost, "/v1/memory/search", map[string]any{"query": sentence(c.rng), "limit": 5})
		if err == nil {
			c.load.count("searches")
		}
		return err
	}
	c.load.count("looks")
	page := pages[c.rng.IntN(len(pages))]
	_, err := c.Get(ctx, "/v1/sessions/"+c.id+page)
	var refused *harness.Refusal
	if errors.As(err, &refused) && page == "/trace" && refused.Status == http.StatusNotFound {
		return nil // traces exist for the newest turns only
	}
	return err
}

// completions holds one conversation over OpenAI's API, then deletes it. A named conversation
// sends its id; any other sends its whole history each time.
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
		res, err := c.Do(ctx, http.MethodPost, "/v1/chat/completions", map[string]any{"model": "slotway", "messages": history}, header)
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
		if _, err := c.Ask(ctx, http.MethodDelete, "/v1/sessions/"+id, nil); err != nil {
			return err
		}
	}
	return nil
}

var asks = []string{"where is my order", "track my package", "has my order shipped"}

// sentence returns a story, a question, or one of many order numbers.
func sentence(rng *rand.Rand) string {
	switch rng.IntN(6) {
	case 0:
		return asks[rng.IntN(len(asks))]
	case 1:
		return fmt.Sprintf("track order O-%05d", rng.IntN(100_000))
	}
	return fmt.Sprintf("%s and that cost %d crowns", harness.Story(rng), rng.IntN(1_000_000))
}
