package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/config"
)

// TestRecognizeRanges holds stretches of time and recurrences by their kinds.
func TestRecognizeRanges(t *testing.T) {
	for kind, list := range map[string][]struct{ text, span, want string }{
		"daterange": {
			{"this week works", "this week", "2026-11-16/2026-11-23"},
			{"some time next week", "next week", "2026-11-23/2026-11-30"},
			{"the week after next", "the week after next", "2026-11-30/2026-12-07"},
			{"this weekend", "this weekend", "2026-11-21/2026-11-23"},
			{"a room for next weekend", "next weekend", "2026-11-28/2026-11-30"},
			{"last month's bill", "last month", "2026-10-01/2026-11-01"},
			{"in december", "december", "2026-12-01/2027-01-01"},
			{"In March 2027", "March 2027", "2027-03-01/2027-04-01"},
			{"next year", "next year", "2027-01-01/2028-01-01"},
			{"sales in 2024", "2024", "2024-01-01/2025-01-01"},
			{"the 1980s", "the 1980s", "1980-01-01/1990-01-01"},
			{"q2 2025", "q2 2025", "2025-04-01/2025-07-01"},
			{"last quarter", "last quarter", "2026-07-01/2026-10-01"},
			{"h1 2025", "h1 2025", "2025-01-01/2025-07-01"},
			{"from monday to friday", "from monday to friday", "2026-11-23/2026-11-27"},
			{"between friday and sunday", "between friday and sunday", "2026-11-20/2026-11-22"},
			{"Nov 20 to Nov 22", "Nov 20 to Nov 22", "2026-11-20/2026-11-22"},
			{"5-9 june", "5-9 june", "2027-06-05/2027-06-09"},
			{"june 5-9, 2028", "june 5-9, 2028", "2028-06-05/2028-06-09"},
			{"from 2020 to 2024", "from 2020 to 2024", "2020-01-01/2024-01-01"},
			{"the next 3 days", "next 3 days", "2026-11-19/2026-11-22"},
			{"the past two weeks", "past two weeks", "2026-11-04/2026-11-18"},
			{"early next week", "early next week", "2026-11-23/2026-11-26"},
			{"by the end of the month", "by the end of the month", "../2026-12-01"},
			{"before friday", "before friday", "../2026-11-20"},
			{"after the 25th of november", "after the 25th of november", "2026-11-25/.."},
			{"since monday", "since monday", "2026-11-16/.."},
			{"no later than friday", "no later than friday", "../2026-11-20"},
			{"the first week of december", "the first week of december", "2026-11-30/2026-12-07"},
			{"the week of november 30", "the week of november 30", "2026-11-30/2026-12-07"},
			{"this summer", "this summer", "<nil>"},
		},
		"timerange": {
			{"3-5pm", "3-5pm", "T15:00/T17:00"},
			{"from 9am to noon", "from 9am to noon", "T09:00/T12:00"},
			{"between 11 and 1pm", "between 11 and 1pm", "T11:00/T13:00"},
			{"in the morning", "in the morning", "T08:00/T12:00"},
			{"late afternoon", "late afternoon", "T14:00/T16:00"},
			{"after 3pm", "after 3pm", "T15:00/.."},
			{"3pm or later", "3pm or later", "T15:00/.."},
		},
		"datetimerange": {
			{"tomorrow morning", "tomorrow morning", "2026-11-19T08:00:00/2026-11-19T12:00:00"},
			{"early friday morning", "early friday morning", "2026-11-20T08:00:00/2026-11-20T10:00:00"},
			{"tonight", "tonight", "2026-11-18T20:00:00/2026-11-18T23:59:59"},
			{"friday 3-5pm", "friday 3-5pm", "2026-11-20T15:00:00/2026-11-20T17:00:00"},
			{"from 3 to 5 tomorrow", "from 3 to 5 tomorrow", "2026-11-19T15:00:00/2026-11-19T17:00:00"},
			{"friday 10pm to 2am", "friday 10pm to 2am", "2026-11-20T22:00:00/2026-11-21T02:00:00"},
			{"from 8am tomorrow to 5pm on friday", "from 8am tomorrow to 5pm on friday", "2026-11-19T08:00:00/2026-11-20T17:00:00"},
			{"the next 2 hours", "next 2 hours", "2026-11-18T14:30:00/2026-11-18T16:30:00"},
			{"tomorrow after 5pm", "tomorrow after 5pm", "2026-11-19T17:00:00/.."},
		},
		"recurrence": {
			{"every day", "every day", "FREQ=DAILY"},
			{"remind me daily at 8am", "daily at 8am", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"},
			{"every other tuesday", "every other tuesday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"},
			{"on mondays and fridays", "mondays and fridays", "FREQ=WEEKLY;BYDAY=MO,FR"},
			{"each friday at half past six", "each friday at half past six", "FREQ=WEEKLY;BYDAY=FR;BYHOUR=18;BYMINUTE=30"},
			{"weekly on monday", "weekly on monday", "FREQ=WEEKLY;BYDAY=MO"},
			{"every 3 months", "every 3 months", "FREQ=MONTHLY;INTERVAL=3"},
			{"once a year", "once a year", "FREQ=YEARLY"},
			{"every weekday", "every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"},
			{"every may 5th", "every may 5th", "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=5"},
			{"9am every day", "9am every day", "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"},
			{"the 5th of each month", "the 5th of each month", "FREQ=MONTHLY;BYMONTHDAY=5"},
			{"on the first monday of every month at 9", "the first monday of every month at 9", "FREQ=MONTHLY;BYDAY=1MO;BYHOUR=9;BYMINUTE=0"},
			{"the last day of every month", "the last day of every month", "FREQ=MONTHLY;BYMONTHDAY=-1"},
			{"twice a week", "twice a week", "<nil>"},
			{"every morning", "every morning", "<nil>"},
			{"every night at 10", "every night at 10", "FREQ=DAILY;BYHOUR=22;BYMINUTE=0"},
			{"every monday evening at 7", "every monday evening at 7", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=19;BYMINUTE=0"},
			{"twice daily", "daily", "<nil>"},
			{"every january", "every january", "FREQ=YEARLY;BYMONTH=1"},
		},
	} {
		for _, tc := range list {
			var finds []string
			for _, e := range Recognize(tc.text, now, nil) {
				if e.Kind == kind {
					finds = append(finds, fmt.Sprintf("%s=%v", e.Text, e.Value))
				}
			}
			got := strings.Join(finds, " ")
			if want := tc.span + "=" + tc.want; got != want {
				t.Errorf("Recognize(%q): %s %q, want %q", tc.text, kind, got, want)
			}
		}
	}
}

// TestResolution holds what may be meant: the reading before now first.
func TestResolution(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"on may 5", "2026-05-05 | 2027-05-05"},
		{"monday", "2026-11-16 | 2026-11-23"},
		{"tomorrow", "2026-11-19"},
		{"at 4", "04:00:00 | 16:00:00"},
		{"at 16:00", "16:00:00"},
		{"friday at 4", "2026-11-13 04:00:00 | 2026-11-13 16:00:00 | 2026-11-20 04:00:00 | 2026-11-20 16:00:00"},
		{"two hours", "7200"},
		{"in june", "2026-06-01/2026-07-01 | 2027-06-01/2027-07-01"},
		{"after 2024", "2025-01-01/.."},
		{"feb 30", "not resolved"},
		{"this winter", "not resolved"},
		{"every day", "not resolved"},
		{"20%", ""},
	} {
		var got []string
		for _, e := range Recognize(tc.text, now, nil) {
			got = append(got, e.Resolution...)
		}
		if have := strings.Join(got, " | "); have != tc.want {
			t.Errorf("Recognize(%q) resolves to %q, want %q", tc.text, have, tc.want)
		}
	}
}

