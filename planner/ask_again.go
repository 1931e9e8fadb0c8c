package planner

import (
	"encoding/json"
	"fmt"
	"time"
)

// AskAgain takes every yes out of a saved state: a confirmation that was given is void, and one
// that is open is asked again before a yes to it counts. It is for a state that does not come from
// the session's newest turn: one that was restored, copied or imported. With everything, the open
// question is dropped too. A state without anything to take out is returned as it is.
func AskAgain(plan json.RawMessage, everything bool) (json.RawMessage, error) {
	if len(plan) == 0 {
		return plan, nil
	}
	var s stored
	if err := json.Unmarshal(plan, &s); err != nil {
		return nil, fmt.Errorf("%w: not readable", ErrForm)
	}
	if s.V != formVersion {
		return nil, fmt.Errorf("%w: version %d, this program reads %d", ErrForm, s.V, formVersion)
	}
	if !s.State.revokeConfirmations(everything) {
		return plan, nil
	}
	out, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("save plan: %w", err)
	}
	return out, nil
}

// revokeConfirmations takes the yes out of all tasks and of the open question. It reports whether
// there was one.
func (st *State) revokeConfirmations(everything bool) (changed bool) {
	revoke := func(f *frame) { changed = f.revokeConfirmations() || changed }
	st.eachFrame(revoke)
	if st.Declined != nil {
		st.Declined.Frame.eachCaller(revoke)
	}
	switch {
	case st.Open == nil:
	case everything:
		st.Open, changed = nil, true // the plan asks again
	default:
		changed = st.Open.revoke() || changed
	}
	return changed
}

// revokeConfirmations takes the yes out of a task. A bare "yes" would repeat the failed call of a
// task, so its failure is dropped too.
func (f *frame) revokeConfirmations() bool {
	if len(f.Confirmed) == 0 && f.ConfirmedAt.IsZero() && f.Failed == "" {
		return false
	}
	f.Confirmed, f.ConfirmedAt, f.Failed = nil, time.Time{}, ""
	return true
}

// revoke makes a confirmation be asked again before a yes to it counts, also one behind another
// question.
func (q *openQuestion) revoke() (changed bool) {
	for ; q != nil; q = q.Behind {
		if q.Kind == askConfirm && !q.Again {
			q.Again, changed = true, true
		}
	}
	return changed
}
