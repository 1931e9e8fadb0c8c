package extract

// percentage recognises 20%, 20 percent, twenty per cent at token i.
func (s *scan) percentage(i int) *found {
	v, n := s.number(i)
	if n == 0 {
		return s.percentOf(i)
	}
	if s.glued(i) && !s.openBefore(i) {
		return nil
	}
	m := s.percentSign(i + n)
	if m == 0 {
		return nil
	}
	return &found{kind: "percentage", from: i, to: i + n + m, value: v, confidence: 0.95}
}

func (s *scan) percentSign(i int) int {
	switch s.low(i) {
	case "%", "٪", "％", "percent", "percents", "percentage", "percentages", "pct":
		return 1
	case "per":
		if w := s.low(i + 1); w == "cent" || w == "cents" {
			return 2
		}
	}
	return 0
}

// percentOf reads "percent of twenty" where nothing but percentages is looked for;
// elsewhere it asks for a calculation.
func (s *scan) percentOf(i int) *found {
	n := s.percentSign(i)
	if s.only == "" || n == 0 || s.tokens[i].class != letters || s.low(i+n) != "of" {
		return nil
	}
	v, m := s.number(i + n + 1)
	if m == 0 {
		return nil
	}
	return &found{kind: "percentage", from: i, to: i + n + 1 + m, value: v, confidence: 0.6}
}
