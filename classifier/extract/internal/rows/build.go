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
		"named":     {buildNamed, []string{"named_day that_day part_day"}, 0},
		"weekday":   {buildWeekday, []string{"weekday"}, 0},
		"offset":    {buildOffset, nil, 1},
		"month_day": {buildMonthDay, nil, 0},
		"figures":   {buildFigures, []string{"dom"}, 0},
		"dom":       {buildDayOfMonth, []string{"dom day_word ordinal"}, 0},
		"decorated": {buildDecorated, []string{"weekday weekday_short", "calendar dom_day explains"}, 0},
		"feast":     {buildFeast, []string{"feast"}, 0},
		"same":      {buildSame, nil, 0},

		"nearest":        {buildNearest, []string{"explains"}, 0},
		"weekday_beside": {buildWeekdayBeside, []string{"weekday", "day"}, 0},
		"weekday_number": {buildWeekdayNumber, []string{"weekday", "dom"}, 0},
		"weekday_count":  {buildWeekdayCount, []string{"weekday_plural weekday"}, 1},
		"of_year":        {buildOfYear, []string{"explains"}, 0},
		"which_date":     {buildWhichDate, []string{"which", "explains"}, 0},
		"nth_of":         {buildNthOf, []string{"month_year"}, 0},
		"clock":          {buildClock, []string{"hour hour12 hh twelve hhmm"}, 0},
		"fixed":          {buildFixed, []string{"noon noon_part"}, 0},
		"halved":         {buildHalved, []string{"bare clock"}, 0},
		"at":             {buildAt, []string{"bare clock minutes_to ish_hour"}, 0},
		"letter":         {buildLetter, []string{"half_letter"}, 0},
		"bare":           {buildBare, []string{"bare twelve"}, 0},
		"part_hours":     {buildPartHours, []string{"day_part"}, 0},
		"part_named":     {buildPartNamed, nil, 0},
		"part_alone":     {buildPartAlone, []string{"part"}, 0},
		"hours_found":    {buildHoursFound, []string{"hours"}, 0},
		"now":            {buildNow, nil, 0},
		"end_of_day":     {buildEndOfDay, nil, 0},
		"edge_of_day":    {buildEdgeOfDay, []string{"day"}, 0},
		"near":           {buildNear, []string{"moment"}, 0},
		"the_edge":       {buildTheEdge, []string{"period"}, 0},
		"more_less":      {buildMoreLess, []string{"when"}, 0},
		"lengths":        {buildLengths, nil, 0},
		"date":           {buildDate, []string{"day"}, 0},
		"time":           {buildTime, []string{"clock at bare told hours_alone"}, 0},
		"time_said":      {buildTimeSaid, []string{"clock"}, 0},
		"hours_said":     {buildHoursSaid, []string{"hours_alone"}, 0},
		"moment":         {buildMoment, []string{"day dated dayed weekday weekday_day this_part"}, 0},
		"from_now":       {buildFromNow, []string{"length"}, 1},
		"skip":           {buildSkip, nil, 0},
		"duration":       {buildDuration, []string{"length loose"}, 0},
		"either":         {buildEitherLength, []string{"number", "amount", "date_unit clock_unit"}, 0},
		"number":         {buildNumber, []string{"number amount pair"}, 0},
		"ordinal":        {buildOrdinal, []string{"ordinal"}, 0},
		"percentage":     {buildPercentage, []string{"number amount"}, 0},
		"money":          {buildMoney, nil, 0},
		"two_days":       {buildTwoDays, []string{"day dom_day"}, 0},
		"either_day":     {buildEitherDay, []string{"dom day_number", "month"}, 0},
		"days_of":        {buildDaysOf, []string{"dom day_word day_number"}, 0},
		"stretch":        {buildStretch, nil, 0},
		"clock_stretch":  {buildClockStretch, []string{"which", "clock_unit"}, 0},
		"ahead":          {buildAhead, []string{"length count date_unit clock_unit"}, 0},
		"business_days":  {buildBusinessDays, []string{"which", "amount"}, 0},
		"year_month":     {buildYearMonth, []string{"yyyy", "mon"}, 0},
		"so_long":        {buildSoLong, []string{"day", "length"}, 0},
		"part_long":      {buildPartLong, []string{"month_year", "length"}, 0},
		"nth_week":       {buildNthWeek, []string{"month_year"}, 0},
		"week_number":    {buildWeekNumber, []string{"week_number"}, 0},
		"week_of":        {buildWeekOf, []string{"at_end"}, 0},
		"quarter_name":   {buildQuarterName, []string{"mon ordinal"}, 0},
		"quarter":        {buildQuarter, nil, 0},
		"unsettled":      {buildUnsettled, nil, 0},
		"decade":         {buildDecade, []string{"yyyy yy ordinal decade_word"}, 0},
		"to_date":        {buildToDate, []string{"to_date"}, 0},
		"rest":           {buildRest, nil, 0},
		"edge":           {buildEdge, []string{"over"}, 0},
		"month":          {buildMonth, []string{"month"}, 0},
		"year":           {buildYear, []string{"yyyy yy spelled_year"}, 0},
		"between":        {buildBetween, []string{"end"}, 0},
		"open":           {buildOpen, []string{"opens bound_tail", "end opened yyyy at"}, 0},
		"hours":          {buildHours, []string{"hour clock at hours_end hhmm"}, 0},
		"part_day":       {buildPartDay, []string{"day weekday_day this_part"}, 0},
		"day_alone":      {buildDayAlone, []string{"dom day_word ordinal"}, 0},
		"day_asked":      {buildDayAsked, []string{"dom_day"}, 0},
		"joined":         {buildJoined, []string{"weekday_part"}, 0},
		"part_of":        {buildPartOf, nil, 1},
		"figures_said":   {buildFiguresSaid, []string{"dom", "mon"}, 0},
		"codes":          {buildCodes, []string{"weekday weekday_plural"}, 0},
		"rule":           {buildRule, nil, 0},
		"monthly":        {buildMonthlyRule, nil, 0},
		"recurrence":     {buildRecurrence, nil, 0},

		"position":   {buildPosition, []string{"from_end"}, 0},
		"half":       {buildHalf, []string{"half_of"}, 0},
		"share":      {buildShare, []string{"count"}, 0},
		"notes":      {buildNotes, []string{"note"}, 0},
		"unit_alone": {buildUnitAlone, []string{"money_unit"}, 0},
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

