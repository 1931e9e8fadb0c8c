package openai

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/google/uuid"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/httpapi"
)

// conversation is a session in OpenAI's form
// (platform.openai.com/docs/api-reference/conversations).
type conversation struct {
	ID        string            `json:"id"`
	Object    string            `json:"object"`
	CreatedAt int64             `json:"created_at"` // Unix seconds
	Metadata  map[string]string `json:"metadata"`
}

// aboutTier holds one view of a session: the metadata that it was created with.
const aboutTier = "openai.about"

// Limits of metadata, as OpenAI has them.
const (
	maxPairs     = 16
	maxPairKey   = 64  // bytes
	maxPairValue = 512 // bytes
)

// conversationFields are the keys of POST /v1/conversations.
var conversationFields = []field{
	{"metadata", "an object of texts", func(q *request, raw json.RawMessage) error { return json.Unmarshal(raw, &q.metadata) }},
	{"items", "a list", takeItems},
}

// takeItems refuses a conversation that begins with items: the agent did not answer them.
func takeItems(q *request, raw json.RawMessage) error {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return err
	}
	if len(items) > 0 {
		return q.refuse(invalid("unsupported_value", "items", "A conversation begins empty: what an agent knows comes from turns that it answered."))
	}
	return nil
}

func checkMetadata(m map[string]string) error {
	if len(m) > maxPairs {
		return invalid("invalid_value", "metadata", "metadata has at most %d keys.", maxPairs)
	}
	for k, v := range m {
		if len(k) > maxPairKey || len(v) > maxPairValue {
			return invalid("invalid_value", "metadata", "metadata has keys of at most %d bytes and texts of at most %d.", maxPairKey, maxPairValue)
		}
	}
	return nil
}

// createConversation answers POST /v1/conversations.
func (s *server) createConversation(w http.ResponseWriter, r *http.Request) error {
	body := []byte("{}")
	if r.ContentLength != 0 {
		var err error
		if body, err = s.api.ReadBody(w, r); err != nil {
			return err
		}
	}
	q := &request{key: r.Header.Get("Idempotency-Key")}
	err := q.decode(body, conversationFields)
	if err == nil {
		err = errors.Join(q.validate(), checkMetadata(q.metadata))
	}
	if err != nil {
		return err
	}
	key := s.owner(r)
	key.SessionID = conversationPrefix + uuid.NewString()
	if q.key != "" {
		key.SessionID = conversationPrefix + s.digests.session("conversation", key.UserID, key.AgentID, q.key)
	}
	out, err := withTimeout(context.WithoutCancel(r.Context()), func(ctx context.Context) (*conversation, error) {
		if err := s.create(ctx, key, q.metadata); err != nil {
			return nil, err
		}
		return s.describe(ctx, key)
	})
	if err != nil {
		return err
	}
	httpapi.WriteJSON(w, http.StatusOK, "application/json", out)
	return nil
}

// create makes an empty session unless it exists.
func (f *Adapter) create(ctx context.Context, key memory.Key, metadata map[string]string) error {
	err := f.opts.Store.Commit(ctx, &memory.Delta{Key: key, At: f.opts.Now(), State: memory.State{Params: map[string]any{}}})
	if errors.Is(err, memory.ErrConflict) {
		return nil
	}
	if err != nil || len(metadata) == 0 {
		return err
	}
	data, err := json.Marshal(metadata)
	if err != nil {
		return err
	}
	_, err = f.opts.Store.PutViews(ctx, []memory.View{{Key: key, Tier: aboutTier, ID: "metadata", At: f.opts.Now(), Data: data}})
	return err
}

// describe reads a conversation; it fails with 404 if there is none.
func (f *Adapter) describe(ctx context.Context, key memory.Key) (*conversation, error) {
	none := notFound("conversation_not_found", "", "There is no such conversation.")
	if key.Validate() != nil {
		return nil, none
	}
	snap, err := f.opts.Store.Load(ctx, key, memory.LoadOptions{})
	if err != nil {
		return nil, err
	}
	if snap.State.Version == 0 {
		return nil, none
	}
	out := &conversation{ID: key.SessionID, Object: "conversation", CreatedAt: snap.CreatedAt.Unix(), Metadata: map[string]string{}}
	views, err := f.opts.Store.Views(ctx, memory.ViewQuery{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID, Tier: aboutTier})
	for _, v := range views {
		if json.Unmarshal(v.Data, &out.Metadata) != nil {
			return nil, memory.ErrCorrupt
		}
	}
	return out, err
}

// conversation answers GET /v1/conversations/{id}. Every session of the caller is a conversation,
// however it began.
func (s *server) conversation(w http.ResponseWriter, r *http.Request) error {
	out, err := withTimeout(r.Context(), func(ctx context.Context) (*conversation, error) {
		return s.describe(ctx, s.addressed(r))
	})
	if err != nil {
		return err
	}
	if out.Metadata, err = s.api.MaskedTexts(r, out.ID, out.Metadata); err != nil {
		return err
	}
	httpapi.WriteJSON(w, http.StatusOK, "application/json", out)
	return nil
}

// deleteConversation answers DELETE /v1/conversations/{id}: it erases the session and everything
// derived from it.
func (s *server) deleteConversation(w http.ResponseWriter, r *http.Request) error {
	key := s.addressed(r)
	_, err := withTimeout(context.WithoutCancel(r.Context()), func(ctx context.Context) (struct{}, error) {
		if _, err := s.describe(ctx, key); err != nil {
			return struct{}{}, err
		}
		err := s.opts.Store.Delete(ctx, key)
		if errors.Is(err, memory.ErrNotFound) { // another request was faster
			err = nil
		}
		return struct{}{}, err
	})
	if err != nil {
		return err
	}
	httpapi.WriteJSON(w, http.StatusOK, "application/json", struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Deleted bool   `json:"deleted"`
	}{key.SessionID, "conversation.deleted", true})
	return nil
}

// addressed returns the key of the session in a request's path.
func (s *server) addressed(r *http.Request) memory.Key {
	key := s.owner(r)
	key.SessionID = r.PathValue("id")
	return key
}
