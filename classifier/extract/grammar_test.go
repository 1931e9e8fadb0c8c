package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/find"
)

// The grammar is held by sentences that are made, not listed: each construction is said with
// every unit, month, weekday and number of its class, and what it means is computed here by the
// calendar alone.

// readAs is what the recognisers find in a text, in a line: kind<span>=values.
func readAs(text string) string {
	var out []string
	for _, e := range Recognize(text, now, nil) {
		if find.CaseLayouts[e.Kind] != "" || e.Kind == "duration" {
			out = append(out, fmt.Sprintf("%s<%s>=%s", e.Kind, e.Text, strings.Join(e.Resolution, "|")))
		}
	}
	return strings.Join(out, " ")
}

func mustRead(t *testing.T, text, want string) {
	t.Helper()
	if got := readAs(text); got != want {
		t.Errorf("%q: %s, want %s", text, got, want)
	}
}

var (
	numberForms = map[int][]string{2: {"2", "two"}, 5: {"5", "five"}, 12: {"12", "twelve"}, 21: {"21", "twenty-one", "twenty one"}}
	madeUnits   = []struct {
		one, many string
		step      [3]int        // years, months, days
		clock     time.Duration // of what is shorter than a day
	}{
		{"day", "days", [3]int{0, 0, 1}, 0},
		{"night", "nights", [3]int{0, 0, 1}, 0},
		{"week", "weeks", [3]int{0, 0, 7}, 0},
		{"fortnight", "fortnights", [3]int{0, 0, 14}, 0},
		{"month", "months", [3]int{0, 1, 0}, 0},
		{"year", "years", [3]int{1, 0, 0}, 0},
		{"decade", "decades", [3]int{10, 0, 0}, 0},
		{"century", "centuries", [3]int{100, 0, 0}, 0},
		{"hour", "hours", [3]int{}, time.Hour},
		{"minute", "minutes", [3]int{}, time.Minute},
	}
)

func after(n int, step [3]int) time.Time {
	y, m, d := now.Date()
	return time.Date(y+n*step[0], m+time.Month(n*step[1]), d+n*step[2], 0, 0, 0, 0, now.Location())
}

// TestEveryUnit counts every unit ahead, behind and as a length.
func TestEveryUnit(t *testing.T) {
	for _, u := range madeUnits {
		for n, forms := range numberForms {
			for _, number := range forms {
				said := number + " " + u.many
				seconds := float64(n) * (u.clock.Seconds() + 86400*float64(u.step[0]*365+u.step[1]*30+u.step[2]))
				mustRead(t, "it takes "+said, fmt.Sprintf("duration<%s>=%.0f", said, seconds))
				if u.clock > 0 {
					ahead, behind := now.Add(time.Duration(n)*u.clock), now.Add(-time.Duration(n)*u.clock)
					layout := "2006-01-02 15:04:05"
					mustRead(t, "we leave in "+said, "datetime<in "+said+">="+ahead.Format(layout))
					mustRead(t, "we left "+said+" ago", "datetime<"+said+" ago>="+behind.Format(layout))
					mustRead(t, "we left less than "+said+" ago", "datetimerange<less than "+said+" ago>="+behind.Format(layout)+"/"+now.Format(layout))
					continue
				}
				mustRead(t, "we leave in "+said, "date<in "+said+">="+after(n, u.step).Format(time.DateOnly))
				if after(-n, u.step).Year() < 1 {
					continue // no calendar has it
				}
				mustRead(t, "we left "+said+" ago", "date<"+said+" ago>="+after(-n, u.step).Format(time.DateOnly))
				mustRead(t, "we leave "+said+" from now", "date<"+said+" from now>="+after(n, u.step).Format(time.DateOnly))
			}
		}
	}
}

// TestEveryMonthShared says each month and year with ranges that share them.
func TestEveryMonthShared(t *testing.T) {
	day := func(y int, m time.Month, d int) string {
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	}
	for m := time.January; m <= time.December; m++ {
		for _, name := range []string{m.String(), strings.ToLower(m.String()), m.String()[:3], strings.ToUpper(m.String())} {
			for _, form := range []string{"from 4 to 22 %s 2031", "between 4 and 22 %s 2031", "from the 4th to the 22nd of %s 2031", "4-22 %s 2031", "from 4 until 22 %s, 2031"} {
				span := fmt.Sprintf(form, name)
				mustRead(t, "I am away "+span+".", "daterange<"+span+">="+day(2031, m, 4)+"/"+day(2031, m, 22))
			}
			if m < time.October {
				span := fmt.Sprintf("from %s to %s 2031", name, (m + 3).String())
				mustRead(t, "I am away "+span+".", "daterange<"+span+">="+day(2031, m, 1)+"/"+day(2031, m+3, 1))
			}
		}
	}
	for from := 1995; from < 2035; from += 7 {
		for _, form := range []string{"from %d to %d", "between %d and %d", "from %d until %d", "from %d through %d"} {
			if span := fmt.Sprintf(form, from, from+4); (from+4)%100 != 0 {
				mustRead(t, "I was away "+span+".", "daterange<"+span+">="+day(from, 1, 1)+"/"+day(from+4, 1, 1))
			}
		}
	}
}

