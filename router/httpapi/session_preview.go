package httpapi

import (
	"context"
	"errors"
	"slices"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/sessions"
)

const (
	previewRead  = 8   // messages that are read to find the first one of the user
	previewRunes = 160 // of the first message
	previewTurns = 8   // newest turns that are read to find the last one of a task
)

// previewView is what a list tells of the content of a session, if it is asked to.
type previewView struct {
	FirstMessage string `json:"first_message,omitempty"` // of the user, masked and cut
	Intent       string `json:"intent,omitempty"`        // of the newest turn about a task, else of the newest turn
	Outcome      string `json:"outcome,omitempty"`       // of the newest turn
}

// preview reads the preview of a session. A damaged session has none.
func (a *API) preview(ctx context.Context, key memory.Key, masks *sessions.Masks) (*previewView, error) {
	v := &previewView{}
	mask, err := masks.Of(ctx, key)
	if err == nil {
		err = a.previewMessage(ctx, key, mask, v)
	}
	if err == nil {
		err = a.previewTurn(ctx, key, v)
	}
	if errors.Is(err, memory.ErrCorrupt) || errors.Is(err, memory.ErrNotFound) { // or erased meanwhile
		return nil, nil
	}
	return v, err
}

func (a *API) previewMessage(ctx context.Context, key memory.Key, mask *sessions.Mask, v *previewView) error {
	list, err := a.opts.Memory.Store.Messages(ctx, key, memory.Page{Limit: previewRead, Inactive: true})
	if err != nil {
		return err
	}
	for i := range list {
		if m := &list[i]; m.Role == memory.User && !m.Retracted && !m.Damaged() {
			v.FirstMessage = cut(mask.Message(*m).Text, previewRunes)
			return nil
		}
	}
	return nil
}

func (a *API) previewTurn(ctx context.Context, key memory.Key, v *previewView) error {
	list, err := a.opts.Memory.Store.Turns(ctx, key, memory.Page{Limit: previewTurns, Last: true})
	if err != nil || len(list) == 0 {
		return err
	}
	newest := list[len(list)-1]
	v.Intent, v.Outcome = newest.Intent, newest.Outcome
	for _, turn := range slices.Backward(list) {
		if a.isTask(turn.Intent) {
			v.Intent = turn.Intent
			break
		}
	}
	return nil
}

// isTask reports whether an intent is a task of the agent: "thanks" and "cancel" are none.
func (a *API) isTask(id string) bool {
	if a.opts.Agent == nil {
		return false
	}
	in := a.opts.Agent().Intent(id)
	return in != nil && !in.System
}

// cut returns at most n code points of a text.
func cut(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return string(runes[:n]) + "…"
}
