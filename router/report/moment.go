package report

import (
	"errors"
	"time"

	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/memory"
)

// Usual is how far a report reaches back unless somebody says otherwise.
const Usual = 7 * 24 * time.Hour

// ErrMoment reports what is neither a time nor an age.
var ErrMoment = errors.New("write an age as in 7d or 12h, a day as in 2006-01-02 or a time as in 2006-01-02T15:04:05Z")

// Moment reads a time, a day, which is its beginning in UTC, or an age: how long before now.
func Moment(text string, now time.Time) (time.Time, error) {
	if at, err := memory.ParseMoment(text); err == nil {
		return at, nil
	}
	age, err := source.ParseDuration(text)
	if err != nil || age < 0 {
		return time.Time{}, ErrMoment
	}
	return now.Add(-age), nil
}