// buildNamed is a day that has a name, counted from today. A date behind it explains it, and clashes
// where it is another one: "tomorrow, 13/04/21".
func buildNamed(s reader, m *match) (meaning, bool) {
	if that := m.part("that_day"); that != nil && that.num <= 0 && s.Low(m.to) == "of" {
		return meaning{}, false // the last day of may
	}
	named := s.Clock.InDays(int(m.part("named_day", "that_day", "part_day").num))
	if p := m.part("explains"); p != nil && !p.day.Next.Equal(named) && !p.day.Past.Equal(named) {
		p.day.Clash = true
		return meaning{day: p.day}, true
	}
	return meaning{day: calendar.OneDay(named)}, true
}

// buildWeekday is a weekday, of the week that a word before or behind it says. A param takes the
// "this friday" of a sunday to be the coming one; to the recogniser alone it is the one of this week.
func buildWeekday(s reader, m *match) (meaning, bool) {
	mod, w := "", m.part("weekday")
	if which := m.part("which", "which_after"); which != nil {
		mod = which.word
	}
	ofWeek := len(m.args) > 0 && m.args[0] == "week"
	switch {
	case ofWeek && mod == "coming":
		mod = "next"
	case ofWeek && mod == "past":
		mod = "last"
	case len(m.args) > 0 && m.args[0] == "sure" && s.IsTerm(w.from, "doubtful_weekday") && !s.SureDay(w.from, m.to):
		return meaning{}, false
	}
	d := s.Clock.Weekday(weekdayOf(w), mod)
	if !s.Ranges && mod == "this" && d.Next.Before(s.Clock.Today()) {
		d = calendar.OneDay(d.Next.AddDate(0, 0, 7)) // what is wanted lies ahead
	}
	return meaning{day: d}, true
}

// buildNearest is a date with its weekday and a word that says which one: of two years the nearer.
func buildNearest(s reader, m *match) (meaning, bool) {
	d := m.part("explains").day
	return meaning{day: calendar.OneDay(d.Nearest(s.Clock))}, !d.Unreal
}

