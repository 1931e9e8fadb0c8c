package perturb

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/slotway/slotway/classifier/eval/entities"
	"github.com/slotway/slotway/config/pattern"
)

const aboutTime = " datetime "

var (
	monthNames   = split("January February March April May June July August September October November December")
	monthShorts  = split("Jan Feb Mar Apr may Jun Jul Aug Sep Oct Nov Dec")
	weekdayNames = split("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
	smallNumbers = split("two three four five six seven eight nine ten eleven twelve")
	dateUnits    = split("days weeks months years")
	units        = split("week month year")
	clockUnits   = split("hours minutes seconds")
	secondsIn    = map[string]float64{"days": 86400, "weeks": 604800, "months": 2592000, "years": 31536000, "hours": 3600, "minutes": 60, "seconds": 1}
)

func split(words string) []string { return strings.Fields(words) }

// classes are the words that stand for each other. A class that is named twice is drawn
// twice as often.
var classes = []class{
	{"month", aboutTime, monthNames, "", "", monthValue},
	{"month", aboutTime, monthShorts, "", "", monthValue},
	{"weekday", aboutTime, weekdayNames, "", `\d|\b(?:black|cyber|good|easter|palm|ash)\b`, weekdayValue},
	{"weekday", aboutTime, weekdayNames, "", `\d|\b(?:black|cyber|good|easter|palm|ash)\b`, weekdayValue},
	{"number", aboutTime, smallNumbers, `\b(?:days|weeks|months|years|hours|minutes|seconds|mins|hrs)\b`, `ty\b|hundred|thousand|and a`, nil},
	{"hour", aboutTime, smallNumbers, `\b(?:[ap]m|o'?clock|morning|evening)\b`, `ty\b|past`, nil},
	{"unit", aboutTime, dateUnits, "", `business|\band\b`, unitValue(dateUnits)},
	{"unit", aboutTime, clockUnits, "", `past|\band\b`, unitValue(clockUnits)},
	{"unit", aboutTime, units, `^(?:next|last|this|past|previous|coming|following|current|every|each) \w+$`, "", nil},
	{"until", aboutTime, split("until till"), "", "", same},
	{"through", aboutTime, split("through thru to"), "", " and |past|date", same},
	{"quarter", aboutTime, split("q1 q2 q3 q4"), "", "", nil},
	{"part", aboutTime, split("morning afternoon evening"), `(?:morning|afternoon|evening)$`, `\d`, nil},
	{"edge", aboutTime, []string{"beginning of", "start of", "end of"}, `(?:week|month|year|\d{4})$`, "", nil},
	{"edge", aboutTime, split("early late"), "", "as (?:early|late)", nil},
	{"relative", aboutTime, split("next last"), `(?:next|last) (?:week|month|year|quarter|weekend|hour|minute|\w+day)$`, "after", nil},
	{"behind", aboutTime, split("last previous"), `(?:last|previous) (?:week|month|year|\w+day)$`, "", same},
	{"bound", aboutTime, split("before after since until"), `^(?:before|after|since|until)\b`, "", nil},
	{"ordinal", aboutTime, split("21st 22nd 23rd 24th 25th 26th 27th 28th"), "", `day`, nil},
	{"year", aboutTime, split("2014 2015 2016 2017 2018 2019 2020"), `^[^-/.:]*$`, `\d{4}.*\d{4}`, nil},
}

// swaps lists the changes from which a variant is drawn.
var swaps = append(swapsOf(classes), []swap{
	{"half", aboutTime, otherHalf},
	{"figure", aboutTime, figureInTime},
	{"between", aboutTime, fromToBetween},
	{"joiner", aboutTime, hyphenToWord},
	{"figure", " number percentage currency ", figureInNumber},
	{"word", " number percentage currency ", wordInNumber},
	{"digit", " phonenumber ", lastDigit},
	framed("Hello there. ", ""), framed("", " Thanks!"), framed("well, ", ""), framed("", ", please"),
	recased("upper", strings.ToUpper), recased("lower", strings.ToLower),
}...)

func swapsOf(classes []class) []swap {
	out := make([]swap, len(classes))
	for i, k := range classes {
		out[i] = k.swap()
	}
	return out
}

var countedUnit = pattern.Must(`(?i)\b([2-9]|[1-4]\d)\s+(?:days|weeks|months|years|hours|minutes|seconds)\b`)

// figureInTime counts another number of units.
func figureInTime(c *entities.Case, r *rand.Rand) (entities.Case, bool) {
	from, _, at, ok := drawn(c, countedUnit, r)
	if !ok {
		return *c, false
	}
	to := from + strings.IndexAny(c.Input[from:], " \t\n")
	old, err := strconv.Atoi(c.Input[from:to])
	n := 2 + r.IntN(28)
	v, ok := replaced(c, from, to, strconv.Itoa(n))
	if err != nil || !ok {
		return v, false
	}
	e := &c.Expected[at]
	vs := values(e)
	v.Loose = true
	if e.Type == "datetimeV2.duration" && len(vs) == 1 && lengthTimex.MatchString(fmt.Sprint(vs[0]["timex"])) {
		if total, err := strconv.ParseFloat(fmt.Sprint(vs[0]["value"]), 64); err == nil {
			text := strconv.FormatFloat(total/float64(old)*float64(n), 'f', -1, 64)
			v.Expected[at].Resolution = map[string]any{"values": []any{map[string]any{"value": text}}}
			v.Loose = false
		}
	}
	return v, true
}

var halves = pattern.Must(`(?i)\d ?[ap]m\b`)

// otherHalf says am for pm, and pm for am.
func otherHalf(c *entities.Case, r *rand.Rand) (entities.Case, bool) {
	_, to, _, ok := drawn(c, halves, r)
	if !ok {
		return *c, false
	}
	said, other := c.Input[to-2:to-1], "p"
	if strings.EqualFold(said, "p") {
		other = "a"
	}
	v, ok := replaced(c, to-2, to-1, likeCase(said, other))
	v.Loose = true
	return v, ok
}

var fromTo = pattern.Must(`(?i)\bfrom\b[^,;.]*?\bto\b`)

// fromToBetween says "between a and b" for "from a to b".
func fromToBetween(c *entities.Case, r *rand.Rand) (entities.Case, bool) {
	from, to, _, ok := drawn(c, fromTo, r)
	if !ok {
		return *c, false
	}
	said := c.Input[from:to]
	return replaced(c, from, to, likeCase(said[:4], "between")+said[4:len(said)-2]+"and")
}

var hyphen = pattern.Must(`(?i)[ap]m ?(-) ?\d|(?:day|may|june|july|august|ber|ary|april|march) (-) [a-z]`)

// hyphenToWord says "to" for the hyphen of a range.
func hyphenToWord(c *entities.Case, r *rand.Rand) (entities.Case, bool) {
	from, to, _, ok := drawn(c, hyphen, r)
	if !ok {
		return *c, false
	}
	dash := from + strings.Index(c.Input[from:to], "-")
	text := "to"
	if c.Input[dash-1] != ' ' {
		text = " to "
	}
	return replaced(c, dash, dash+1, text)
}

var figures = pattern.Must(`\d[\d,]*(?:\.\d+)?`)

// figureInNumber writes other digits in the one figure of a value, which scales with it.
func figureInNumber(c *entities.Case, r *rand.Rand) (entities.Case, bool) {
	from, to, at, ok := drawn(c, figures, r)
	if !ok {
		return *c, false
	}
	e := &c.Expected[at]
	span := string([]rune(c.Input)[e.Start:e.End])
	old, errOld := strconv.ParseFloat(strings.ReplaceAll(c.Input[from:to], ",", ""), 64)
	value, errValue := strconv.ParseFloat(strings.TrimSuffix(fmt.Sprint(e.Resolution["value"]), "%"), 64)
	if len(figures.FindAllString(span, -1)) != 1 || errOld != nil || errValue != nil || old == 0 || value == 0 ||
		strings.ContainsAny(span, "^/½⅓⅔¼¾eE") || len(numberWords.FindAllString(span, -1)) > 0 && strings.Contains(span, "and") {
		return *c, false
	}
	digits := []byte(c.Input[from:to])
	for i, d := range digits {
		if d >= '1' && d <= '9' {
			digits[i] = byte('1' + r.IntN(9))
		}
	}
	now, err := strconv.ParseFloat(strings.ReplaceAll(string(digits), ",", ""), 64)
	v, ok := replaced(c, from, to, string(digits))
	if err != nil || !ok {
		return v, false
	}
	v.Expected[at].Resolution = withValue(e, value/old*now)
	return v, true
}

var (
	numberList  = split("two three four five six seven eight nine")
	numberWords = wordsOf(numberList)
	tensList    = split("twenty thirty forty fifty sixty seventy eighty ninety")
)

// wordInNumber says another number where the value is that word alone.
func wordInNumber(c *entities.Case, r *rand.Rand) (entities.Case, bool) {
	if shares.MatchString(c.Input) {
		return *c, false // another number may make a share of it
	}
	for _, class := range [][]string{numberList, tensList} {
		from, to, at, ok := drawn(c, wordsOf(class), r)
		if !ok {
			continue
		}
		e := &c.Expected[at]
		span := strings.ToLower(string([]rune(c.Input)[e.Start:e.End]))
		value, err := strconv.ParseFloat(strings.TrimSuffix(fmt.Sprint(e.Resolution["value"]), "%"), 64)
		was, is := indexFold(class, c.Input[from:to]), r.IntN(len(class))
		step := []float64{1, 10}[map[bool]int{false: 0, true: 1}[class[0] == "twenty"]]
		if err != nil || was == is || span != strings.ToLower(c.Input[from:to]) && value != step*float64(was+2) {
			v, ok := replaced(c, from, to, likeCase(c.Input[from:to], class[is]))
			v.Loose = true
			return v, ok && was != is
		}
		v, ok := replaced(c, from, to, likeCase(c.Input[from:to], class[is]))
		v.Expected[at].Resolution = withValue(e, step*float64(is+2))
		return v, ok
	}
	return *c, false
}

var shares = pattern.Must(`(?i) (?:out of|in) `)

func withValue(e *entities.Expected, value float64) map[string]any {
	out := map[string]any{}
	maps.Copy(out, e.Resolution)
	out["value"] = strconv.FormatFloat(value, 'g', 15, 64)
	return out
}

var phoneTail = pattern.Must(`\d\b`)

// lastDigit dials another last digit.
func lastDigit(c *entities.Case, r *rand.Rand) (entities.Case, bool) {
	if len(c.Expected) != 1 {
		return *c, false
	}
	runes := []rune(c.Input)
	to := len(string(runes[:c.Expected[0].End]))
	if !phoneTail.MatchString(c.Input[to-1 : to]) {
		return *c, false
	}
	return replaced(c, to-1, to, strconv.Itoa(r.IntN(10)))
}
