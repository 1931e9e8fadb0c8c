package archive

import (
	"context"
	"errors"
	"reflect"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/history"
)

// outcomeWaiting is the outcome of a turn that waits for an answer.
const outcomeWaiting = "waiting"

// taskStatuses returns what became of the questions with which a task asked for a param, by
// message. The state after each turn tells: a question is closed once the param has come or nothing
// is waited for, and open until then. Other questions, and sessions without that record, are judged
// by their words.
func (t *Tier) taskStatuses(ctx context.Context, key memory.Key, messages []memory.Message) (map[int]taskStatus, error) {
	first, last := messages[0].Turn, messages[len(messages)-1].Turn
	turns, err := history.Turns(ctx, t.store, key, first, last)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return nil, err
	}
	fates := map[int]taskStatus{}
	for i := range messages {
		m := &messages[i]
		at := turns[m.Turn]
		if m.Role != memory.Agent || at == nil || at.Snapshot == nil || at.Snapshot.State.WaitingForParam == "" {
			continue
		}
		fates[i] = statusAfter(turns, at, last)
	}
	return fates, nil
}

// statusAfter follows the param that a turn waits for through the later turns.
func statusAfter(turns map[int64]*memory.Turn, at *memory.Turn, last int64) taskStatus {
	param := at.Snapshot.State.WaitingForParam
	before, had := at.Snapshot.State.Params[param]
	for n := at.Number + 1; n <= last; n++ {
		next := turns[n]
		if next == nil || next.Snapshot == nil {
			continue
		}
		now, has := next.Snapshot.State.Params[param]
		if has && (!had || !reflect.DeepEqual(now, before)) || next.Outcome != outcomeWaiting && next.Snapshot.State.WaitingForParam == "" {
			return closedByTask
		}
	}
	return openByTask
}
