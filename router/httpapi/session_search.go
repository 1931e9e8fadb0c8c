package httpapi

import (
	"context"
	"slices"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/sessions"
)

const (
	searchBatch = 200    // sessions that are looked at together
	maxSearched = 10_000 // sessions found by the store that are checked
	maxHandoff  = 1000   // the same, where the state of each is read
)

// search returns the sessions whose title, tags or id contain the text as this caller may see them: a hit
// of the store in a masked value, or a gap in the paging, would confirm a guessed value. With a status
// they are those that are with people, or are to be; only the state of each session says so, so that
// fewer are looked at.
func (a *API) search(ctx context.Context, find memory.Query, masks *sessions.Masks, status string) ([]sessionView, error) {
	most, masked := find.Offset+find.Limit, !masks.Reveal() && (find.Text != "" || find.Tag != "")
	switch {
	case status != "":
		most = maxHandoff
	case masked:
		most = maxSearched
	}
	passes := func(i *memory.Info) (bool, error) {
		if status != "" {
			v, err := a.handoff(ctx, i.Key, masks)
			if err != nil || v == nil || v.Status != status {
				return false, err
			}
		}
		if !masked {
			return true, nil
		}
		return matchesVisible(ctx, masks, i, &find)
	}
	var out []sessionView
	skip, limit := find.Offset, find.Limit
	find.Limit = searchBatch
	for find.Offset = 0; find.Offset < most; find.Offset += searchBatch {
		infos, err := a.opts.Memory.Store.Sessions(ctx, find)
		if err != nil {
			return nil, err
		}
		for i := range infos {
			shown, err := passes(&infos[i])
			if err != nil {
				return nil, err
			}
			if !shown {
				continue
			}
			if skip--; skip >= 0 {
				continue
			}
			infos[i].SystemPrompt, infos[i].Metadata = "", nil // with them a page would be too long
			v, err := a.maskedInfo(ctx, masks, &infos[i])
			if err != nil {
				return nil, err
			}
			if out = append(out, v); len(out) == limit {
				return out, nil
			}
		}
		if len(infos) < searchBatch {
			break
		}
	}
	return out, nil
}

// matchesVisible reports whether the text occurs in the unmasked part of a session's title, tags or
// id. An id is never masked.
func matchesVisible(ctx context.Context, masks *sessions.Masks, i *memory.Info, find *memory.Query) (bool, error) {
	named := strings.Contains(strings.ToLower(i.Key.SessionID), strings.ToLower(find.Text))
	if named && find.Tag == "" {
		return true, nil
	}
	mask, err := masks.Of(ctx, i.Key)
	if err != nil {
		return false, err
	}
	if find.Tag != "" && mask.Text(find.Tag) != find.Tag {
		return false, nil
	}
	shown := func(text string) bool { return mask.Shows(text, find.Text) }
	return named || shown(i.Title) || slices.ContainsFunc(i.Tags, shown), nil
}
