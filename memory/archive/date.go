package archive

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/memory"
)

const maxDates = 12

var (
	isoDate    = pattern.Must(`\b(\d{4})-(\d{2})-(\d{2})\b`)
	monthFirst = pattern.Must(`(?i)\b(` + monthNames + `)\.? (\d{1,2})(?:st|nd|rd|th)?\b(?:,? (\d{4})\b)?`)
	dayFirst   = pattern.Must(`(?i)\b(\d{1,2})(?:st|nd|rd|th)? (?:of )?(` + monthNames + `)\b(?:,? (\d{4})\b)?`)
)

const monthNames = `jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?`

var monthNumber = map[string]int{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}

func monthOf(name string) int { return monthNumber[strings.ToLower(name)[:3]] }

// dates returns the days that a range mentions, in order. A day without a year is taken to be in
// the year of its message.
func dates(said []sentence, messages []memory.Message) []string {
	var out []string
	add := func(year, month, day int) {
		at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		if at.Day() != day || at.Month() != time.Month(month) || year < 1000 {
			return // no such day
		}
		out = append(out, at.Format(time.DateOnly))
	}
	for i := range said {
		text, now := said[i].text, messages[said[i].message].Timestamp.Year()
		for _, m := range isoDate.FindAllStringSubmatch(text, -1) {
			add(number(m[1]), number(m[2]), number(m[3]))
		}
		for _, m := range monthFirst.FindAllStringSubmatch(text, -1) {
			add(cmp.Or(number(m[3]), now), monthOf(m[1]), number(m[2]))
		}
		for _, m := range dayFirst.FindAllStringSubmatch(text, -1) {
			add(cmp.Or(number(m[3]), now), monthOf(m[2]), number(m[1]))
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), maxDates)]
}

// number parses digits; it returns 0 for none.
func number(digits string) int {
	n, _ := strconv.Atoi(digits) // the patterns match digits only
	return n
}
