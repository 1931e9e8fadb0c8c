package when

import (
	"maps"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

var (
	weekdayNames = message.Words("monday tuesday wednesday thursday friday saturday sunday")
	// Words that are something else more often than a weekday or a month.
	doubtfulDays   = message.Words("sat sun mon wed")
	doubtfulMonths = message.Words("may march mar")
	// Which are the words that say which day, week or month is meant.
	Which     = message.Words("this next last coming following previous past upcoming current")
	dayCues   = message.Words("on by this next last until till before after from since starting due for to of every coming through and or")
	monthCues = message.Words("on by until till before after from since of due for in to")
)

var unitWords = map[string]calendar.Unit{
	"week": calendar.AWeek, "weekend": calendar.AWeekend, "workweek": calendar.AWorkWeek, "fortnight": calendar.AFortnight, "month": calendar.AMonth, "quarter": calendar.AQuarter,
	"year": calendar.AYear, "decade": calendar.ADecade, "century": calendar.ACentury, "hour": calendar.AnHour, "minute": calendar.AMinute, "second": calendar.ASecond, "min": calendar.AMinute, "hr": calendar.AnHour,
	"wk": calendar.AWeek, "yr": calendar.AYear,
}

// DateUnits maps units to the years, months and days that they move a date.
var DateUnits = map[string][3]int{
	"day": {0, 0, 1}, "days": {0, 0, 1}, "week": {0, 0, 7}, "weeks": {0, 0, 7}, "fortnight": {0, 0, 14}, "fortnights": {0, 0, 14},
	"month": {0, 1, 0}, "months": {0, 1, 0}, "quarter": {0, 3, 0}, "quarters": {0, 3, 0}, "year": {1, 0, 0}, "years": {1, 0, 0},
	"wk": {0, 0, 7}, "wks": {0, 0, 7}, "yr": {1, 0, 0}, "yrs": {1, 0, 0}, "decade": {10, 0, 0}, "decades": {10, 0, 0}, "century": {100, 0, 0}, "centuries": {100, 0, 0}, "night": {0, 0, 1}, "nights": {0, 0, 1},
}

// Roughly lists the words before an approximate value.
var Roughly = message.Words("around about approximately roughly circa approx near")

// Hourly are the words of a moment that is no day.
var Hourly = message.Words("hour hours hr hrs minute minutes min mins second seconds now")

// Starters are the words at which an expression of time may start.
var Starters = starters()

func starters() message.Set {
	s := message.Union(maps.Keys(starterWords), maps.Keys(bounds), maps.Keys(RelativeHeads), maps.Keys(DayParts), maps.Keys(edges), maps.Keys(calendar.Months), maps.Keys(holidayNames))
	for w := range calendar.Weekdays {
		s[w], s[w+"s"] = true, true
	}
	for w := range numbers.Units {
		s[w+"ish"] = true
	}
	return s
}

// starterWords lists the starters that no other table has.
var starterWords = message.Words(`a an the in at on noon midday midnight noonish now day couple few several within this next last coming following previous past upcoming
	from between during current same prior q h cy fy sy fiscal school financial academic calendar
	eod eoy eom eow ytd mtd wtd qtd year month week quarter every each all once twice bi semi business working office
	spring summer autumn fall winter entire full nineties eighties seventies sixties more less another half whole circa approximately around
	otd right just asap recently previously currently present rest remainder sun sat`)