func rangeAgent(types ...string) *config.Agent {
	a := &config.Agent{Params: map[string]*config.Param{}}
	for _, name := range types {
		kind, param, ok := strings.Cut(name, ":")
		if !ok {
			param = kind
		}
		a.Params[param] = &config.Param{Name: param, Type: &config.Type{Name: kind, Builtin: kind}}
	}
	return a
}

// TestRangeParams holds that a range fills a range, and takes no day from a param that
// holds one.
func TestRangeParams(t *testing.T) {
	for _, tc := range []struct{ types, asked, text, want string }{
		{"daterange", "", "from monday to friday", "daterange=2026-11-23/2026-11-27"},
		{"date", "", "between monday and friday", "date=2026-11-23 date=2026-11-20"},
		{"date daterange", "", "from friday to sunday", "daterange=2026-11-20/2026-11-22 date=2026-11-20 date=2026-11-22"},
		{"date", "", "next week", ""},
		{"date", "date", "next week", ""},
		{"date", "", "in the morning", ""},
		{"date", "", "tomorrow morning", "date=2026-11-19"},
		{"date time", "", "every day", ""},
		{"date", "", "before friday", ""},
		{"date:due_date", "", "before friday", "due_date=2026-11-20"},
		{"timerange datetimerange", "", "seats 3-5 on friday", ""},
		{"datetimerange", "", "3-5 on friday", "datetimerange=2026-11-20T15:00:00/2026-11-20T17:00:00"},
		{"daterange", "", "next week", "daterange=2026-11-23/2026-11-29"},
		{"daterange", "", "on friday", ""},
		{"daterange", "daterange", "on friday", "daterange=2026-11-20/2026-11-20"},
		{"daterange", "", "in the past few days", ""},
		{"daterange", "", "this summer", ""},
		{"datetimerange", "datetimerange", "next week", "datetimerange=2026-11-23T00:00:00/2026-11-30T00:00:00"},
		{"timerange", "", "between 3 and 5pm", "timerange=T15:00/T17:00"},
		{"recurrence", "", "every monday at 8am", "recurrence=FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0"},
		{"recurrence", "", "twice a week", ""},
		{"duration", "", "for 3 days", "duration=P3D"},
	} {
		x := New(rangeAgent(strings.Fields(tc.types)...), nil)
		in := classifier.Input{Text: tc.text, Now: now}
		if tc.asked != "" {
			in.Asked = &classifier.Asked{Param: tc.asked}
		}
		var got []string
		for _, v := range x.Extract(in, nil) {
			got = append(got, fmt.Sprintf("%s=%v", v.Param, v.Value))
		}
		if have := strings.Join(got, " "); have != tc.want {
			t.Errorf("%s: Extract(%q, asked %q)\n got %s\nwant %s", tc.types, tc.text, tc.asked, have, tc.want)
		}
	}
}

