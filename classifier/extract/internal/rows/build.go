package rows

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/when"
	"github.com/slotway/slotway/classifier/message"
)

// builder makes the meaning of a row from its parts. A builder that refuses leaves the row unread.
type builder struct {
	build func(s reader, m *match) (meaning, bool)
	needs []string // of each, words for parts of which one must be in the row
	args  int      // how many words it wants behind its name
}

// builders maps the names behind the => of a row to functions.
var builders map[string]builder

func init() { // they read grammars, which are checked against their names
	builders = map[string]builder{
		"named":         {buildNamed, []string{"named_day"}, 0},
		"weekday":       {buildWeekday, []string{"weekday"}, 0},
		"offset":        {buildOffset, nil, 1},
		"month_day":     {buildMonthDay, nil, 0},
		"dom":           {buildDayOfMonth, []string{"dom day_word ordinal"}, 0},
		"decorated":     {buildDecorated, []string{"weekday weekday_short", "calendar dom_day"}, 0},
		"feast":         {buildFeast, []string{"feast"}, 0},
		"nth_weekday":   {buildNthWeekday, []string{"weekday", "ordinal last"}, 0},
		"same":          {buildSame, nil, 0},
		"clock":         {buildClock, []string{"hour hour12 hh"}, 0},
		"fixed":         {buildFixed, []string{"noon"}, 0},
		"lengths":       {buildLengths, nil, 0},
		"date":          {buildDate, []string{"day"}, 0},
		"time":          {buildTime, []string{"clock bare told hours_alone"}, 0},
		"time_said":     {buildTimeSaid, []string{"clock"}, 0},
		"hours_said":    {buildHoursSaid, []string{"hours_alone"}, 0},
		"moment":        {buildMoment, []string{"day weekday_day this_part", "clock at bare hours_alone"}, 0},
		"from_now":      {buildFromNow, []string{"length"}, 1},
		"skip":          {buildSkip, nil, 0},
		"duration":      {buildDuration, []string{"length loose"}, 0},
		"either":        {buildEitherLength, []string{"number", "amount", "date_unit clock_unit"}, 0},
		"number":        {buildNumber, []string{"number pair"}, 0},
		"ordinal":       {buildOrdinal, []string{"ordinal"}, 0},
		"percentage":    {buildPercentage, []string{"number amount"}, 0},
		"money":         {buildMoney, nil, 0},
		"two_days":      {buildTwoDays, []string{"day dom_day"}, 0},
		"days_of":       {buildDaysOf, []string{"dom day_word"}, 0},
		"stretch":       {buildStretch, nil, 0},
		"clock_stretch": {buildClockStretch, []string{"which", "clock_unit"}, 0},
		"ahead":         {buildAhead, []string{"length count date_unit clock_unit"}, 0},
		"business_days": {buildBusinessDays, []string{"which", "amount"}, 0},
		"year_month":    {buildYearMonth, []string{"yyyy", "mon"}, 0},
		"nth_week":      {buildNthWeek, []string{"month_year"}, 0},
		"week_number":   {buildWeekNumber, []string{"week_number"}, 0},
		"week_of":       {buildWeekOf, []string{"day_end"}, 0},
		"quarter_name":  {buildQuarterName, []string{"mon ordinal"}, 0},
		"quarter":       {buildQuarter, nil, 0},
		"unsettled":     {buildUnsettled, nil, 0},
		"decade":        {buildDecade, []string{"yyyy yy ordinal decade_word"}, 0},
		"to_date":       {buildToDate, []string{"to_date"}, 0},
		"rest":          {buildRest, nil, 0},
		"edge":          {buildEdge, []string{"over"}, 0},
		"month":         {buildMonth, []string{"month"}, 0},
		"year":          {buildYear, []string{"yyyy yy spelled_year"}, 0},
		"between":       {buildBetween, []string{"end"}, 0},
		"open":          {buildOpen, []string{"opens", "end"}, 0},
		"hours":         {buildHours, []string{"hour clock at"}, 0},
		"part":          {buildPart, nil, 1},
		"part_day":      {buildPartDay, []string{"day weekday_day this_part"}, 0},
		"day_alone":     {buildDayAlone, []string{"dom day_word ordinal"}, 0},
		"day_asked":     {buildDayAsked, []string{"dom_day"}, 0},
		"joined":        {buildJoined, []string{"weekday_part"}, 0},
		"part_of":       {buildPartOf, nil, 1},
		"figures_said":  {buildFiguresSaid, []string{"dom", "mon"}, 0},
		"counted":       {buildCounted, []string{"count", "date_unit", "which"}, 0},
		"codes":         {buildCodes, []string{"weekday weekday_plural"}, 0},
		"rule":          {buildRule, nil, 0},
		"monthly":       {buildMonthlyRule, nil, 0},
		"recurrence":    {buildRecurrence, nil, 0},
	}
}

