package when

import (
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
)

// DurationFound is the find of a length of time in n tokens at i.
func DurationFound(i, n int, d calendar.Length) *find.Find {
	return &find.Find{Kind: "duration", From: i, To: i + n, Value: d.Told().String(), Confidence: 0.92, Temporal: find.Temporal{Seconds: d.InSeconds(), Vague: d.Vague}}
}