// buildWeekdayBeside is the nearest weekday before or after a day: "friday before christmas".
func buildWeekdayBeside(_ reader, m *match) (meaning, bool) {
	d := m.part("day").day
	if d.Unreal {
		return meaning{}, false
	}
	step := 1
	if m.has("before") {
		step = -1
	}
	t := d.Picked().AddDate(0, 0, step)
	for t.Weekday() != weekdayOf(m.part("weekday")) {
		t = t.AddDate(0, 0, step)
	}
	return meaning{day: calendar.OneDay(t)}, true
}

// has reports whether a word stands in a match.
func (m *match) has(word string) bool {
	return slices.ContainsFunc(m.parts, func(p meaning) bool { return p.name == "" && p.word == word })
}

// buildWeekdayNumber is a weekday with the number of its day: "sunday 31".
func buildWeekdayNumber(s reader, m *match) (meaning, bool) {
	d, n := s.DayOfName(weekdayOf(m.part("weekday")), m.part("dom").from)
	return meaning{day: d}, n > 0
}

// buildWeekdayCount is "two mondays from now": the nth such day on that side of today.
func buildWeekdayCount(s reader, m *match) (meaning, bool) {
	many, w := 2, weekdayOf(m.part("weekday_plural", "weekday")) // monday week is the second one
	if p := m.part("count"); p != nil {
		many = int(p.num)
	}
	if many < 2 || many > when.MostUnits {
		return meaning{}, false
	}
	if m.args[0] == "-" {
		return meaning{day: calendar.OneDay(s.Clock.Weekday(w, "past").Next.AddDate(0, 0, -7*(many-1)))}, true
	}
	return meaning{day: calendar.OneDay(s.Clock.Weekday(w, "coming").Next.AddDate(0, 0, 7*(many-1)))}, true
}

// buildOffset is a day at a length of time from another one or from today, one day where no length is
// said: "in 3 days", "two days before christmas", "the day after christmas". A length that ends within
// a day is in no calendar.
func buildOffset(s reader, m *match) (meaning, bool) {
	sign, length := 1, calendar.Length{}
	if m.args[0] == "-" {
		sign = -1
	}
	many := 1.0
	if p := m.part("amount"); p != nil {
		many = p.num
	}
	unit := "day"
	if p := m.part("date_unit"); p != nil {
		unit = p.word
	}
	if len(m.args) > 1 {
		many = float64(message.Atoi(m.args[1]))
	}
	length, _ = calendar.Of(many, unit)
	if p := m.part("length"); p != nil {
		length = p.length
	}
	if !length.Calendar() || many < 0 || length.Most() > when.MostUnits || length.Vague && !s.Ranges {
		return meaning{}, false
	}
	from, base := s.Clock.Today(), m.part("base", "day")
	if base != nil {
		if base.day.Unreal || base.day.Next.IsZero() || s.Low(m.from-1) == "for" && m.has("from") && s.Figured(base.from, base.to) {
			return meaning{}, false // "for two weeks from july 1st" begins on that day
		}
		if from = base.day.Next; base.name == "base" {
			from = base.day.Picked()
		}
	}
	step, whole := length.Steps()
	if !whole {
		return meaning{day: calendar.Days{Unreal: true}}, base == nil
	}
	return meaning{day: calendar.OneDay(calendar.Move(from, step, sign)), vague: length.Vague}, true
}

