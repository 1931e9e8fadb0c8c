package openai

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
)

// response is the answer of POST /v1/responses, with the fields that an agent can fill
// (platform.openai.com/docs/api-reference/responses, and the Open Responses specification,
// www.openresponses.org). Fields that steer a model have their defaults, whatever the request said.
type response struct {
	ID                string            `json:"id"`
	Object            string            `json:"object"`
	CreatedAt         int64             `json:"created_at"` // Unix seconds
	CompletedAt       *int64            `json:"completed_at"`
	Status            string            `json:"status"`
	Error             any               `json:"error"`              // null
	IncompleteDetails any               `json:"incomplete_details"` // null
	Instructions      any               `json:"instructions"`       // null
	Model             string            `json:"model"`
	Output            []item            `json:"output"`
	Previous          *string           `json:"previous_response_id"`
	Conversation      conversationRef   `json:"conversation"`
	ParallelToolCalls bool              `json:"parallel_tool_calls"`
	ToolChoice        string            `json:"tool_choice"`
	Tools             []any             `json:"tools"`
	Text              json.RawMessage   `json:"text"`
	Store             bool              `json:"store"`
	Background        bool              `json:"background"`
	Metadata          map[string]string `json:"metadata"`
	Usage             *responseUsage    `json:"usage"`
	Slotway           *slotwayFields    `json:"slotway,omitempty"`
	modelDefaults
}

// modelDefaults are fields that clients may read; no model was steered, so they have defaults.
type modelDefaults struct {
	Temperature      float64 `json:"temperature"`
	TopP             float64 `json:"top_p"`
	PresencePenalty  float64 `json:"presence_penalty"`
	FrequencyPenalty float64 `json:"frequency_penalty"`
	TopLogprobs      int     `json:"top_logprobs"`
	Truncation       string  `json:"truncation"`
	ServiceTier      string  `json:"service_tier"`
	Reasoning        any     `json:"reasoning"`         // null
	MaxOutputTokens  any     `json:"max_output_tokens"` // null
	MaxToolCalls     any     `json:"max_tool_calls"`    // null
	SafetyIdentifier any     `json:"safety_identifier"` // null
	PromptCacheKey   any     `json:"prompt_cache_key"`  // null
}

type conversationRef struct {
	ID string `json:"id"`
}

// item is the agent's message.
type item struct {
	ID      string `json:"id"`
	Type    string `json:"type"`
	Role    string `json:"role"`
	Status  string `json:"status"`
	Content []part `json:"content"`
}

// part is the text of a message.
type part struct {
	Type        string `json:"type"`
	Text        string `json:"text"`
	Annotations []any  `json:"annotations"`
	Logprobs    []any  `json:"logprobs"`
}

// responseUsage is an estimate: no language model answered.
type responseUsage struct {
	Input        int           `json:"input_tokens"`
	InputDetail  inputDetails  `json:"input_tokens_details"`
	Output       int           `json:"output_tokens"`
	OutputDetail outputDetails `json:"output_tokens_details"`
	Total        int           `json:"total_tokens"`
}

type inputDetails struct {
	Cached int `json:"cached_tokens"`
}

type outputDetails struct {
	Reasoning int `json:"reasoning_tokens"`
}

const (
	inProgress = "in_progress"
	completed  = "completed"
)

// respond answers POST /v1/responses.
func (s *server) respond(w http.ResponseWriter, r *http.Request) error {
	q, err := s.readRequest(w, r, responseFields)
	if err != nil {
		return err
	}
	if q.history, err = takeInput(q.messages); err != nil {
		return err
	}
	a, err := s.turn(w, r, q)
	if err != nil {
		return err
	}
	if q.stream {
		a.streamResponse().send(w)
		return nil
	}
	httpapi.WriteJSON(w, http.StatusOK, "application/json", a.response(completed))
	return nil
}

// takeInput reads input. A plain text is a message of the user.
func takeInput(raw json.RawMessage) ([]line, error) {
	var text string
	if len(raw) > 0 && json.Unmarshal(raw, &text) == nil {
		return []line{{user, text}}, nil
	}
	return takeHistory(raw, "input")
}

// response makes the answer of a turn. Before it is completed it has no output.
func (a *answer) response(status string) *response {
	at := a.at.Unix()
	out := &response{
		ID: a.ref().id(responsePrefix), Object: "response", CreatedAt: at, Status: status, Model: a.model,
		Output: []item{}, Conversation: conversationRef{a.reply.SessionID}, ParallelToolCalls: true, ToolChoice: "auto",
		Tools: []any{}, Text: json.RawMessage(`{"format":{"type":"text"}}`), Store: true, Metadata: a.metadata,
		modelDefaults: modelDefaults{Temperature: 1, TopP: 1, Truncation: "disabled", ServiceTier: "default"},
	}
	if out.Metadata == nil {
		out.Metadata = map[string]string{}
	}
	if a.previous != "" {
		out.Previous = &a.previous
	}
	if status != completed {
		return out
	}
	in, written := a.tokens()
	more := a.slotway()
	out.CompletedAt, out.Slotway = &at, &more
	out.Output = []item{a.item(completed, textPart(a.shown()))}
	out.Usage = &responseUsage{Input: in, Output: written, Total: in + written}
	return out
}

func (a *answer) item(status string, content ...part) item {
	return item{ID: a.ref().id(messagePrefix), Type: "message", Role: assistant, Status: status, Content: append([]part{}, content...)}
}

