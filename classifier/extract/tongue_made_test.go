package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/message"
)

// Numbers, days, times and lengths of other languages are said here by spellers that know the
// language alone, and each is read back: what a number is does not hang on the listed cases.

// TestSpokenNumbers reads every number up to 2,000 and many beyond, also without the letters
// that some keyboards lack.
func TestSpokenNumbers(t *testing.T) {
	for tag, say := range spellers {
		for n := 2; n < 9e6; n += 1 + n/1000*137 {
			for _, said := range append([]string{strings.ToUpper(say(n))}, message.Spellings(strings.ToLower(say(n)))...) {
				text := map[string]string{"de": "für ", "es": "para "}[tag] + said
				if strings.HasPrefix(tag, "fr") {
					text = "pour " + said
				}
				got := Recognize(text, now, &Options{Language: tag})
				if len(got) != 1 || got[0].Kind != "number" || got[0].Value != float64(n) || got[0].Text != said {
					t.Errorf("%s: %q is %+v, want %d", tag, said, got, n)
					break
				}
			}
			if t.Failed() && n > 100 {
				break
			}
		}
	}
}

// monthNames and so on are those of the languages as their calendars print them.
var monthNames = map[string][]string{
	"de": strings.Fields("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
	"es": strings.Fields("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
	"fr": strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
}

// dayForms say the day of a month; %s is the number in words.
var dayForms = map[string][]string{
	"de": {"am <%d. %s>", "<%d %s>", "Termin <%d. %s 2027>"},
	"es": {"el <%d de %s>", "<%d de %s de 2027>", "para el <%d %s>"},
	"fr": {"le <%d %s>", "<%d %s 2027>", "pour le <%d %s>"},
}

// TestSpokenDays reads every day of the year in every form.
func TestSpokenDays(t *testing.T) {
	for tag, forms := range dayForms {
		for day := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() == 2027; day = day.AddDate(0, 0, 1) {
			for _, form := range forms {
				marked := fmt.Sprintf(form, day.Day(), monthNames[tag][day.Month()-1])
				text := strings.NewReplacer("<", "", ">", "").Replace(marked)
				_, span, _ := strings.Cut(marked, "<")
				span, _, _ = strings.Cut(span, ">")
				want := day
				if !strings.Contains(form, "2027") && !day.AddDate(-1, 0, 0).Before(now.Truncate(24*time.Hour)) {
					want = day.AddDate(-1, 0, 0)
				}
				got := Recognize(text, now, &Options{Language: tag})
				if len(got) != 1 || got[0].Kind != "date" || got[0].Text != span || got[0].Value != want.Format(time.DateOnly) {
					t.Fatalf("%s: %q is %+v, want %s of %q", tag, text, got, want.Format(time.DateOnly), span)
				}
			}
		}
	}
}

// clockForms say a time of the afternoon so many minutes from an hour.
var clockForms = map[string]map[int][]string{
	"de": {0: {"%s Uhr nachmittags"}, 15: {"viertel nach %s nachmittags"}, 30: {"%s Uhr dreißig nachmittags"}, -15: {"viertel vor %s nachmittags", "dreiviertel %s nachmittags"}, -30: {"halb %s nachmittags"}, -45: {"viertel %s nachmittags"}, -35: {"fünf vor halb %s nachmittags"}, 20: {"zwanzig nach %s nachmittags"}},
	"es": {0: {"%s de la tarde"}, 15: {"%s y cuarto de la tarde"}, 30: {"%s y media de la tarde"}, -15: {"%s menos cuarto de la tarde"}, -20: {"%s menos veinte de la tarde"}, 20: {"%s y veinte de la tarde"}},
	"fr": {0: {"%s heures de l'après-midi"}, 15: {"%s heures et quart de l'après-midi"}, 30: {"%s heures et demie de l'après-midi"}, -15: {"%s heures moins le quart de l'après-midi"}, -20: {"%s heures moins vingt de l'après-midi"}, 20: {"%s heures vingt de l'après-midi"}},
}

// TestSpokenClocks reads every hour in every form, in words and in figures.
func TestSpokenClocks(t *testing.T) {
	for tag, forms := range clockForms {
		for minutes, list := range forms {
			for hour := 2; hour <= 11; hour++ {
				for _, form := range list {
					for _, h := range []string{spellers[tag](hour), fmt.Sprint(hour)} {
						text := fmt.Sprintf(form, h)
						at := time.Date(2027, 1, 1, 12+hour, minutes, 0, 0, time.UTC).Format("15:04")
						got := Recognize("x "+text, now, &Options{Language: tag})
						if len(got) != 1 || got[0].Kind != "time" || got[0].Text != text || got[0].Value != at {
							t.Errorf("%s: %q is %+v, want %s", tag, text, got, at)
						}
					}
				}
			}
		}
	}
}

// unitForms say a length, a moment ahead and one behind of so many units.
var unitForms = map[string]struct {
	many              []string // days weeks months years hours minutes
	long, ahead, back string
}{
	"de": {strings.Fields("Tagen Wochen Monaten Jahren Stunden Minuten"), "%s %s lang", "in %s %s", "vor %s %s"},
	"es": {strings.Fields("días semanas meses años horas minutos"), "dura %s %s", "dentro de %s %s", "hace %s %s"},
	"fr": {strings.Fields("jours semaines mois ans heures minutes"), "pendant %s %s", "dans %s %s", "il y a %s %s"},
}

// TestSpokenUnits counts every unit as a length, ahead and behind.
func TestSpokenUnits(t *testing.T) {
	steps := [][3]int{{0, 0, 1}, {0, 0, 7}, {0, 1, 0}, {1, 0, 0}}
	iso := strings.Fields("P%dD P%dW P%dM P%dY PT%dH PT%dM")
	for tag, f := range unitForms {
		for k, unit := range f.many {
			for n := 2; n < 60; n += 3 {
				for _, number := range []string{fmt.Sprint(n), spellers[tag](n)} {
					check := func(form, kind, want string) {
						text := fmt.Sprintf(form, number, unit)
						got := Recognize(text, now, &Options{Language: tag})
						if len(got) != 1 || got[0].Kind != kind || got[0].Value != want {
							t.Errorf("%s: %q is %+v, want %s %s", tag, text, got, kind, want)
						}
					}
					check(f.long, "duration", fmt.Sprintf(iso[k], n))
					if k < len(steps) {
						check(f.ahead, "date", after(n, steps[k]).Format(time.DateOnly))
						check(f.back, "date", after(-n, steps[k]).Format(time.DateOnly))
						continue
					}
					step := map[int]time.Duration{4: time.Hour, 5: time.Minute}[k] * time.Duration(n)
					check(f.ahead, "datetime", now.Add(step).Format(calendar.DateTime))
					check(f.back, "datetime", now.Add(-step).Format(calendar.DateTime))
				}
			}
		}
	}
}

// frames are sentences around a case that change nothing of it.
var frames = map[string][]string{
	"de": {"Hallo, %s", "ich meine: %s", "%s, bitte", "%s, danke schön!", "(%s)"},
	"es": {"Hola, %s", "quiero decir: %s", "%s, por favor", "%s, ¡gracias!", "(%s)"},
	"fr": {"Bonjour, %s", "je veux dire : %s", "%s, merci", "%s, merci beaucoup !", "(%s)"},
}

// TestSpokenFrames puts the cases into frames and in capitals: the same is found.
func TestSpokenFrames(t *testing.T) {
	for tag, list := range frames {
		x := spokenAgent(tag)
		for _, c := range spokenCases(t, tag) {
			if c.kind != "" {
				continue
			}
			for _, frame := range list {
				v := c
				v.text = fmt.Sprintf(frame, c.text)
				if got := v.found(x, tag); got != c.want {
					t.Errorf("%s: %q: %s, want %s", c.at, v.text, got, c.want)
				}
			}
			v := c
			v.text = strings.ToUpper(c.text)
			if got := strings.ToLower(v.found(x, tag)); got != strings.ToLower(c.want) && !strings.Contains(c.text, "ß") {
				t.Errorf("%s: %q: %s, want %s", c.at, v.text, got, c.want)
			}
		}
	}
}
