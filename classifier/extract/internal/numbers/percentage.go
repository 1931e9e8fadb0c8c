package numbers

import (
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/scan"
)

// Percentage recognises 20%, 20 percent, twenty per cent at token i.
func Percentage(s *scan.Message, i int) *find.Find {
	v, n := Read(s, i)
	if n == 0 {
		return percentOf(s, i)
	}
	if s.Glued(i) && !s.OpenBefore(i) {
		return nil
	}
	m := percentSign(s, i+n)
	if m == 0 {
		return nil
	}
	return &find.Find{Kind: "percentage", From: i, To: i + n + m, Value: v, Confidence: 0.95}
}

func percentSign(s *scan.Message, i int) int {
	switch s.Low(i) {
	case "%", "٪", "％", "percent", "percents", "percentage", "percentages", "pct":
		return 1
	case "per":
		if w := s.Low(i + 1); w == "cent" || w == "cents" {
			return 2
		}
	}
	return 0
}

// percentOf reads "percent of twenty" where nothing but percentages is looked for;
// elsewhere it asks for a calculation.
func percentOf(s *scan.Message, i int) *find.Find {
	n := percentSign(s, i)
	if s.Only == "" || n == 0 || s.Tokens[i].Class != scan.Letters || s.Low(i+n) != "of" {
		return nil
	}
	v, m := Read(s, i+n+1)
	if m == 0 {
		return nil
	}
	return &find.Find{Kind: "percentage", From: i, To: i + n + 1 + m, Value: v, Confidence: 0.6}
}
