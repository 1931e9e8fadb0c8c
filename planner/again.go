package planner

import (
	"encoding/json"
	"fmt"
	"time"
)

// AskAgain is what Save returned, without any yes in it: a confirmation that was given counts
// no more, and one that was asked for is put again before a yes to it counts. It is for a state
// that no turn of its session has just left: one that was gone back to, copied, or read from
// outside. With everything, nothing stays asked at all. What is stored is returned as it is where
// nothing is to be taken out.
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

// unsay takes every yes out of a state, and reports whether there was one.
func (st *State) revokeConfirmations(everything bool) (changed bool) {
	frames := append([]*frame{st.Active}, st.Suspended...)
	if st.Declined != nil {
		frames = append(frames, st.Declined.Frame)
	}
	for _, f := range frames {
		changed = f.revokeConfirmations() || changed
	}
	switch {
	case st.Open == nil:
	case everything:
		st.Open, changed = nil, true // the plan comes to it again
	default:
		changed = st.Open.revoke() || changed
	}
	return changed
}

// unsay takes the yeses out of a task. One whose call failed would make it again at a bare
// "yes": it asks first.
func (f *frame) revokeConfirmations() bool {
	if f == nil || len(f.Confirmed) == 0 && f.ConfirmedAt.IsZero() && f.Failed == "" {
		return false
	}
	f.Confirmed, f.ConfirmedAt, f.Failed = nil, time.Time{}, ""
	return true
}

// unsay has a confirmation put again before a yes to it counts, also one that waits behind
// another question.
func (q *openQuestion) revoke() (changed bool) {
	for ; q != nil; q = q.Behind {
		if q.Kind == AskConfirm && !q.Again {
			q.Again, changed = true, true
		}
	}
	return changed
}
