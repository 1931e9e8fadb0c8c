package httpapi

import (
	"context"
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

// aboutChange is a session's description with a change that is not checked yet.
type aboutChange struct {
	memory.About
	prompt  *string // nil: as it is
	expires *string
}

// fields returns the fields that a body may have.
func (c *aboutChange) fields() Fields {
	return Fields{
		"title":         TextField(&c.Title),
		"tags":          ValueField("a list of texts", &c.Tags),
		"system_prompt": ValueField("text", &c.prompt),
		"metadata":      ValueField("an object", &c.Metadata),
		"expires_at":    ValueField("a time as in 2006-01-02T15:04:05Z, or an empty text", &c.expires),
	}
}

// check completes the description and enforces the limits and the caller's rights.
func (c *aboutChange) check(r *http.Request) error {
	if utf8.RuneCountInString(c.Title) > maxTitle {
		return BadRequest("bad_field", "title has more than %d characters.", maxTitle)
	}
	wrong := func(tag string) bool { return tag == "" || utf8.RuneCountInString(tag) > maxTag }
	if len(c.Tags) > maxTags || slices.ContainsFunc(c.Tags, wrong) {
		return BadRequest("bad_field", "tags must be at most %d texts of 1 to %d characters.", maxTags, maxTag)
	}
	if c.prompt != nil {
		c.SystemPrompt = *c.prompt
	}
	if c.expires != nil {
		if err := c.expire(*c.expires); err != nil {
			return err
		}
	}
	if err := c.Validate(); err != nil { // its text names the field, never a value
		text := strings.TrimPrefix(err.Error(), memory.ErrBadAbout.Error()+": ")
		return BadRequest("bad_field", "%s.", text)
	}
	if c.prompt != nil && !maySeePrompts(r.Context()) {
		return access.ErrForbidden
	}
	return nil
}

// expire sets when the session ends; "": never.
func (c *aboutChange) expire(text string) error {
	if c.ExpiresAt = (time.Time{}); text == "" {
		return nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.Year() < 1970 || at.Year() > 9999 {
		return BadRequest("bad_field", "expires_at must be a time as in 2006-01-02T15:04:05Z, or an empty text.")
	}
	if !at.After(time.Now()) {
		return BadRequest("bad_field", "expires_at is past.")
	}
	c.ExpiresAt = at
	return nil
}

// maySeePrompts reports whether the caller may see and set the prompts of models. Only the operator
// may, as with the agent's definition.
func maySeePrompts(ctx context.Context) bool { return access.From(ctx).Has(access.Admin) }

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
	if err := c.check(r); err != nil {
		return view, err
	}
	if a.opts.Memory.Stateless {
		return view, Disabled("memory")
	}
	if key.SessionID == "" {
		key.SessionID = uuid.NewString()
	}
	if printable.CheckID(key.SessionID) != nil || key.Validate() != nil || memory.Reserved(key.UserID) {
		return view, BadRequest("bad_field", "session_id: an id has %s.", printable.IDRule)
	}
	ctx, cancel := a.detached(r)
	defer cancel()
	if err := transfer.Create(ctx, a.opts.Memory.Store, key, c.About, time.Now()); err != nil {
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
	key, err := a.key(r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := a.detached(r)
	defer cancel()
	info, err := a.info(ctx, key)
	if err != nil {
		return nil, err
	}
	c := aboutChange{About: info.About}
	if err := DecodeFields(body, c.fields()); err != nil {
		return nil, err
	}
	if err := c.check(r); err != nil {
		return nil, err
	}
	if err := a.opts.Memory.Store.Describe(ctx, key, c.About); err != nil {
		return nil, err
	}
	if info, err = a.info(ctx, key); err != nil {
		return nil, err
	}
	return a.maskedInfo(r.Context(), masks, info)
}