// check reports what a row lacks that its builder needs.
func (b *builder) check(r *row) error {
	if len(r.args) < b.args {
		return fmt.Errorf("%q wants %d more words behind it", r.build, b.args-len(r.args))
	}
	for _, names := range b.needs {
		if !slices.ContainsFunc(r.items, func(it item) bool {
			return !it.optional && slices.Contains(strings.Fields(names), it.name)
		}) {
			return fmt.Errorf("%q wants one of <%s> in the pattern", r.build, strings.ReplaceAll(names, " ", "> <"))
		}
	}
	return nil
}

// buildSame returns the only part that has a meaning.
func buildSame(_ reader, m *match) (meaning, bool) {
	for _, p := range m.parts {
		if p.name != "" {
			return p, true
		}
	}
	return meaning{}, false
}

// buildNamed is a day that has a name, counted from today.
func buildNamed(s reader, m *match) (meaning, bool) {
	return meaning{day: calendar.OneDay(s.Clock.InDays(int(m.part("named_day").num)))}, true
}

// buildWeekday is a weekday, of the week that a word before or behind it says.
func buildWeekday(s reader, m *match) (meaning, bool) {
	mod := ""
	if which := m.part("which", "which_after"); which != nil {
		mod = which.word
	}
	if len(m.args) > 0 && m.args[0] == "week" && mod == "coming" {
		mod = "next"
	}
	d := s.Clock.Weekday(weekdayOf(m.part("weekday")), mod)
	if !s.Ranges && mod == "this" && len(m.args) == 0 && d.Next.Before(s.Clock.Today()) {
		d = calendar.OneDay(d.Next.AddDate(0, 0, 7)) // what is wanted lies ahead
	}
	return meaning{day: d}, true
}

// buildOffset is a day so many units from another one, or from today.
func buildOffset(s reader, m *match) (meaning, bool) {
	sign := 1
	if m.args[0] == "-" {
		sign = -1
	}
	base := s.Clock.Today()
	if d := m.part("base"); d != nil {
		if d.day.Unreal || d.day.Next.IsZero() {
			return meaning{}, false
		}
		base = d.day.Picked()
	}
	if len(m.args) > 1 {
		return meaning{day: calendar.OneDay(base.AddDate(0, 0, sign*message.Atoi(m.args[1])))}, true
	}
	v, u := m.part("amount", "count", "number"), m.part("date_unit")
	if u == nil {
		return meaning{}, false
	}
	step, ok := when.DateUnits[u.word]
	many := 1.0
	if v != nil {
		many = v.num
	}
	if !ok || many != float64(int(many)) || many < 0 || many > when.MostUnits {
		return meaning{}, false
	}
	for k := range step {
		step[k] *= int(many)
	}
	return meaning{day: calendar.OneDay(calendar.Move(base, step, sign))}, true
}

// buildMonthDay is a day of a month, of a year that was said or not.
func buildMonthDay(s reader, m *match) (meaning, bool) {
	dom, month := m.part("dom", "day_word", "ordinal"), m.part("month", "month_short", "mon")
	if dom == nil || month == nil || dom.num < 1 || dom.num > 31 {
		return meaning{}, false
	}
	day, mon := int(dom.num), time.Month(int(month.num))
	if y := m.part("yyyy"); y != nil {
		t, ok := s.Clock.Day(int(y.num), mon, day)
		return meaning{day: calendar.Days{Past: t, Next: t, Unreal: !ok}}, true
	}
	if y := m.part("yy"); y != nil {
		past, next := calendar.ShortYears(int(y.num), 2)
		t, ok := s.Clock.Day(past, mon, day)
		u, _ := s.Clock.Day(next, mon, day)
		return meaning{day: calendar.Days{Past: t, Next: u, Unreal: !ok}}, true
	}
	if which := m.part("which", "which_after"); which != nil {
		y := s.Clock.Now.Year() + shifts[which.word]
		t, ok := s.Clock.Day(y, mon, day)
		return meaning{day: calendar.Days{Past: t, Next: t, Unreal: !ok}}, true
	}
	return meaning{day: s.Clock.Yearly(mon, day)}, true
}

