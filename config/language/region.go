package language

import (
	"golang.org/x/text/currency"
	"golang.org/x/text/language"
)

// Region says what is usual where the users of an agent live.
type Region struct {
	Country  string // ISO 3166, such as GB: how national telephone numbers are read; "": unknown
	Currency string // ISO 4217, of an amount without a currency; "": unknown
	Dates    Order  // of the figures of a date
}

// Order says which figure of a date such as 3/4 is the day.
type Order uint8

// The orders of day and month. Where a region writes both, nobody can tell the 3rd of April from the
// 4th of March.
const (
	EitherFirst Order = iota
	DayFirst
	MonthFirst
)

// orders are the regions that do not write the day first, after the date formats of CLDR 44. Where
// the year leads, the month comes before the day. Canada writes all of them.
var orders = map[string]Order{
	"AS": MonthFirst, "BZ": MonthFirst, "FM": MonthFirst, "GU": MonthFirst, "MH": MonthFirst, "MP": MonthFirst, "PH": MonthFirst,
	"PR": MonthFirst, "PW": MonthFirst, "UM": MonthFirst, "US": MonthFirst, "VI": MonthFirst,
	"CN": MonthFirst, "HU": MonthFirst, "JP": MonthFirst, "KP": MonthFirst, "KR": MonthFirst, "LT": MonthFirst, "MN": MonthFirst, "TW": MonthFirst,
	"CA": EitherFirst, "001": EitherFirst, "003": EitherFirst, "021": EitherFirst, "ZZ": EitherFirst,
}

// IsCountry reports whether a text is the code of a country, of two capital letters.
func IsCountry(code string) bool {
	region, err := language.ParseRegion(code)
	return err == nil && region.IsCountry() && region.String() == code && region.Canonicalize() == region
}

// RegionOf returns the region of a country. For "" it is the one that the tag names (GB of en-GB), or
// the home of the tag's language: most who speak German live in Germany. The tag "" is English, as
// in the United States.
func RegionOf(country, tag string) Region {
	if tag == "" {
		tag = English
	}
	region, _ := language.Make(tag).Region()
	if country != "" {
		region, _ = language.ParseRegion(country)
	}
	found := Region{Dates: DayFirst}
	if order, other := orders[region.String()]; other {
		found.Dates = order
	}
	if !region.IsCountry() {
		return found
	}
	found.Country = region.String()
	if unit, known := currency.FromRegion(region); known {
		found.Currency = unit.String()
	}
	return found
}
