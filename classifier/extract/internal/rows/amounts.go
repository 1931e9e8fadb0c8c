package rows

import (
	"math"
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/currency"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/when"
	"github.com/slotway/slotway/classifier/message"
)

// buildLengths adds up lengths of time: two hours and thirty minutes. Each unit is counted once.
func buildLengths(_ reader, m *match) (meaning, bool) {
	var d calendar.Length
	many, last, said := 1.0, calendar.Length{}, false
	for k := range m.parts {
		add := calendar.Length{}
		switch p := &m.parts[k]; p.name {
		case "amount", "number", "count", "half", "minute", "mm", "fraction":
			many, said, d.Vague = p.num, true, d.Vague || p.vague
		case "date_unit", "clock_unit", "one_unit", "hour_letter":
			one, ok := calendar.Of(1, p.word)
			if !ok || many < 0 {
				return meaning{}, false
			}
			add, many, said, last = one.Scaled(many), 1, false, one
		case "length", "one_length", "more_length":
			add = p.length
		case "time_length":
			add, said = calendar.Length{Minutes: p.num}, false
		case "and_part": // a part of the unit before, an hour and a half, or of the one that comes: 2 and half hours
			if said {
				many += p.num
				continue
			}
			d = d.Plus(last.Scaled(p.num))
		}
		if d.Shares(add) {
			return meaning{}, false
		}
		d = d.Plus(add)
	}
	if said && len(m.args) > 0 {
		d.Minutes = many // 1h30
	}
	return meaning{length: d}, d.InSeconds() > 0
}

func buildDuration(_ reader, m *match) (meaning, bool) {
	f := when.DurationFound(m.from, m.to-m.from, m.part("length", "loose").length)
	f.Vague = f.Vague || len(m.args) > 0
	return meaning{find: f}, true
}

// buildEitherLength is one of two lengths, of which the first is a number alone: "5 to 10 days",
// "five or six days". Both are found, so that it is asked which.
func buildEitherLength(_ reader, m *match) (meaning, bool) {
	number, unit := m.part("number"), m.part("date_unit", "clock_unit")
	least, ok := calendar.Of(number.num, unit.word)
	most, _ := calendar.Of(m.part("amount").num, unit.word)
	if !ok || least.InSeconds() <= 0 || least.InSeconds() >= most.InSeconds() {
		return meaning{}, false
	}
	f := when.DurationFound(m.from, m.to-m.from, most)
	f.Date = when.DurationFound(m.from, number.to-m.from, least)
	f.Time = when.DurationFound(m.part("amount").from, m.to-m.part("amount").from, most)
	return meaning{find: f}, true
}

func buildNumber(s reader, m *match) (meaning, bool) {
	p := m.part("number", "pair")
	if _, unit := s.readCurrency(m.to); unit > 0 {
		return meaning{}, false // an amount that is none is no number either
	}
	if s.WordAt(m.to) && s.IsTerm(m.to+1, "and_part") {
		return meaning{}, false // two kilos and a half are no two
	}
	doubtful := s.IsTerm(m.from, "doubtful_number") && m.to == m.from+1
	if doubtful && !numbers.Numeric[s.Asked] && !s.countsNoun(m.from) {
		return meaning{}, false
	}
	return m.find("number", p.num, 0.9), true
}

// countsNoun reports whether a word that is only sometimes a number stands where one counts:
// behind a word that leads to a number, or before a noun.
func (s reader) countsNoun(i int) bool {
	if s.IsTerm(i, "article") {
		return s.EndsTerm(i, "count_lead") > 0 && s.PhraseEnds(i+1)
	}
	return s.EndsTerm(i, "count_lead") > 0 || (i == 0 || s.Tokens[i-1].Class == message.Symbol) && s.WordAt(i+1)
}

func buildOrdinal(s reader, m *match) (meaning, bool) {
	if s.EndsTerm(m.from, "no_ordinal") > 0 {
		return meaning{}, false
	}
	return m.find("ordinal", m.part("ordinal").num, 0.9), true
}

func buildPercentage(_ reader, m *match) (meaning, bool) {
	return m.find("percentage", m.part("number", "amount").num, 0.95), true
}

// buildMoney is an amount and its unit, with hundredths behind it where they were said.
func buildMoney(s reader, m *match) (meaning, bool) {
	units := m.all("money_unit")
	if sign := m.part("sign"); sign != nil {
		units = append([]*meaning{sign}, units...)
	}
	amounts := append(m.all("amount"), m.all("number")...)
	if len(units) == 0 || len(amounts) == 0 {
		return meaning{}, false
	}
	unit := currency.Named(units[0].word)
	if own := currency.ByCode[strings.ToLower(s.Currency)]; units[0].word == "$" && own != nil && strings.HasSuffix(own.Name, "peso") {
		unit = own // the sign of the dollar is that of the peso where people pay in it
	}
	if unit == nil {
		return meaning{}, false
	}
	v := amounts[0].num
	for k := amounts[0].from; k+1 < amounts[0].to; k++ {
		if s.SymbolAt(k, ",") && len(s.Low(k+1)) == 3 && k+2 == amounts[0].to {
			return meaning{}, false // 1,500 is a thousand and a half to some and one and a half to others
		}
	}
	if cents := m.part("count"); cents != nil {
		if cents.num >= 100 || unit.Factor != 1 || v != math.Trunc(v) {
			return meaning{}, false
		}
		v += cents.num / 100
	}
	if part := m.part("and_part"); part != nil {
		v += part.num
	}
	return m.find("money", currency.Amount{Value: v, Unit: unit, Own: s.Currency}, 0.95), true
}
