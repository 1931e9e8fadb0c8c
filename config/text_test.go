package config

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/config/phrase"
)

// wordsAgent has a param of every type that is said in words.
const wordsAgent = `version: 1
agent: {language: LANG}
params:
  date: {type: date, prompt: "?"}
  time: {type: time, prompt: "?"}
  datetime: {type: datetime, prompt: "?"}
  duration: {type: duration, prompt: "?"}
  daterange: {type: daterange, prompt: "?"}
  timerange: {type: timerange, prompt: "?"}
  datetimerange: {type: datetimerange, prompt: "?"}
  recurrence: {type: recurrence, prompt: "?"}
  money: {type: money, prompt: "?"}
  boolean: {type: boolean, prompt: "?"}
  days: {type: date, list: true, prompt: "?"}
  text: {type: text, prompt: "?"}
intents:
  - id: hi
    description: say hi
    examples: [one, two, three]
    params: {required: [date, time, datetime, duration, daterange, timerange, datetimerange, recurrence, money, boolean, days, text]}
    plan: [{respond: done}]
responses:
  done: ["{date}", "{date|iso}"]
`

func TestParamsInWords(t *testing.T) {
	for _, c := range []struct{ language, param, value, want string }{
		{"en", "date", "2026-11-27", "Friday, 27 November 2026"},
		{"en", "date", "2026-13-27", "2026-13-27"},
		{"en", "date", "next week", "next week"},
		{"en", "time", "08:45", "8:45 am"},
		{"en", "time", "20:05:30", "8:05:30 pm"},
		{"en", "time", "00:00", "12:00 am"},
		{"en-GB", "datetime", "2026-01-01T20:45:00", "Thursday, 1 January 2026 at 8:45 pm"},
		{"en", "duration", "PT2H30M", "2 hours 30 minutes"},
		{"en", "duration", "P1DT1M", "1 day 1 minute"},
		{"en", "duration", "P1M", "1 month"},
		{"en", "duration", "P1.5W", "1.5 weeks"},
		{"en", "duration", "PT0S", "0 seconds"},
		{"en", "duration", "P", "P"},
		{"en", "duration", "PTX", "PTX"},
		{"en", "daterange", "2026-11-08/2026-11-09", "Sunday, 8 November 2026 to Monday, 9 November 2026"},
		{"en", "daterange", "2026-11-08/2026-11-08", "Sunday, 8 November 2026"},
		{"en", "daterange", "2026-11-08/..", "from Sunday, 8 November 2026"},
		{"en", "daterange", "../2026-11-08", "until Sunday, 8 November 2026"},
		{"en", "daterange", "../..", "../.."},
		{"en", "daterange", "a/b", "a/b"},
		{"en", "timerange", "T08:00/T12:00", "8:00 am to 12:00 pm"},
		{"en", "datetimerange", "2026-11-08T08:00:00/2026-11-08T12:00:00", "Sunday, 8 November 2026 at 8:00 am to 12:00 pm"},
		{"en", "datetimerange", "2026-11-08T08:00:00/..", "from Sunday, 8 November 2026 at 8:00 am"},
		{"en", "recurrence", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0", "every Monday at 8:00 am"},
		{"en", "recurrence", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"},
		{"en", "recurrence", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", "every other week on Monday and Friday"},
		{"en", "recurrence", "FREQ=DAILY;INTERVAL=3", "every 3 days"},
		{"en", "recurrence", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=MONTHLY;BYDAY=2TU"},
		{"en", "recurrence", "FREQ=WEEKLY;COUNT=3", "FREQ=WEEKLY;COUNT=3"},
		{"en", "money", "5.00 USD", "$5.00"},
		{"en", "money", "12500.50 EUR", "€12,500.50"},
		{"en", "money", "-3.00 CHF", "-3.00 CHF"},
		{"en", "money", "500.00 JPY", "¥500"},
		{"en", "money", "0.005 USD", "$0.005"},
		{"en", "money", "five", "five"},
		{"en", "text", "2026-11-27", "2026-11-27"},
		{"de", "date", "2026-03-01", "Sonntag, 1. März 2026"},
		{"de-AT", "time", "08:45", "08:45"},
		{"de", "datetime", "2026-03-01T08:45:00", "Sonntag, 1. März 2026 um 08:45"},
		{"de", "money", "1234.50 EUR", "1234,50 €"},
		{"de", "money", "12345.00 EUR", "12.345,00 €"},
		{"de", "duration", "PT1H30M", "1 Stunde 30 Minuten"},
		{"de", "daterange", "2026-11-08/2026-11-09", "Sonntag, 8. November 2026 bis Montag, 9. November 2026"},
		{"de", "recurrence", "FREQ=DAILY", "FREQ=DAILY"},
		{"fr", "date", "2026-08-01", "samedi 1 août 2026"},
		{"es", "date", "2026-08-01", "sábado, 1 de agosto de 2026"},
		{"it", "date", "2026-08-01", "sabato 1 agosto 2026"},
		{"nl", "money", "5.00 EUR", "5,00 €"},
		{"sv", "date", "2026-11-27", "2026-11-27"},
		{"sv", "money", "5.00 USD", "5.00 USD"},
	} {
		a := mustParse(t, strings.Replace(wordsAgent, "LANG", c.language, 1))
		text := phrase.MustText("{" + c.param + "}")
		text.Bind(a.kindOf, a.words)
		if got := text.Render(map[string]any{c.param: c.value}); got != c.want {
			t.Errorf("%s %s %q is %q, want %q", c.language, c.param, c.value, got, c.want)
		}
		if got := a.Show(a.Params[c.param], c.value); got != c.want {
			t.Errorf("%s %s %q shows as %q, want %q", c.language, c.param, c.value, got, c.want)
		}
	}
}

func TestWordsOfAnAgent(t *testing.T) {
	env := map[string]any{"date": "2026-11-27", "boolean": true}
	english, german, swedish := parseWords(t, "en"), parseWords(t, "de"), parseWords(t, "sv")
	done := english.Responses["done"].Variants
	if got := done[0].Render(env) + "|" + done[1].Render(env); got != "Friday, 27 November 2026|2026-11-27" {
		t.Errorf("responses %s", got)
	}
	days := []any{"2026-11-27", "2026-11-28"}
	for _, c := range []struct {
		agent     *Agent
		yes, days string
		or        string
	}{
		{english, "yes", "Friday, 27 November 2026 and Saturday, 28 November 2026", "a or b"},
		{german, "ja", "Freitag, 27. November 2026 und Samstag, 28. November 2026", "a oder b"},
		{swedish, "yes", "2026-11-27 and 2026-11-28", "a or b"},
	} {
		a := c.agent
		if got := a.Show(a.Params["boolean"], true); got != c.yes {
			t.Errorf("true is %q in %s", got, a.Language)
		}
		if got := a.Show(a.Params["days"], days); got != c.days {
			t.Errorf("days are %q in %s", got, a.Language)
		}
		if got := a.Or([]string{"a", "b"}); got != c.or {
			t.Errorf("alternatives are %q in %s", got, a.Language)
		}
	}
	if got := (&Agent{}).Show(nil, []any{"x", true}); got != "x and yes" {
		t.Errorf("without a definition %q", got)
	}
}

func parseWords(t *testing.T, language string) *Agent {
	t.Helper()
	return mustParse(t, strings.Replace(wordsAgent, "LANG", language, 1))
}
