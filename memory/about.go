package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"
)

// About describes a session as a whole. It survives a clear; no turn changes it.
type About struct {
	Title string   `json:"title,omitempty"`
	Tags  []string `json:"tags,omitempty"`

	// SystemPrompt is given to models in this session, after the agent's own.
	SystemPrompt string `json:"system_prompt,omitempty"`
	// Metadata is a JSON object of the client that began the session; nil for none. Nothing reads it.
	Metadata json.RawMessage `json:"metadata,omitempty"`
	// ExpiresAt is when the session is erased, even if it is in use; zero for never.
	ExpiresAt time.Time `json:"expires_at,omitzero"`
}

// Bounds of an About: the prompt is read with every question to a model, and both with a listing.
const (
	MaxSystemPrompt = 10_000 // code points
	MaxMetadata     = 16 << 10
)

// Clone returns a deep copy; tags in order, each once, metadata without spaces.
func (a About) Clone() About {
	a.Tags = slices.Compact(slices.Sorted(slices.Values(a.Tags)))
	a.Metadata = compacted(a.Metadata)
	if a.ExpiresAt = Moment(a.ExpiresAt); a.ExpiresAt.IsZero() {
		a.ExpiresAt = time.Time{}
	}
	return a
}

// compacted copies a JSON object without spaces; nil for an empty one. Invalid JSON stays as it
// is, and Validate refuses it.
func compacted(raw json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	switch err := json.Compact(&out, raw); {
	case err != nil:
		return bytes.Clone(raw)
	case out.String() == "{}" || out.String() == "null":
		return nil
	}
	return out.Bytes()
}

// Empty reports whether the description says nothing.
func (a *About) Empty() bool {
	return a.Title == "" && len(a.Tags) == 0 && a.SystemPrompt == "" && len(a.Metadata) == 0 && a.ExpiresAt.IsZero()
}

// WellFormed reports what no store can keep: a text that is not UTF-8, metadata that is not a JSON
// object.
func (a *About) WellFormed() error {
	for _, text := range append([]string{a.Title, a.SystemPrompt}, a.Tags...) {
		if !utf8.ValidString(text) {
			return fmt.Errorf("%w: a text is not UTF-8", ErrBadAbout)
		}
	}
	raw := bytes.TrimSpace(a.Metadata)
	if len(raw) > 0 && (raw[0] != '{' || !json.Valid(raw) || !utf8.Valid(raw)) {
		return fmt.Errorf("%w: metadata is not a JSON object", ErrBadAbout)
	}
	return nil
}

// Validate is WellFormed that also checks the limits. Callers that let people name things limit
// title and tags, too.
func (a *About) Validate() error {
	if utf8.RuneCountInString(a.SystemPrompt) > MaxSystemPrompt {
		return fmt.Errorf("%w: system_prompt has more than %d characters", ErrBadAbout, MaxSystemPrompt)
	}
	if len(a.Metadata) > MaxMetadata {
		return fmt.Errorf("%w: metadata has more than %d bytes", ErrBadAbout, MaxMetadata)
	}
	return a.WellFormed()
}

// AboutOf reads the description of a session; that of a session that does not exist is empty.
func AboutOf(ctx context.Context, store Reader, key Key) (About, error) {
	list, err := store.Sessions(ctx, Query{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID, Limit: 1})
	if err != nil || len(list) == 0 {
		return About{}, err
	}
	if list[0].Damaged {
		return About{}, fmt.Errorf("description of session %q: %w", key.SessionID, ErrCorrupt)
	}
	return list[0].About, nil
}
