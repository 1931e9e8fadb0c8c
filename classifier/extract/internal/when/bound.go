package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
)

// Sides are the sides of an expression that the words of the tables open.
var Sides = map[string]calendar.Side{"before": calendar.BeforeIt, "by": calendar.ByIt, "after": calendar.AfterIt, "since": calendar.SinceIt, "until": calendar.UntilIt}

// Open makes a range of a find that is open at one end.
func Open(from, to int, b calendar.Side, f *find.Find) *find.Find {
	kind := map[string]string{"date": "daterange", "time": "timerange", "datetime": "datetimerange"}[f.Kind]
	if kind == "" {
		kind = f.Kind
	}
	g := &find.Find{Kind: kind, From: from, To: to, Confidence: 0.88, Temporal: find.Temporal{Cycle: f.Cycle, Unit: f.Unit}}
	g.LastDay = f.Kind == "date" && (b == calendar.ByIt || b == calendar.UntilIt)
	for _, r := range f.Readings {
		g.Readings = append(g.Readings, r.Open(b, f.Edge))
	}
	switch v := f.Value.(type) {
	case time.Time:
		g.Value = calendar.Point(v).Open(b, f.Edge)
	case find.Instant:
		g.Value = calendar.Point(time.Time(v)).Open(b, f.Edge)
	case calendar.TimeOfDay:
		g.Value = calendar.Point(v.Settle().On(calendar.NoDay)).Open(b, f.Edge)
	case calendar.Interval:
		g.Value = v.Open(b, f.Edge)
	default:
		if len(g.Readings) > 0 {
			g.Value = g.Readings[len(g.Readings)-1]
		}
	}
	return g
}
