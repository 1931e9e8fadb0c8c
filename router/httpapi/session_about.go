package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/router/httpapi/access"
)

// Limits of a session's title and tags.
const (
	maxTitle = 200 // code points
	maxTags  = 32
	maxTag   = 64 // code points
)

// aboutChange is a change of a session's description; nil leaves a field as it is.
type aboutChange struct {
	title    *string
	tags     *[]string
	prompt   *string
	metadata *json.RawMessage
	expires  *string
}

// fields returns the fields that a body may have.
func (c *aboutChange) fields() Fields {
	return Fields{
		"title":         ValueField("text", &c.title),
		"tags":          ValueField("a list of texts", &c.tags),
		"system_prompt": ValueField("text", &c.prompt),
		"metadata":      ValueField("an object", &c.metadata),
		"expires_at":    ValueField("a time as in 2006-01-02T15:04:05Z, or an empty text", &c.expires),
	}
}

// check enforces the limits. Its error is a *Problem.
func (c *aboutChange) check() error {
	if c.title != nil && utf8.RuneCountInString(*c.title) > maxTitle {
		return BadRequest("bad_field", "title has more than %d characters.", maxTitle)
	}
	if c.tags != nil && (len(*c.tags) > maxTags || slices.ContainsFunc(*c.tags, func(tag string) bool {
		return tag == "" || utf8.RuneCountInString(tag) > maxTag
	})) {
		return BadRequest("bad_field", "tags must be at most %d texts of 1 to %d characters.", maxTags, maxTag)
	}
	var about memory.About
	if err := c.apply(&about); err != nil {
		return err
	}
	if err := about.Validate(); err != nil { // its text names the field, never a value
		text := strings.TrimPrefix(err.Error(), memory.ErrBadAbout.Error()+": ")
		return BadRequest("bad_field", "%s.", text)
	}
	return nil
}

// apply changes about.
func (c *aboutChange) apply(about *memory.About) error {
	if c.title != nil {
		about.Title = *c.title
	}
	if c.tags != nil {
		about.Tags = *c.tags
	}
	if c.prompt != nil {
		about.SystemPrompt = *c.prompt
	}
	if c.metadata != nil {
		about.Metadata = *c.metadata
	}
	if c.expires == nil {
		return nil
	}
	if about.ExpiresAt = (time.Time{}); *c.expires == "" {
		return nil
	}
	at, err := time.Parse(time.RFC3339, *c.expires)
	if err != nil || at.Year() < 1970 || at.Year() > 9999 {
		return BadRequest("bad_field", "expires_at must be a time as in 2006-01-02T15:04:05Z, or an empty text.")
	}
	if !at.After(time.Now()) {
		return BadRequest("bad_field", "expires_at is past.")
	}
	about.ExpiresAt = at
	return nil
}

// maySeePrompts reports whether the caller may see and set the prompts of models. Only the operator
// may, as with the agent's definition.
func maySeePrompts(ctx context.Context) bool { return access.From(ctx).Has(access.Admin) }

// allowed fails for a change that the caller's key does not permit.
func (c *aboutChange) allowed(r *http.Request) error {
	if c.prompt != nil && !maySeePrompts(r.Context()) {
		return access.ErrForbidden
	}
	return nil
}

// newSession makes a handler of a function that makes a session.
func newSession(do func(w http.ResponseWriter, r *http.Request) (sessionView, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		view, err := do(w, r)
		if err != nil {
			WriteProblem(w, Explain(err))
			return
		}
		w.Header().Set("Location", "/v1/sessions/"+view.SessionID)
		WriteJSON(w, http.StatusCreated, "application/json", view)
	}
}

// create creates an empty session.
func (a *API) create(w http.ResponseWriter, r *http.Request) (view sessionView, err error) {
	masks, body, err := a.maskedBody(w, r)
	if err != nil {
		return view, err
	}
	var c aboutChange
	key := a.owner(r)
	known := c.fields()
	known["session_id"] = TextField(&key.SessionID)
	if err := DecodeFields(body, known); err != nil {
		return view, err
	}
	if err := errors.Join(c.check(), c.allowed(r)); err != nil {
		return view, err
	}
	if a.opts.Memory.Stateless {
		return view, Disabled("memory")
	}
	var about memory.About
	if err := c.apply(&about); err != nil {
		return view, err
	}
	if key.SessionID == "" {
		key.SessionID = uuid.NewString()
	}
	if printable.CheckID(key.SessionID) != nil || key.Validate() != nil || memory.Reserved(key.UserID) {
		return view, BadRequest("bad_field", "session_id: an id has %s.", printable.IDRule)
	}
	ctx, cancel := a.detached(r)
	defer cancel()
	if err := transfer.Create(ctx, a.opts.Memory.Store, key, about, time.Now()); err != nil {
		if errors.Is(err, memory.ErrConflict) {
			return view, fmt.Errorf("%w", sessionExists)
		}
		return view, err
	}
	info, err := a.info(ctx, key)
	if err != nil {
		return view, err
	}
	return a.maskedInfo(ctx, masks, info)
}

// sessionExists is the problem of a new session whose id is taken.
var sessionExists = &Problem{Status: http.StatusConflict, Code: "session_exists", Title: "There is a session of this id", Detail: "Leave session_id out for a new id, or PATCH the session that is there."}

// patchSession changes the description of a session.
func (a *API) patchSession(w http.ResponseWriter, r *http.Request) (any, error) {
	masks, body, err := a.maskedBody(w, r)
	if err != nil {
		return nil, err
	}
	var c aboutChange
	if err := DecodeFields(body, c.fields()); err != nil {
		return nil, err
	}
	if err := errors.Join(c.check(), c.allowed(r)); err != nil {
		return nil, err
	}
	key, err := a.key(r)
	if err != nil {
		return nil, err
	}
	info, err := a.describe(r, key, c)
	if err != nil {
		return nil, err
	}
	return a.maskedInfo(r.Context(), masks, info)
}

func (a *API) describe(r *http.Request, key memory.Key, c aboutChange) (*memory.Info, error) {
	ctx, cancel := a.detached(r)
	defer cancel()
	info, err := a.info(ctx, key)
	if err != nil || c == (aboutChange{}) {
		return info, err
	}
	about := info.About
	if err := c.apply(&about); err != nil {
		return nil, err
	}
	if err := a.opts.Memory.Store.Describe(ctx, key, about); err != nil {
		return nil, err
	}
	return a.info(ctx, key)
}
