package eval

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/slotway/slotway/classifier/extract"
)

// adapter puts the values of one type of cases, and ours, into one form.
type adapter struct {
	kinds    map[string]string                                        // our kind to the expected type
	expected func(e *Expected, input string) []string                 // every value that is listed
	found    func(e *extract.Entity) (values []string, chosen string) // every value that is possible, and the one that a param takes
}

// recognised is the table of adapters by the type of a case. A type of its own on either
// side is a line here.
var recognised = map[string]adapter{
	"number":      {map[string]string{"number": "number"}, wantNumber, gotNumber},
	"ordinal":     {map[string]string{"ordinal": "ordinal"}, wantNumber, gotNumber},
	"percentage":  {map[string]string{"percentage": "percentage"}, wantNumber, gotNumber},
	"currency":    {map[string]string{"money": "currency"}, wantMoney, gotMoney},
	"phonenumber": {map[string]string{"phone": "phonenumber"}, wantText, gotText},
	"email":       {map[string]string{"email": "email"}, wantText, gotText},
	"url":         {map[string]string{"url": "url"}, wantText, gotText},
	"boolean":     {map[string]string{"boolean": "boolean"}, wantBoolean, gotValue},
	"datetime": {map[string]string{
		"date": "datetimeV2.date", "time": "datetimeV2.time", "datetime": "datetimeV2.datetime",
		"daterange": "datetimeV2.daterange", "timerange": "datetimeV2.timerange", "datetimerange": "datetimeV2.datetimerange",
		"duration": "datetimeV2.duration", "recurrence": "datetimeV2.set",
	}, wantTime, gotTime},
}

func caseTypes() []string { return slices.Sorted(maps.Keys(recognised)) }

// wantNumber reads "1.2732E+15", "20%" and "1"; what is no number, such as "end-1", stays
// as it is.
func wantNumber(e *Expected, _ string) []string {
	text := fmt.Sprint(e.Resolution["value"])
	if v, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64); err == nil {
		return []string{figure(v)}
	}
	return []string{text}
}

func gotNumber(e *extract.Entity) ([]string, string) {
	text := fmt.Sprint(e.Value)
	if v, ok := e.Value.(float64); ok {
		text = figure(v)
	}
	return []string{text}, text
}

// figure writes a number with the 12 digits that both sides agree on.
func figure(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }

// generic are the names of currencies that several countries share, with the code that
// ours gives them where nothing says which.
var generic = map[string]string{
	"Dollar": "USD", "Pound": "GBP", "Franc": "CHF", "Rupee": "INR", "Bitcoin": "BTC", "Peso": "MXN",
	"Cent": "USD", "Penny": "GBP", "Pence": "GBP", "Sen": "JPY",
}

// hundredths are the units of which ours counts the whole: 50 cents are 0.50 USD.
var hundredths = map[string]bool{"Cent": true, "Penny": true, "Pence": true, "Sen": true}

// wantMoney is an amount and an ISO 4217 code, as in "12.5 USD"; the unit's name where no
// code is known; the unit alone where no amount is given.
func wantMoney(e *Expected, _ string) []string {
	unit, _ := e.Resolution["unit"].(string)
	code, ok := e.Resolution["isoCurrency"].(string)
	if !ok {
		if code = generic[unit]; code == "" {
			code = unit
		}
	}
	text, ok := e.Resolution["value"].(string)
	v, err := strconv.ParseFloat(text, 64)
	if !ok || err != nil {
		return []string{code}
	}
	if hundredths[unit] {
		v /= 100
	}
	return []string{figure(v) + " " + code}
}

// gotMoney reads "12.50 USD".
func gotMoney(e *extract.Entity) ([]string, string) {
	text := fmt.Sprint(e.Value)
	amount, code, _ := strings.Cut(text, " ")
	if v, err := strconv.ParseFloat(amount, 64); err == nil {
		text = strings.TrimSpace(figure(v) + " " + code)
	}
	return []string{text}, text
}

// wantText is the span itself: the normal forms of the two sides differ by intention.
func wantText(e *Expected, input string) []string {
	return []string{string([]rune(input)[e.Start:e.End])}
}

func gotText(e *extract.Entity) ([]string, string) { return []string{e.Text}, e.Text }

func wantBoolean(e *Expected, _ string) []string { return []string{fmt.Sprint(e.Resolution["value"])} }

func gotValue(e *extract.Entity) ([]string, string) {
	text := fmt.Sprint(e.Value)
	return []string{text}, text
}

// openEnd stands for the end of an interval that is open.
const openEnd = ".."

// wantTime lists "2016-11-07", "15:04:05", "2016-11-07 15:04:05", seconds of a duration,
// and START/END.
func wantTime(e *Expected, _ string) []string {
	list, _ := e.Resolution["values"].([]any)
	var out []string
	for _, item := range list {
		m, _ := item.(map[string]any)
		if v, ok := m["value"]; ok {
			out = append(out, fmt.Sprint(v))
			continue
		}
		start, end := openEnd, openEnd
		if v, ok := m["start"]; ok {
			start = fmt.Sprint(v)
		}
		if v, ok := m["end"]; ok {
			end = fmt.Sprint(v)
		}
		out = append(out, start+"/"+end)
	}
	return out
}
