package entities

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/extract"
)

// adapter runs the recogniser of one type of cases, and puts the values of the cases and
// ours into one form.
type adapter struct {
	recognise func(text string, now time.Time) []extract.Entity
	kinds     map[string]string                                        // our kind to the expected type
	expected  func(e *Expected, input string) []string                 // every value that is listed
	found     func(e *extract.Entity) (values []string, chosen string) // every value that is possible, and the one that a param takes
}

// recognised is the table of adapters by the type of a case. A type of its own on either
// side is a line here.
var recognised = map[string]adapter{
	"number":      {alone("number"), map[string]string{"number": "number"}, wantNumber, gotNumber},
	"ordinal":     {alone("ordinal"), map[string]string{"ordinal": "ordinal"}, wantNumber, gotOrdinal},
	"percentage":  {alone("percentage"), map[string]string{"percentage": "percentage"}, wantNumber, gotNumber},
	"currency":    {alone("money"), map[string]string{"money": "currency"}, wantMoney, gotMoney},
	"phonenumber": {alone("phone"), map[string]string{"phone": "phonenumber"}, wantText, gotText},
	"email":       {alone("email"), map[string]string{"email": "email"}, wantText, gotText},
	"url":         {alone("url"), map[string]string{"url": "url"}, wantText, gotText},
	"boolean":     {alone("boolean"), map[string]string{"boolean": "boolean"}, wantBoolean, gotValue},
	"datetime": {together, map[string]string{
		"date": "datetimeV2.date", "time": "datetimeV2.time", "datetime": "datetimeV2.datetime",
		"daterange": "datetimeV2.daterange", "timerange": "datetimeV2.timerange", "datetimerange": "datetimeV2.datetimerange",
		"duration": "datetimeV2.duration", "recurrence": "datetimeV2.set",
	}, wantTime, gotTime},
}

// alone recognises a type as if no other existed, as the cases do: the number in "$5".
func alone(kind string) func(string, time.Time) []extract.Entity {
	return func(text string, now time.Time) []extract.Entity { return extract.RecognizeKind(kind, text, now, nil) }
}

// together recognises everything, as an agent does.
func together(text string, now time.Time) []extract.Entity { return extract.Recognize(text, now, nil) }

func caseTypes() []string { return slices.Sorted(maps.Keys(recognised)) }

// wantNumber reads "1.2732E+15", "20%" and "1"; what is no number, such as "end-1", stays
// as it is.
func wantNumber(e *Expected, _ string) []string {
	return []string{figure(strings.TrimSuffix(valueOf(e), "%"))}
}

func gotNumber(e *extract.Entity) ([]string, string) {
	text := figure(strings.TrimSuffix(e.Normal, "%"))
	return []string{text}, text
}

// gotOrdinal counts from the end where the value is below zero: -1 is the last.
func gotOrdinal(e *extract.Entity) ([]string, string) {
	text := figure(e.Normal)
	if v, ok := e.Value.(float64); ok && v < 0 {
		text = fmt.Sprintf("end%+d", int(v)+1)
	}
	return []string{text}, text
}

// figure writes a number with the nine digits that both sides agree on.
func figure(text string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 9, 64)
}

// valueOf is the value of an expected one as text; "" where there is none.
func valueOf(e *Expected) string {
	if e.Resolution["value"] == nil {
		return ""
	}
	return fmt.Sprint(e.Resolution["value"])
}

// wantMoney is an amount, its unit, and the ISO 4217 code where the text says which: a
// bare dollar has none. An amount may be missing.
func wantMoney(e *Expected, _ string) []string {
	unit, _ := e.Resolution["unit"].(string)
	code, _ := e.Resolution["isoCurrency"].(string)
	return []string{strings.Join([]string{figure(valueOf(e)), unit, code}, " ")}
}

func gotMoney(e *extract.Entity) ([]string, string) {
	text := strings.Join([]string{figure(e.Normal), e.Unit, e.Code}, " ")
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