// layoutsOf are how values of the kinds of time read back.
var layoutsOf = map[string]string{
	"date": time.DateOnly, "time": "15:04", "datetime": calendar.DateTime, "daterange": time.DateOnly, "timerange": "T15:04", "datetimerange": calendar.DateTime,
}

// readsBack reports whether a value is one of its kind.
func readsBack(kind string, value any) bool {
	s, ok := value.(string)
	switch kind {
	case "recurrence":
		return value == nil || ok && strings.HasPrefix(s, "FREQ=")
	case "duration":
		return ok && strings.HasPrefix(s, "P")
	}
	if value == nil {
		return true
	}
	parts := strings.Split(s, "/")
	if ranged := find.RangeLayouts[kind] != ""; ranged != (len(parts) == 2) {
		return false
	}
	for _, p := range parts {
		if _, err := time.Parse(layoutsOf[kind], p); err != nil && p != ".." {
			if _, err := time.Parse(layoutsOf[kind]+":05", p); err != nil {
				return false
			}
		}
	}
	return s != "../.."
}

// FuzzTimes holds that any text at any moment gives spans in order, at code points, with
// values that read back.
func FuzzTimes(f *testing.F) {
	for _, seed := range []string{
		"from monday to friday", "next 3 days", "feb 29 - mar 1", "every other friday at 5", "the last week of july", "31st", "12/31/99 - 1/1/00",
		"within 99999 years and 5 hours", "last 9999 business days", "between 2014-2018", "sunday 31", "é 3-5pm tomorrow’s", "5 to 7 in the morning",
		"the end of the 90s", "99999999999999 hours ago", "week 53 of 2199", "first monday of february 2100", "easter 9999", "\xff1/1", "in 10000 years", "’90s",
		"twenty and four hours", "more than 3 weeks before easter monday", "q4-q1 2020", "half past twelve to 0030", "> = 2019", "1500s to 0001-01-01",
	} {
		f.Add(seed, int64(1480000000))
		f.Add(seed, int64(-62135596800))
		f.Add(seed, int64(253402300799))
	}
	f.Fuzz(func(t *testing.T, text string, unix int64) {
		const first, last = -62135596800, 253402300799 // the years 1 to 9999
		if len(text) > 400 || unix < first || unix > last {
			return
		}
		runes := []rune(text)
		end := 0
		for _, e := range Recognize(text, time.Unix(unix, 0).UTC(), nil) {
			if e.Start < end || e.End <= e.Start || e.End > len(runes) || e.Text == "" {
				t.Fatalf("Recognize(%q): span of %+v", text, e)
			}
			end = e.End
			if strings.ToValidUTF8(text, "") == text && string(runes[e.Start:e.End]) != e.Text {
				t.Fatalf("Recognize(%q): %+v is not at its span", text, e)
			}
			if _, ok := layoutsOf[e.Kind]; (ok || e.Kind == "duration" || e.Kind == "recurrence") && (!readsBack(e.Kind, e.Value) || len(e.Resolution) == 0) {
				t.Fatalf("Recognize(%q) = %+v", text, e)
			}
		}
	})
}

// utterances are what people say to an assistant, most of them without a time.
var utterances = []string{
	"can you tell me where my package is please", "book a table for four tomorrow at 7pm", "I want to return my order, it arrived broken",
	"from monday to friday", "what's my balance", "cancel the appointment on the 3rd of may at half past two", "ship 3 of them to the office next week",
	"my email is ana@example.com", "every other friday at 5", "is there anything cheaper than 50 dollars", "no thanks", "yes please do that now",
	"I'd like a room from december 20 to january 2 for two adults", "set an alarm for six thirty in the morning", "how long does it take to get a new card",
	"transfer 200 euros to my savings account", "remind me in 45 minutes to call the bank", "the last two payments were declined, why is that",
	"show me sales between 2019 and 2021", "may I speak to a person about the invoice of last month",
}

func BenchmarkRecognize(b *testing.B) {
	b.Run("mean", func(b *testing.B) {
		b.ReportAllocs()
		for k := 0; b.Loop(); k++ {
			Recognize(utterances[k%len(utterances)], now, nil)
		}
	})
}