// buildMonthDay is a day of a month, of a year that was said or not.
func buildMonthDay(s reader, m *match) (meaning, bool) {
	dom, month := m.part("dom", "day_word", "ordinal", "day_number"), m.part("month", "month_short", "mon")
	if dom == nil || month == nil || dom.num < 1 || dom.num > 31 || !m.evenlyMarked() || !s.monthMeant(m, dom, month) {
		return meaning{}, false
	}
	day, mon := int(dom.num), time.Month(int(month.num))
	if y := m.part("yyyy", "behind_year", "spelled_year"); y != nil {
		t, ok := s.Clock.Day(int(y.num), mon, day)
		return meaning{day: calendar.Days{Past: t, Next: t, Unreal: !ok}}, ok || len(m.args) == 0 || m.args[0] != "real"
	}
	if y := m.part("yy"); y != nil {
		past, next := calendar.ShortYears(int(y.num), 2)
		t, ok := s.Clock.Day(past, mon, day)
		u, _ := s.Clock.Day(next, mon, day)
		return meaning{day: calendar.Days{Past: t, Next: u, Unreal: !ok}}, true
	}
	if m.part("which", "which_after", "of_year") != nil {
		t, ok := s.Clock.Day(s.Clock.Now.Year()+m.shiftOf(), mon, day)
		return meaning{day: calendar.Days{Past: t, Next: t, Unreal: !ok}}, true
	}
	return meaning{day: s.Clock.Yearly(mon, day)}, true
}

// buildFigures is a day in figures, whose order the region says: 11/21/2026, 21.11.
func buildFigures(s reader, m *match) (meaning, bool) {
	doms, how := m.all("dom"), strings.Join(m.args, "")
	if how != "" && !s.FiguresStand(how, m.from, m.to-m.from) || !m.evenlyMarked() {
		return meaning{}, false
	}
	a, b, past, next := int(doms[0].num), int(doms[1].num), 0, 0
	if y := m.part("yyyy", "yy"); y != nil {
		past, next = calendar.ShortYears(int(y.num), len(y.word))
	}
	dayLeads := s.SymbolAt(doms[0].to, ".")
	if how == "led" {
		dayLeads = s.Clock.DayFirst || s.Asked == "date" || s.Asked == "daterange"
	}
	d := s.Clock.Ordered(a, b, past, next, dayLeads)
	return meaning{day: d}, !d.Unreal || how != "led" && (s.Ranges && min(a, b) <= 12 || s.PointsAsked(m.from))
}

// evenlyMarked reports whether the marks between the figures of a day, if any, are the same: not 30/4.85.
func (m *match) evenlyMarked() bool {
	first := ""
	for k := range m.parts {
		p := &m.parts[k]
		if p.name != "" || !strings.Contains("-/.", p.word) {
			continue
		}
		if first != "" && p.word != first {
			return false
		}
		first = p.word
	}
	return true
}

// monthMeant reports whether a word that is not only a month is one beside the number of a day: not
// in "may 5 people come" and "the second may be late".
func (s reader) monthMeant(m *match, dom, month *meaning) bool {
	switch {
	case len(m.args) == 0, m.args[0] == "real", m.args[0] == "marked":
		return true
	case m.args[0] == "behind":
		return !s.MonthIsVerb(month.from, dom.word == "ordinal")
	}
	said := s.Capital(month.from) || dom.word == "ordinal" || m.part("behind_year", "of_year") != nil
	return said || !s.IsTerm(month.from, "doubtful_month") || s.EndsTerm(m.from, "month_lead") > 0 ||
		(s.Ends(m.to) || s.IsTerm(m.to, "open_tail")) && s.EndsTerm(m.from, "pronoun") == 0
}

// buildOfYear moves a day that is named without its year into one.
func buildOfYear(s reader, m *match) (meaning, bool) {
	d := m.part("explains").day
	t, ok := s.Clock.Day(s.Clock.Now.Year()+m.shiftOf(), d.Next.Month(), d.Next.Day())
	return meaning{day: calendar.OneDay(t)}, ok && !d.Unreal && d.Cycle == calendar.Yearly
}

// buildWhichDate is "next 5/12", "last may 5".
func buildWhichDate(_ reader, m *match) (meaning, bool) {
	d := m.part("explains").day
	if d.Unreal || d.Cycle != calendar.Yearly || m.shiftOf() == 0 {
		return meaning{}, false
	}
	if m.shiftOf() > 0 {
		return meaning{day: calendar.OneDay(d.Next)}, true
	}
	return meaning{day: calendar.OneDay(d.Past)}, true
}