// TestEveryWeekdayShared says each pair of weekdays in a week that one of them names.
func TestEveryWeekdayShared(t *testing.T) {
	monday := now.AddDate(0, 0, -(int(now.Weekday())+6)%7)
	for week, shift := range map[string]int{"next week": 7, "this week": 0, "last week": -7} {
		for a := range 6 {
			for b := a + 1; b < 7; b++ {
				first, last := monday.AddDate(0, 0, shift+a), monday.AddDate(0, 0, shift+b)
				span := fmt.Sprintf("from %s to %s of %s", first.Weekday(), last.Weekday(), week)
				mustRead(t, "away "+span, "daterange<"+span+">="+first.Format(time.DateOnly)+"/"+last.Format(time.DateOnly))
			}
		}
	}
	for n, forms := range numberForms {
		for a := range 7 {
			ahead := (a + 1 - int(now.Weekday()) + 7) % 7
			if ahead == 0 {
				ahead = 7
			}
			day := now.AddDate(0, 0, ahead+7*(n-1))
			span := forms[0] + " " + day.Weekday().String() + "s from now"
			mustRead(t, "away "+span, "date<"+span+">="+day.Format(time.DateOnly))
		}
	}
}

// numberIn is the one number of a text, where nothing but numbers is looked for.
func numberIn(text string) string {
	var out []string
	for _, e := range RecognizeKind("number", text, now, nil) {
		out = append(out, e.Text+"="+e.Normal)
	}
	return strings.Join(out, " ")
}

// inWords writes a number below a thousand in words.
func inWords(n int, and, hyphen string) string {
	ones := strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	tens := strings.Fields("- - twenty thirty forty fifty sixty seventy eighty ninety")
	switch {
	case n < 20:
		return ones[n]
	case n < 100 && n%10 == 0:
		return tens[n/10]
	case n < 100:
		return tens[n/10] + hyphen + ones[n%10]
	case n%100 == 0:
		return ones[n/100] + " hundred"
	}
	return ones[n/100] + " hundred" + and + inWords(n%100, and, hyphen)
}

// TestEveryNumber spells numbers in every style, alone, with each scale, with each fraction
// and as a share.
func TestEveryNumber(t *testing.T) {
	check := func(text string, want float64) {
		t.Helper()
		if got := numberIn(text); got != text+"="+figure(want) {
			t.Errorf("%q: %q, want %s", text, got, figure(want))
		}
	}
	for n := 1; n < 1000; n += 7 {
		for _, and := range []string{" ", " and "} {
			for _, hyphen := range []string{" ", "-"} {
				words := inWords(n, and, hyphen)
				check(words, float64(n))
				for scale, v := range map[string]float64{"thousand": 1e3, "million": 1e6, "billion": 1e9, "thousand million": 1e9} {
					check(words+" "+scale, float64(n)*v)
				}
				for part, v := range map[string]float64{"a half": .5, "a quarter": .25, "three quarters": .75, "two thirds": 2. / 3, "three fifths": .6} {
					check(words+" and "+part, float64(n)+v)
				}
			}
		}
		for part, v := range map[string]float64{"1/2": .5, "3/4": .75, "2/3": 2. / 3} {
			check(fmt.Sprintf("%d %s", n, part), float64(n)+v)
			check(fmt.Sprintf("%d and %s", n, part), float64(n)+v)
		}
		for _, link := range []string{"in", "out of"} {
			check(fmt.Sprintf("%d %s %d", n, link, n+5), float64(n)/float64(n+5))
			check(inWords(n, " ", "-")+" "+link+" "+inWords(min(n+5, 999), " ", "-"), float64(n)/float64(min(n+5, 999)))
		}
	}
	for text, want := range map[string]string{
		"five out of three": "five=5 three=3", "2 and 5/4": "2=2 5/4=1.25", "a few hundred": "", "-.5": "-.5=-0.5", "three hundred two hundred": "three hundred=300 two hundred=200",
	} {
		if got := numberIn(text); got != want {
			t.Errorf("%q: %q, want %q: what does not add up is no number", text, got, want)
		}
	}
}
