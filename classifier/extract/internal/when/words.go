package when

import (
	"maps"

	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// Roughly lists the words before an approximate value.
var Roughly = message.Words("around about approximately roughly circa approx near")

// Hourly are the words of a moment that is no day.
var Hourly = message.Words("hour hours hr hrs minute minutes min mins second seconds now")

// Starters are the words at which an expression of time may start.
var Starters = starters()

func starters() message.Set {
	s := message.Union(maps.Keys(starterWords), maps.Keys(bounds), maps.Keys(DayParts), maps.Keys(edges))
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
