package extract

import (
	"slices"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// dayKinds are the built-in types that hold a day.
var dayKinds = message.Words("date datetime")

// laterDays finds, for two days of one task, the param that ends what the other begins: "return"
// for "depart".
func laterDays(agent *config.Agent) map[string]string {
	out := map[string]string{}
	pair := func(params []*config.Param) {
		var days []*config.Param
		for _, p := range params {
			if p != nil && p.Type != nil && dayKinds[p.Type.Builtin] && !slices.Contains(days, p) {
				days = append(days, p)
			}
		}
		if len(days) != 2 {
			return
		}
		switch first, second := ends(days[0]), ends(days[1]); {
		case second && !first:
			out[days[1].Name] = days[0].Name
		case first && !second:
			out[days[0].Name] = days[1].Name
		}
	}
	for _, in := range agent.Intents {
		pair(slices.Concat(in.Required, slices.Concat(in.OneOf...), in.Optional))
	}
	if len(agent.Intents) == 0 {
		pair(params(agent))
	}
	return out
}

// ends reports whether the name or the label of a param says that it is an end.
func ends(p *config.Param) bool {
	return slices.ContainsFunc(describe(p).words, func(w string) bool { return isNoun(w, "end_name") })
}

// Later moves a day that is named without its week, month or year behind the day with which its task
// begins: in "next tuesday, returning thursday" the thursday comes after the tuesday. It is called when
// it is known which of two days is which.
func (x *Extractor) Later(in *classifier.Input, values []message.Value) {
	if len(x.later) == 0 {
		return
	}
	for i := range values {
		v := &values[i]
		earlier, ok := x.later[v.Param]
		text, isText := v.Value.(string)
		if !ok || !isText || len(text) < len(time.DateOnly) {
			continue
		}
		begin := dayBefore(values, earlier, v.Start)
		if begin == "" {
			begin, _ = in.Params[earlier].(string)
		}
		if moved, ok := fromSibling(v, begin, in.Now); ok {
			v.Value = moved
			continue
		}
		if moved, ok := behind(text, begin, x.cycleOf(v.Text, in.Now)); ok {
			v.Value = moved
		}
	}
}

// fromSibling counts the days of "two days later" from the day that its task begins with, and not
// from today.
func fromSibling(v *message.Value, begin string, now time.Time) (string, bool) {
	s := message.New(v.Text, "", nil)
	day, ok, _ := moment(v.Value, now.Location())
	from, known, _ := moment(begin, now.Location())
	if !ok || !known || !s.IsTerm(len(s.Tokens)-1, "later_than") {
		return "", false
	}
	today := calendar.Clock{Now: now}.Today()
	return from.AddDate(0, 0, int(day.Sub(today).Hours()+12)/24).Format(time.DateOnly), true
}

// dayBefore is the last value of a param that stands before an offset.
func dayBefore(values []message.Value, param string, offset int) string {
	day := ""
	for _, v := range values {
		if text, ok := v.Value.(string); ok && v.Param == param && v.End <= offset {
			day = text
		}
	}
	return day
}

// behind moves a day round by round until it is not before another one; ok is false where
// there is nothing to move.
func behind(day, begin string, round calendar.Cycle) (string, bool) {
	if round == calendar.Once || len(begin) < len(time.DateOnly) || day[:len(time.DateOnly)] > begin[:len(time.DateOnly)] {
		return "", false
	}
	from, err := time.Parse(time.DateOnly, day[:len(time.DateOnly)])
	if err != nil {
		return "", false
	}
	for k := 1; k < 60; k++ {
		t, ok := round.Move(from, k)
		if text := t.Format(time.DateOnly); ok && text > begin[:len(time.DateOnly)] {
			return text + day[len(time.DateOnly):], true
		}
	}
	return "", false
}