// shifts maps words to the number of weeks, months or years that they move.
var shifts = map[string]int{"this": 0, "next": 1, "coming": 1, "last": -1, "past": -1}

// buildDayOfMonth is a day named by its number alone.
func buildDayOfMonth(s reader, m *match) (meaning, bool) {
	dom := m.part("dom", "day_word", "ordinal")
	if dom.num < 1 || dom.num > 31 {
		return meaning{}, false
	}
	if len(m.args) > 0 { // of this month, of the next
		t := s.Clock.Stretch(calendar.AMonth, shifts[m.part("which", "which_after").word]).Start
		d, ok := s.Clock.Day(t.Year(), t.Month(), int(dom.num))
		return meaning{day: calendar.Days{Past: d, Next: d, Unreal: !ok}}, true
	}
	return meaning{day: s.Clock.Monthly(int(dom.num))}, true
}

// buildDecorated is a date with its weekday: one that it is not clashes.
func buildDecorated(_ reader, m *match) (meaning, bool) {
	w, d := m.part("weekday", "weekday_short"), m.part("calendar", "dom_day")
	if d.day.Unreal {
		return meaning{day: d.day}, true
	}
	if d.day.Cycle == calendar.Monthly {
		on := d.day.On(weekdayOf(w))
		on.Clash = d.day.Past.Weekday() != weekdayOf(w) && d.day.Next.Weekday() != weekdayOf(w)
		return meaning{day: on}, true
	}
	return meaning{day: d.day.Named(weekdayOf(w))}, true
}

// buildFeast is a day of the year that has a name: "12-25".
func buildFeast(s reader, m *match) (meaning, bool) {
	t, err := time.Parse("01-02", m.part("feast").word)
	if err != nil {
		return meaning{}, false
	}
	if y := m.part("yyyy"); y != nil {
		d, ok := s.Clock.Day(int(y.num), t.Month(), t.Day())
		return meaning{day: calendar.OneDay(d)}, ok
	}
	return meaning{day: s.Clock.Yearly(t.Month(), t.Day())}, true
}

// buildNthWeekday is "der erste Montag im Juni": the nth of its name in a month.
func buildNthWeekday(s reader, m *match) (meaning, bool) {
	nth, w := m.part("ordinal", "last"), weekdayOf(m.part("weekday"))
	n := int(nth.num)
	if nth.name == "last" {
		n = -1
	}
	if n > 5 {
		return meaning{}, false
	}
	of := func(v calendar.Interval) time.Time {
		if n < 0 {
			last := v.End.AddDate(0, 0, -1)
			return s.Clock.NthWeekday(last.Year(), last.Month(), w, n)
		}
		return s.Clock.NthWeekday(v.Start.Year(), v.Start.Month(), w, n)
	}
	month := m.part("month")
	if month == nil {
		shift := 0
		if which := m.part("which", "which_after"); which != nil {
			shift = shifts[which.word]
		}
		return meaning{day: calendar.OneDay(of(s.Clock.Stretch(calendar.AMonth, shift)))}, true
	}
	mon := time.Month(int(month.num))
	if y := m.part("yyyy"); y != nil {
		return meaning{day: calendar.OneDay(of(s.Clock.Month(int(y.num), mon)))}, true
	}
	d := calendar.Days{Cycle: calendar.Yearly}
	for k := -1; k <= 1; k++ {
		t := of(s.Clock.Month(s.Clock.Now.Year()+k, mon))
		if t.Before(s.Clock.Today()) {
			d.Past = t
		} else if d.Next.IsZero() {
			d.Next = t
		}
	}
	return meaning{day: d}, true
}
