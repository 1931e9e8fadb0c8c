package planner

import (
	"time"

	"github.com/slotway/slotway/config"
)

// expire drops what has expired before a message is read (rule 21). last is the time of the
// session's last change, zero for a new session. Only the turn's clock counts. What the turn found
// out before stays to be said.
func (st *Turn) expire(last time.Time) {
	st.expireParams()
	s := st.def.Session
	if !last.IsZero() && s.IdleTTL > 0 && st.Now.Sub(last) > s.IdleTTL {
		old := st.State
		st.State = New()
		st.Said, st.Version, st.Handled = old.Said, old.Version, old.Handled
		if s.CarryParams {
			st.Session = old.Session
		}
		st.IdleExpired = true
		st.sayExpired(old.Active)
		return
	}
	st.expireConfirmations(s.WaitingTTL)
	if q := st.Open; q != nil && s.WaitingTTL > 0 && st.Now.Sub(q.Since) > s.WaitingTTL {
		st.Open, st.questionExpired = nil, true
		st.sayExpired(st.Active)
	}
}

// sayExpired says that the question of a task no longer stands.
func (st *Turn) sayExpired(f *frame) {
	if f == nil {
		return
	}
	if in := f.task(st.def); in != nil {
		st.later("expired", map[string]any{"intent": title(in)})
	}
}

// expireConfirmations drops confirmations that are older than a question may be, so that hours
// later nobody makes a failed write on the strength of one.
func (st *Turn) expireConfirmations(ttl time.Duration) {
	if ttl <= 0 {
		return
	}
	st.eachFrame(func(f *frame) {
		if f.Confirmed != nil && st.Now.Sub(f.ConfirmedAt) > ttl {
			f.Confirmed = nil
		}
	})
}

// expireParams drops values that are older than their ttl, and what was derived from them.
func (st *Turn) expireParams() {
	in := st.intent(st.def)
	for name, c := range st.Session {
		p := st.def.Params[name]
		if in != nil && in.Param(name) != nil {
			p = in.Param(name)
		}
		if p != nil && c.expired(p.TTL, st) {
			delete(st.Session, name)
			if in != nil {
				st.undo(in, name)
			}
		}
	}
}

func (c *paramCell) expired(ttl config.ParamTTL, st *Turn) bool {
	return ttl.Turns > 0 && st.Number-c.Turn > int64(ttl.Turns) || ttl.Time > 0 && st.Now.Sub(c.At) > ttl.Time
}
