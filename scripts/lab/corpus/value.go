package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/slotway/slotway/classifier/extract"
)

// agrees reports whether a value is one of the accepted spellings: the same text except for case
// and punctuation, or the same number, amount, boolean, day or time.
func agrees(got any, accepted []string) bool {
	for _, want := range accepted {
		if fold(spelled(got)) == fold(want) || sameNumber(got, want) || sameMoment(got, want) || sameTruth(got, want) {
			return true
		}
	}
	list, ok := got.([]any)
	return ok && len(list) == 1 && agrees(list[0], accepted)
}

// fold returns a text without case, punctuation and a leading article.
func fold(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) > 1 && words[0] == "the" {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

var amount = regexp.MustCompile(`^\s*[$€£]?\s*(-?[\d,]*\.?\d+)\s*(?:[A-Z]{3}|dollars?|bucks|usd)?\s*$`)

// sameNumber compares figures by value: 1630 is 1,630.00 USD.
func sameNumber(got any, want string) bool {
	a, okA := figure(spelled(got))
	b, okB := figure(want)
	return okA && okB && a == b
}

func figure(s string) (float64, bool) {
	m := amount.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
	return f, err == nil
}

// sameMoment compares a day or a time in normal form with a spelling. A day may be written with the
// day or the month first.
func sameMoment(got any, want string) bool {
	text, ok := got.(string)
	if !ok || !isoDate.MatchString(text) && !isoTime.MatchString(text) || want == "" {
		return false
	}
	for _, dayFirst := range []bool{false, true} {
		found := extract.Recognize(want, time.Time{}.AddDate(1999, 0, 0), &extract.Options{DayFirst: dayFirst})
		if len(found) == 1 && found[0].Value == got && found[0].Text == want {
			return true
		}
	}
	return false
}

// sameTruth compares a boolean with yes or no.
func sameTruth(got any, want string) bool {
	truth, ok := got.(bool)
	return ok && (truth && fold(want) == "yes" || !truth && fold(want) == "no")
}

var (
	isoDate = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	isoTime = regexp.MustCompile(`^\d{1,2}:\d{2}$`)
)

// normal chooses the accepted spelling that the agent itself would hold. What is known before a
// turn is given in that form. ok is false if none fits.
func (p *param) normal(accepted []string, now time.Time) (v any, ok bool) {
	if len(accepted) == 0 {
		return nil, false
	}
	switch p.kind {
	case "integer", "number":
		for _, a := range accepted {
			if f, ok := figure(a); ok {
				return f, true
			}
		}
		return nil, false
	case "money":
		for _, a := range accepted {
			if f, ok := figure(a); ok {
				return strconv.FormatFloat(f, 'f', 2, 64) + " USD", true
			}
		}
	case "date":
		return p.recognise(accepted, isoDate, now)
	case "time":
		return p.recognise(accepted, isoTime, now)
	case "boolean":
		for _, a := range accepted {
			if b, err := strconv.ParseBool(strings.ToLower(a)); err == nil {
				return b, true
			}
		}
	case "enum":
		for _, v := range p.values {
			if agrees(v.value, accepted) {
				return v.value, true
			}
		}
		return nil, false
	}
	return accepted[0], true
}

// recognise returns the spelling in normal form, else the normal form of another one.
func (p *param) recognise(accepted []string, form *regexp.Regexp, now time.Time) (any, bool) {
	if i := slices.IndexFunc(accepted, form.MatchString); i >= 0 {
		return accepted[i], true
	}
	for _, a := range accepted {
		for _, e := range extract.Recognize(a, now, nil) {
			if e.Kind == p.kind {
				return e.Value, true
			}
		}
	}
	return accepted[0], true
}
