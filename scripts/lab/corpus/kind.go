package main

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/slotway/slotway/classifier/extract"
)

// kindShare is the share of a slot's training values that must be recognised as a
// built-in type for the slot to get it.
const kindShare = 0.75

// kindOf chooses the type of an open slot: the built-in type as which its training values are
// recognised, else what its name and description suggest, else text.
func kindOf(name, describe string, values []string, now time.Time) string {
	if k := recognised(values, now); k != "" {
		return k
	}
	about := " " + strings.Join(wordsOf(spoken(name)+" "+describe), " ") + " "
	switch {
	case shortShare(values) < kindShare:
		return "text" // addresses and sentences are no names
	case speaksOf(about, persons):
		return "person"
	case speaksOf(about, places):
		return "location"
	}
	return "text"
}

// Words that distinguish names of people and of places from other names.
var (
	persons = []string{"recipient", "person", "customer name", "patient", "guest name", "host", "full name", "your name", "employee", "name of the recipient"}
	places  = []string{"city", "area", "location", "airport", "neighborhood", "where"}
)

func speaksOf(about string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(about, " "+w+" ") })
}

// recognised returns the built-in type of most values, or "". An amount may be written as a bare
// number, a time of day as an hour.
func recognised(values []string, now time.Time) string {
	counts := map[string]int{}
	for _, v := range values {
		counts[wholeKind(v, now)]++
	}
	most, enough := "", int(kindShare*float64(len(values)))
	for _, k := range []string{"date", "time", "datetime", "money", "phone", "email", "duration", "percentage", "number"} {
		n := counts[k]
		switch k {
		case "money", "time":
			if n > 0 {
				n += counts["number"]
			}
		case "date":
			n += counts["ordinal"]
		}
		if len(values) > 0 && n >= max(enough, 1) && most == "" {
			most = k
		}
	}
	if most == "number" && whole(values) {
		return "integer"
	}
	return most
}

// digitsOnly returns the pattern of values that consist of digits, by their lengths, or "". Such
// ids may begin with zeros, unlike numbers.
func digitsOnly(values []string) string {
	shortest, longest := 0, 0
	for _, v := range values {
		if v == "" || strings.ContainsFunc(v, func(r rune) bool { return r < '0' || r > '9' }) {
			return ""
		}
		if shortest == 0 || len(v) < shortest {
			shortest = len(v)
		}
		longest = max(longest, len(v))
	}
	if shortest < 3 {
		return ""
	}
	return `\b\d{` + strconv.Itoa(shortest) + "," + strconv.Itoa(longest) + `}\b`
}

// wholeKind returns the type as which a whole value is recognised, except for function words.
func wholeKind(value string, now time.Time) string {
	found := extract.Recognize(value, now, nil)
	if len(found) != 1 {
		return ""
	}
	e := found[0]
	runes := []rune(value)
	for _, w := range append(wordsOf(string(runes[:e.Start])), wordsOf(string(runes[e.End:]))...) {
		if !empty[w] {
			return ""
		}
	}
	return e.Kind
}

// whole reports whether all numbers among the values are whole numbers.
func whole(values []string) bool {
	for _, v := range values {
		if f, err := strconv.ParseFloat(v, 64); err == nil && f != float64(int64(f)) {
			return false
		}
	}
	return true
}

// shortShare returns the share of values that look like a name: at most five words and no digit.
func shortShare(values []string) float64 {
	if len(values) == 0 {
		return 1
	}
	n := 0
	for _, v := range values {
		if len(strings.Fields(v)) <= 5 && !strings.ContainsFunc(v, unicode.IsDigit) {
			n++
		}
	}
	return float64(n) / float64(len(values))
}

// numeric reports whether all values of an enumeration are whole numbers, and their range.
func numeric(values []string) (lowest, highest int, ok bool) {
	for i, v := range values {
		n, err := strconv.Atoi(v)
		if err != nil {
			return 0, 0, false
		}
		if i == 0 {
			lowest, highest = n, n
		}
		lowest, highest = min(lowest, n), max(highest, n)
	}
	return lowest, highest, len(values) > 0
}
