package extract

import (
	"math"
	"strings"
)

// buildLengths adds up lengths of time: two hours and thirty minutes.
func buildLengths(_ *scan, m *match) (meaning, bool) {
	var d length
	many, last := 1.0, ""
	said := false
	for k := range m.parts {
		switch p := &m.parts[k]; p.name {
		case "amount", "number", "count", "half", "minute", "mm":
			many, said = p.num, true
		case "length":
			d = d.plus(p.length)
		case "date_unit", "clock_unit":
			one := length{}
			field := one.unit(p.word)
			if field == nil || many < 0 {
				return meaning{}, false
			}
			*field = many * scaleOf(p.word)
			d, many, said, last = d.plus(one), 1, false, p.word
		case "time_length":
			d, said = d.plus(length{minutes: p.num}), false
		case "and_part": // a part of the unit before: an hour and a half
			if field := d.unit(last); field != nil {
				*field += p.num * scaleOf(last)
			}
		}
	}
	if said && len(m.args) > 0 {
		d.minutes = many // 1h30
	}
	return meaning{length: d}, d.inSeconds() > 0
}

func buildDuration(_ *scan, m *match) (meaning, bool) {
	f := durationFound(m.from, m.to-m.from, m.part("length").length)
	return meaning{find: f}, true
}

func buildNumber(s *scan, m *match) (meaning, bool) {
	p := m.part("number", "pair")
	if _, unit := s.readCurrency(m.to); unit > 0 {
		return meaning{}, false // an amount that is none is no number either
	}
	if s.wordAt(m.to) && s.isTerm(m.to+1, "and_part") {
		return meaning{}, false // two kilos and a half are no two
	}
	doubtful := s.isTerm(m.from, "doubtful_number") && m.to == m.from+1
	if doubtful && !numeric[s.asked] && !s.countsNoun(m.from) {
		return meaning{}, false
	}
	return m.find("number", p.num, 0.9), true
}

// countsNoun reports whether a word that is only sometimes a number stands where one counts:
// behind a word that leads to a number, or before a noun.
func (s *scan) countsNoun(i int) bool {
	if s.isTerm(i, "article") {
		return s.endsTerm(i, "count_lead") > 0 && s.phraseEnds(i+1)
	}
	return s.endsTerm(i, "count_lead") > 0 || (i == 0 || s.tokens[i-1].class == symbol) && s.wordAt(i+1)
}

func buildOrdinal(s *scan, m *match) (meaning, bool) {
	if s.endsTerm(m.from, "no_ordinal") > 0 {
		return meaning{}, false
	}
	return m.find("ordinal", m.part("ordinal").num, 0.9), true
}

func buildPercentage(_ *scan, m *match) (meaning, bool) {
	return m.find("percentage", m.part("number", "amount").num, 0.95), true
}

// buildMoney is an amount and its unit, with hundredths behind it where they were said.
func buildMoney(s *scan, m *match) (meaning, bool) {
	units := m.all("money_unit")
	if sign := m.part("sign"); sign != nil {
		units = append([]*meaning{sign}, units...)
	}
	amounts := append(m.all("amount"), m.all("number")...)
	if len(units) == 0 || len(amounts) == 0 {
		return meaning{}, false
	}
	unit := currencyNamed(units[0].word)
	if own := currencyByCode[strings.ToLower(s.currency)]; units[0].word == "$" && own != nil && strings.HasSuffix(own.name, "peso") {
		unit = own // the sign of the dollar is that of the peso where people pay in it
	}
	if unit == nil {
		return meaning{}, false
	}
	v := amounts[0].num
	for k := amounts[0].from; k+1 < amounts[0].to; k++ {
		if s.symbolAt(k, ",") && len(s.low(k+1)) == 3 && k+2 == amounts[0].to {
			return meaning{}, false // 1,500 is a thousand and a half to some and one and a half to others
		}
	}
	if cents := m.part("count"); cents != nil {
		if cents.num >= 100 || unit.factor != 1 || v != math.Trunc(v) {
			return meaning{}, false
		}
		v += cents.num / 100
	}
	if part := m.part("and_part"); part != nil {
		v += part.num
	}
	return m.find("money", amount{value: v, unit: unit, own: s.currency}, 0.95), true
}

// buildRecurrence is what comes again, by a rule of RFC 5545.
func buildRecurrence(_ *scan, m *match) (meaning, bool) {
	rule := ""
	if len(m.args) > 0 {
		rule = m.args[0]
	}
	if w := m.part("adverb"); w != nil {
		rule = w.word
	}
	if u := m.part("date_unit", "clock_unit"); u != nil {
		r, ok := rounds[strings.TrimSuffix(u.word, "s")]
		if !ok {
			return meaning{}, false
		}
		times := r.times
		if v := m.part("count", "number"); v != nil {
			times *= int(v.num)
		}
		rule = "FREQ=" + r.freq
		if times > 1 {
			rule += ";INTERVAL=" + trimFloat(float64(times))
		}
	}
	if w := m.part("weekday"); w != nil {
		rule = "FREQ=WEEKLY;BYDAY=" + dayCodes[weekdayOf(w)]
	}
	if c := m.part("clock"); c != nil {
		t := c.clock.settle()
		rule += ";BYHOUR=" + trimFloat(float64(t.hour)) + ";BYMINUTE=" + trimFloat(float64(t.minute))
	}
	return m.find("recurrence", rule, 0.9), rule != ""
}
