package when

import (
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
)

// PartFound is the find of a part of the day, or of its head or tail, by its hours. The last second of
// a night that ends with the day is 23:59:59.
func PartFound(from, to, first, last int, pick calendar.Edge, solid bool) *find.Find {
	span := calendar.ClockSpan{From: calendar.TimeOfDay{Hour: first}, To: calendar.TimeOfDay{Hour: last}}
	switch {
	case pick == calendar.Head:
		span.To.Hour = first + 2
	case pick == calendar.Tail:
		span.From.Hour = first + 2
	}
	if span.To.Hour == 24 {
		span.To = calendar.TimeOfDay{Hour: 23, Minute: 59, Second: 59}
	}
	return SpanFound(from, to, span, solid)
}

// SpanFound makes a range of times of its ends.
func SpanFound(from, to int, span calendar.ClockSpan, solid bool) *find.Find {
	readings := span.Readings()
	v := readings[0]
	if first := span.From.Settle().On(calendar.NoDay); len(readings) > 1 && readings[1].Start.Equal(first) {
		v = readings[1]
	}
	return &find.Find{Kind: "timerange", From: from, To: to, Value: v, Confidence: 0.9, Temporal: find.Temporal{Readings: readings, Span: &span, Solid: solid}}
}

// joiner returns how many tokens join the ends of a range at i. Only "between" is joined by "and".
func joiner(s *Reader, i int, between bool) int {
	if s.IsTerm(i, "joiner") || between && s.Low(i) == "and" {
		return 1
	}
	return 0
}
