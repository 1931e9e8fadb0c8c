package extract

import (
	"slices"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/find"
)

// matchRanges gives ranges and recurrences to the params of these types. It is a reading
// of its own: a param that holds a day takes "monday" from "monday to friday" as if no
// range had been looked for.
func (x *Extractor) matchRanges(s *reading, asked *classifier.Asked, c *collector) {
	if !slices.ContainsFunc(x.types, func(r *recogniser) bool { return find.RangeKinds[r.Builtin] }) {
		return
	}
	for _, f := range s.ranged().all() {
		if f.Vague || f.Value == nil {
			continue // what counts "a few" or a season is not guessed
		}
		for _, r := range x.types {
			if !find.RangeKinds[r.Builtin] {
				continue
			}
			isAsked := asked != nil && slices.Contains(r.params, asked.Param)
			if v, confidence, ok := f.AsRange(r.Builtin, isAsked); ok {
				x.emit(r, c, v, s.Tokens[f.From].Start, s.endOf(&f), confidence, s.Text)
			}
		}
	}
}
