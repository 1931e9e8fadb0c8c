package convert

import (
	"strings"
	"unicode"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/pattern"
)

// Filler gives values for the places of params in example sentences that a source leaves open, such as
// "a flight to {city}". It goes through the values in turn, so that sentences differ.
type Filler struct {
	Values func(param string) []string
	used   int // values so far
}

// slotPlace matches a place in a sentence.
var slotPlace = pattern.Must(`\{([^{}]*)\}`)

// Fill returns an example for a sentence with its places as {name}. known says which names are params,
// and by which name the agent calls them. ok is false if a place has no value.
func (f *Filler) Fill(sentence string, known map[string]string) (e config.Example, ok bool) {
	var parts []Part
	end := 0
	for _, m := range slotPlace.FindAllStringSubmatchIndex(sentence, -1) {
		param := known[strings.TrimSpace(sentence[m[2]:m[3]])]
		values := f.Values(param)
		if param == "" || len(values) == 0 {
			return e, false
		}
		parts = append(parts, Part{Text: sentence[end:m[0]]}, Part{Text: values[f.used%len(values)], Param: param})
		f.used++
		end = m[1]
	}
	e = Sentence(append(parts, Part{Text: sentence[end:]}))
	return e, e.Text != ""
}

// Part is a piece of a sentence. One with a param is a value of it.
type Part struct{ Text, Param, Value string }

// Sentence returns the example of a sentence in pieces. White space becomes single spaces, and none of it
// is marked.
func Sentence(parts []Part) (e config.Example) {
	var b strings.Builder
	length, space := 0, false // runes so far, and whether a space comes before the next
	for _, part := range parts {
		start := -1
		for _, r := range part.Text {
			if unicode.IsSpace(r) || unicode.IsControl(r) {
				space = length > 0
				continue
			}
			if space {
				b.WriteByte(' ')
				length, space = length+1, false
			}
			if start < 0 {
				start = length
			}
			b.WriteRune(r)
			length++
		}
		if part.Param != "" && start >= 0 {
			e.Spans = append(e.Spans, config.Span{Param: part.Param, Start: start, End: length, Value: part.Value})
		}
	}
	e.Text = b.String()
	return e
}

// Samples are values of built-in types, as people say them.
var Samples = map[string][]string{
	"date": {"tomorrow", "Friday", "June 12", "next Monday", "the 3rd of May"}, "time": {"3 pm", "noon", "half past ten", "18:30", "9 in the morning"},
	"datetime": {"tomorrow at 3 pm", "Friday at noon", "June 12 at 18:30"}, "duration": {"two hours", "3 days", "a week", "45 minutes"},
	"integer": {"2", "three", "7", "twelve"}, "number": {"2", "3.5", "seven", "120"}, "percentage": {"10 percent", "25%", "half a percent"},
	"money": {"$20", "50 euros", "120 dollars"}, "email": {"ana@example.com", "tom.berg@example.org"},
	"phone": {"202-555-0142", "+44 20 7946 0018"}, "url": {"example.com", "https://example.org/help"}, "person": {"Ana Lima", "Tom Berg", "Lena Fischer"},
	"location": {"Lisbon", "Boston", "Paris", "New York"}, "zip": {"02139", "10115"},
	"ordinal": {"the first", "the second"}, "daterange": {"this weekend", "June 3 to June 7"}, "text": {"something else"},
}