// buildDayOfMonth is a day named by its number alone.
func buildDayOfMonth(s reader, m *match) (meaning, bool) {
	dom := m.part("dom", "day_word", "ordinal")
	if dom.num < 1 || dom.num > 31 {
		return meaning{}, false
	}
	if len(m.args) > 0 && m.args[0] == "figures" && s.Tokens[dom.from].Class != message.Digits {
		return meaning{}, false
	}
	if len(m.args) > 0 && m.args[0] == "stands" && !s.numberStands(m, dom) {
		return meaning{}, false
	}
	if len(m.args) > 0 && m.args[0] == "month" { // of this month, of the next
		if m.part("which", "which_after") == nil || s.language.Coded && !s.Ranges && m.shiftOf() == 0 {
			return meaning{day: s.Clock.Monthly(int(dom.num))}, true
		}
		t := s.Clock.Stretch(calendar.AMonth, when.Shifts[m.part("which", "which_after").word]).Start
		d, ok := s.Clock.Day(t.Year(), t.Month(), int(dom.num))
		return meaning{day: calendar.Days{Past: d, Next: d, Unreal: !ok}}, true
	}
	return meaning{day: s.Clock.Monthly(int(dom.num))}, true
}

// numberStands reports whether "the 21st" is a day by what stands around it.
func (s reader) numberStands(m *match, dom *meaning) bool {
	article := dom.from > m.from
	if dom.name == "dom" {
		return s.DayLeads(dom.from, article)
	}
	after := m.to
	if !article && s.Tokens[dom.from].Class == message.Letters {
		return false
	}
	return s.DayNumberStands(m.from, dom.from, after, dom.num)
}

// buildDecorated is a date with its weekday: one that it is not clashes.
func buildDecorated(s reader, m *match) (meaning, bool) {
	w, d := m.part("weekday", "weekday_short"), m.part("calendar", "dom_day", "explains")
	if s.Glued(d.from) && s.Tokens[d.from-1].Class == message.Letters {
		return meaning{}, false // fri3nd
	}
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

// buildFeast is a day of the year that has a name, of a year that was said or not.
func buildFeast(s reader, m *match) (meaning, bool) {
	h, err := calendar.ParseHoliday(m.part("feast").word)
	if err != nil {
		return meaning{}, false
	}
	around := h.Around(s.Clock)
	switch y := m.part("yyyy", "behind_year"); {
	case y != nil:
		return meaning{day: calendar.OneDay(h.In(s.Clock, int(y.num)))}, true
	case m.part("of_year") != nil || m.part("which") != nil && m.shiftOf() == 0:
		return meaning{day: calendar.OneDay(h.In(s.Clock, s.Clock.Now.Year()+m.shiftOf()))}, true
	case m.shiftOf() > 0:
		return meaning{day: calendar.OneDay(around.Next)}, true
	case m.shiftOf() < 0:
		return meaning{day: calendar.OneDay(around.Past)}, true
	}
	if h.Moves() {
		around.Moves = true
	}
	return meaning{day: around}, true
}

// buildNthOf is "the first monday of next month", "the last day of the year".
func buildNthOf(s reader, m *match) (meaning, bool) {
	nth, over, w := -1, m.part("month_year").find, m.part("weekday")
	if p := m.part("ordinal"); p != nil {
		nth = int(p.num)
	}
	if len(over.Readings) == 0 || nth > 366 || w == nil && nth > 1 && over.Unit == calendar.AMonth || w != nil && nth > 5 {
		return meaning{}, false
	}
	pick := func(v calendar.Interval) time.Time {
		last := v.End.AddDate(0, 0, -1)
		switch {
		case w != nil && nth < 0:
			return s.Clock.NthWeekday(last.Year(), last.Month(), weekdayOf(w), nth)
		case w != nil:
			return s.Clock.NthWeekday(v.Start.Year(), v.Start.Month(), weekdayOf(w), nth)
		case nth < 0:
			return last
		}
		return v.Start.AddDate(0, 0, nth-1)
	}
	first, latest := over.Readings[0], over.Readings[len(over.Readings)-1]
	d := calendar.Days{Past: pick(first), Next: pick(latest), Cycle: over.Cycle}
	if !d.Sure() && d.Next.Before(s.Clock.Today()) { // it was in this month already
		d.Past, d.Next = d.Next, pick(calendar.Interval{Start: latest.Start.AddDate(1, 0, 0), End: latest.End.AddDate(1, 0, 0)})
	}
	return meaning{day: d}, true
}
