package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/router/telemetry"
)

// sessionView is one row of a list of sessions.
type sessionView struct {
	SessionID       string    `json:"session_id"`
	Title           string    `json:"title"`
	Tags            []string  `json:"tags"`
	Turns           int64     `json:"turns"`
	HistoryCount    int64     `json:"history_count"`
	WaitingForParam *string   `json:"waiting_for_param"`
	CreatedAt       time.Time `json:"created_at"`
	UpdatedAt       time.Time `json:"updated_at"`
	Version         int64     `json:"version"`

	Handoff   *handoffView `json:"handoff"`
	ExpiresAt time.Time    `json:"expires_at,omitzero"`
	Damaged   bool         `json:"damaged,omitempty"` // its description cannot be read
	// For a list that was asked for with preview=true only.
	*previewView
	// For a single session only: with them a page of sessions would be too long.
	SystemPrompt string          `json:"system_prompt,omitempty"`
	Metadata     json.RawMessage `json:"metadata,omitempty"`
}

func viewSession(i *memory.Info, mask *sessions.Mask) sessionView {
	v := sessionView{
		SessionID: i.Key.SessionID, Title: mask.Text(i.Title), Tags: []string{}, Turns: i.Turns, HistoryCount: i.History,
		WaitingForParam: orNull(i.Waiting), CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt, Version: i.Version,
		ExpiresAt: i.ExpiresAt, Damaged: i.Damaged, SystemPrompt: mask.Text(i.SystemPrompt), Metadata: mask.JSON(i.Metadata),
	}
	for _, tag := range i.Tags {
		v.Tags = append(v.Tags, mask.Text(tag))
	}
	return v
}

// listSessions lists the caller's sessions, the latest first.
func (a *API) listSessions(_ http.ResponseWriter, r *http.Request) (any, error) {
	q := readQuery(r, "text", "tag", "limit", "offset", "preview", "handoff")
	find := memory.Query{Text: q.text("text", maxTitle), Tag: q.text("tag", maxTag)}
	limit := q.number("limit", 50, 1, 200)
	offset := q.number("offset", 0, 0, 1_000_000)
	preview, masks := q.flag("preview"), a.masks(q.reveal(r))
	handoff := q.word("handoff", handoffWanted, handoffTaken)
	if q.err != nil {
		return nil, q.err
	}
	owner := a.owner(r)
	find.UserID, find.AgentID, find.Limit, find.Offset = owner.UserID, owner.AgentID, int(limit)+1, int(offset)
	found, err := a.search(r.Context(), find, masks, handoff)
	if err != nil {
		return nil, err
	}
	out := struct {
		Sessions []sessionView `json:"sessions"`
		Next     *int64        `json:"next_offset"`
	}{Sessions: []sessionView{}}
	found, more := limitTo(found, int(limit))
	if more {
		next := offset + limit
		out.Next = &next
	}
	for i := 0; preview && i < len(found); i++ {
		owner.SessionID = found[i].SessionID
		if found[i].previewView, err = a.preview(r.Context(), owner, masks); err != nil {
			return nil, err
		}
	}
	out.Sessions = append(out.Sessions, found...)
	return out, nil
}

// maskedInfo loads a session only if there is a text to mask. Its prompt is shown only to those who
// may set it.
func (a *API) maskedInfo(ctx context.Context, masks *sessions.Masks, i *memory.Info) (sessionView, error) {
	var mask *sessions.Mask
	if !maySeePrompts(ctx) {
		about := *i
		about.SystemPrompt = ""
		i = &about
	}
	if !i.Empty() {
		var err error
		mask, err = masks.Of(ctx, i.Key)
		if errors.Is(err, memory.ErrCorrupt) { // it can be listed and erased, but its title may have to be hidden
			a.reportDamaged(i.Key, err)
			return viewSession(&memory.Info{
				Key: i.Key, Turns: i.Turns, History: i.History, Waiting: i.Waiting, Version: i.Version, CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt,
			}, nil), nil
		}
		if err != nil {
			return sessionView{}, err
		}
	}
	v := viewSession(i, mask)
	var err error
	v.Handoff, err = a.handoff(ctx, i.Key, masks)
	return v, err
}

// reportDamaged records that a session cannot be read.
func (a *API) reportDamaged(key memory.Key, err error) {
	a.opts.Sink.Record(telemetry.Event{
		Time: time.Now(), Level: telemetry.LevelError, UserID: key.UserID, SessionID: key.SessionID,
		Payload: telemetry.Failure{Code: "corrupt", Stage: "listing", Message: telemetry.ScrubError(err, nil)},
	})
}

// info returns the list row of one session.
func (a *API) info(ctx context.Context, key memory.Key) (*memory.Info, error) {
	list, err := a.opts.Memory.Store.Sessions(ctx, memory.Query{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID, Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, memory.ErrNotFound
	}
	return &list[0], nil
}

func (a *API) getSession(_ http.ResponseWriter, r *http.Request) (any, error) {
	q := readQuery(r)
	masks := a.masks(q.reveal(r))
	if q.err != nil {
		return nil, q.err
	}
	key, err := a.key(r)
	if err != nil {
		return nil, err
	}
	info, err := a.info(r.Context(), key)
	if err != nil {
		return nil, err
	}
	return a.maskedInfo(r.Context(), masks, info)
}

// deleteSession erases a session from every tier.
func (a *API) deleteSession(w http.ResponseWriter, r *http.Request) {
	q := readQuery(r)
	key, err := a.key(r)
	if q.err != nil {
		err = q.err
	}
	if err == nil {
		ctx, cancel := a.detached(r)
		defer cancel()
		err = a.opts.Memory.Store.Delete(ctx, key)
		a.kept.Forget(key)
	}
	if recent := a.opts.Memory.Recent; recent != nil && err == nil {
		recent.Forget(key.UserID, key.SessionID)
	}
	if err != nil {
		WriteProblem(w, Explain(err))
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// sessionBusy is the problem of a change by hand while turns run without a gap.
var sessionBusy = &Problem{Status: http.StatusConflict, Code: "conflict", Title: "The conversation is being changed", Detail: "Send the request again once its turn is over.", RetryAfter: 1}

func (a *API) clearSession(_ http.ResponseWriter, r *http.Request) (any, error) {
	n, err := changeSession(a, r, sessions.Clear)
	return map[string]int{"cleared": n}, err
}

// undoneView is an undone turn.
type undoneView struct {
	Turn  int64      `json:"turn"`
	Calls []callMade `json:"calls"` // calls that remain
}

type callMade struct {
	Tool   string            `json:"tool"`
	Status memory.StepStatus `json:"status"`
}

func (a *API) undoTurn(_ http.ResponseWriter, r *http.Request) (any, error) {
	done, err := changeSession(a, r, sessions.Undo)
	out := undoneView{Turn: done.Turn, Calls: []callMade{}}
	for _, step := range done.Calls {
		out.Calls = append(out.Calls, callMade{step.Tool, step.Status})
	}
	return out, err
}

// changeSession changes the session of a request, even if the client disconnects.
func changeSession[T any](a *API, r *http.Request, do func(context.Context, memory.SessionStore, memory.Key, time.Time) (T, error)) (T, error) {
	var none T
	if q := readQuery(r); q.err != nil {
		return none, q.err
	}
	key, err := a.key(r)
	if err != nil {
		return none, err
	}
	ctx, cancel := a.detached(r)
	defer cancel()
	out, err := do(ctx, a.opts.Memory.Store, key, time.Now())
	if errors.Is(err, memory.ErrConflict) {
		return none, fmt.Errorf("%w", sessionBusy)
	}
	return out, err
}
