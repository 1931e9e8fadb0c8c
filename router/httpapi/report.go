package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/slotway/slotway/router/report"
)

const (
	mostReported = 5000 // sessions that one report reads
	mostGroups   = 100  // of messages in one report
)

// report counts what became of the tasks in the caller's sessions. Reports are made one after the
// other: each reads much of the store.
func (a *API) report(_ http.ResponseWriter, r *http.Request) (any, error) {
	now := time.Now()
	q := readQuery(r, "since", "until", "groups")
	find := report.Query{
		UserID: a.owner(r).UserID, Since: q.moment("since", now, now.Add(-report.Usual)), Until: q.moment("until", now, now),
		Now: now, Most: mostReported, Groups: int(q.number("groups", 20, 1, mostGroups)),
	}
	if !find.Since.Before(find.Until) {
		q.refuse("until", "is not behind since")
	}
	if q.err != nil {
		return nil, q.err
	}
	ctx, cancel := context.WithTimeout(r.Context(), a.opts.TurnTimeout)
	defer cancel()
	select {
	case a.reporting <- struct{}{}:
		defer func() { <-a.reporting }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	agent, reading := a.Agent(), report.Reading{}
	if a.opts.Memory.Reading != nil {
		var err error
		if reading, err = a.opts.Memory.Reading(ctx, agent); err != nil {
			return nil, err
		}
	}
	return report.Collect(ctx, a.opts.Memory.Store, agent, reading, find, nil)
}

// moment returns a moment, which may be said as an age; usual if it is missing.
func (q *query) moment(name string, now, usual time.Time) time.Time {
	if !q.values.Has(name) {
		return usual
	}
	at, err := report.Moment(q.values.Get(name), now)
	if err != nil {
		q.refuse(name, "must be an age as in 7d, "+momentForm)
		return usual
	}
	return at
}