func textPart(text string) part {
	return part{Type: "output_text", Text: text, Annotations: []any{}, Logprobs: []any{}}
}

// response answers GET /v1/responses/{id} with the stored answer. The metadata of its request is not
// stored.
func (s *server) response(w http.ResponseWriter, r *http.Request) error {
	a, err := withTimeout(r.Context(), func(ctx context.Context) (*answer, error) {
		return s.readResponse(ctx, s.owner(r), r.PathValue("id"))
	})
	if err != nil {
		return err
	}
	if a.reply, err = s.api.MaskedReply(r, a.reply); err != nil {
		return err
	}
	httpapi.WriteJSON(w, http.StatusOK, "application/json", a.response(completed))
	return nil
}

// readResponse reads the turn that a response's id names.
func (f *Adapter) readResponse(ctx context.Context, owner memory.Key, id string) (*answer, error) {
	none := notFound("response_not_found", "", "There is no such response.")
	at, ok := parseRef(id)
	if !ok || !strings.HasPrefix(id, responsePrefix) {
		return nil, none
	}
	key := owner
	key.SessionID = at.session
	// The turn before is read too: it says where its messages end.
	turns, err := f.opts.Store.Turns(ctx, key, memory.Page{After: at.turn - 2, Limit: 2, Inactive: true})
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return nil, err
	}
	i := slices.IndexFunc(turns, func(t memory.Turn) bool { return t.Number == at.turn })
	if i < 0 {
		return nil, none
	}
	a := &answer{at: turns[i].At, model: owner.AgentID, history: continued, held: f.heldReply()}
	if a.reply, err = router.StoredReply(at.session, &turns[i]); err != nil {
		return nil, err
	}
	var before int64
	if i == 1 && turns[0].Snapshot != nil {
		before = turns[0].Snapshot.Counters.NextSeq - 1
	}
	said, err := f.opts.Store.Messages(ctx, key, memory.Page{After: before, Limit: 1, Inactive: true})
	if err != nil {
		return nil, err
	}
	for _, m := range said { // the first of a turn is the user's
		a.text = m.Text
	}
	if at.turn == 1 {
		a.history = began
	}
	a.previous = at.previous()
	return a, nil
}

// deleteResponse answers DELETE /v1/responses/{id}. A turn is part of its conversation and cannot be
// erased alone; hiding it would pretend that it was.
func (s *server) deleteResponse(_ http.ResponseWriter, r *http.Request) error {
	a, err := withTimeout(r.Context(), func(ctx context.Context) (*answer, error) {
		return s.readResponse(ctx, s.owner(r), r.PathValue("id"))
	})
	if err != nil {
		return err
	}
	return conflict("not_deletable", "A response is a turn of its conversation and is not erased by itself. DELETE /v1/conversations/%s erases the conversation.", a.reply.SessionID)
}

// Events of a streamed response (platform.openai.com/docs/api-reference/responses-streaming).
// Each has a type and a number.

type responseEvent struct {
	Type     string    `json:"type"`
	Sequence int       `json:"sequence_number"`
	Response *response `json:"response"`
}

type itemEvent struct {
	Type     string `json:"type"`
	Sequence int    `json:"sequence_number"`
	Output   int    `json:"output_index"`
	Item     item   `json:"item"`
}

type partEvent struct {
	Type     string `json:"type"`
	Sequence int    `json:"sequence_number"`
	ItemID   string `json:"item_id"`
	Output   int    `json:"output_index"`
	Content  int    `json:"content_index"`
	Part     part   `json:"part"`
}

type textEvent struct {
	Type     string  `json:"type"`
	Sequence int     `json:"sequence_number"`
	ItemID   string  `json:"item_id"`
	Output   int     `json:"output_index"`
	Content  int     `json:"content_index"`
	Delta    *string `json:"delta,omitempty"`
	Text     *string `json:"text,omitempty"`
	Logprobs []any   `json:"logprobs"`
}

// streamResponse returns the answer as events: the response as it begins, its item, the item's part,
// the text in pieces, and each of them again when it is done.
func (a *answer) streamResponse() *stream {
	out, n := &stream{}, 0
	next := func() int { n++; return n - 1 }
	id, whole := a.ref().id(messagePrefix), textPart(a.shown())
	asIs := func(kind, status string) {
		out.event(kind, responseEvent{kind, next(), a.response(status)})
	}
	asIs("response.created", inProgress)
	asIs("response.in_progress", inProgress)
	out.event("response.output_item.added", itemEvent{Type: "response.output_item.added", Sequence: next(), Item: a.item(inProgress)})
	out.event("response.content_part.added", partEvent{Type: "response.content_part.added", Sequence: next(), ItemID: id, Part: textPart("")})
	for _, text := range chunks(a.shown()) {
		out.event("response.output_text.delta", textEvent{Type: "response.output_text.delta", Sequence: next(), ItemID: id, Delta: &text, Logprobs: []any{}})
	}
	out.event("response.output_text.done", textEvent{Type: "response.output_text.done", Sequence: next(), ItemID: id, Text: &whole.Text, Logprobs: []any{}})
	out.event("response.content_part.done", partEvent{Type: "response.content_part.done", Sequence: next(), ItemID: id, Part: whole})
	out.event("response.output_item.done", itemEvent{Type: "response.output_item.done", Sequence: next(), Item: a.item(completed, whole)})
	asIs("response.completed", completed)
	return out
}
