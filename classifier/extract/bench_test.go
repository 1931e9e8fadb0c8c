package extract

import (
	"regexp"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// shop is an agent of fifteen params as shops have them.
func shop() *config.Agent {
	a := &config.Agent{Params: map[string]*config.Param{}}
	add := func(name string, t *config.Type) { t.Name = name; a.Params[name] = &config.Param{Name: name, Type: t} }
	for _, kind := range []string{"number", "money", "date", "time", "email", "phone", "url", "zip", "percentage", "boolean", "text", "person"} {
		add("the_"+kind, &config.Type{Builtin: kind})
	}
	add("order_id", &config.Type{Patterns: []*regexp.Regexp{regexp.MustCompile(`(?i)\bO-?(\d{5,8})\b`)}, Bare: regexp.MustCompile(`^(?:\d{5,8})$`)})
	add("tracking", &config.Type{Patterns: []*regexp.Regexp{regexp.MustCompile(`\b1Z[0-9A-Z]{16}\b`), regexp.MustCompile(`\b[A-Z]{2}\d{9}[A-Z]{2}\b`)}})
	add("size", &config.Type{Fuzzy: 1, Values: []config.EnumValue{{Value: "small"}, {Value: "medium"}, {Value: "large", Synonyms: []string{"big"}}, {Value: "extra large", Synonyms: []string{"xl"}}}})
	return a
}

var shopTalk = []string{
	"hi there, I need some help with my order please",
	"where is O-48213?",
	"can you send it to jo@example.com instead",
	"my phone number is +1 541-754-3010",
	"I'd like two large shirts and one small jacket",
	"the total was $129.99 but I only wanted to pay 100 dollars",
	"could you deliver it next friday at 5pm",
	"see https://shop.example.com/item/4711?ref=mail",
	"zip code 97333",
	"thanks, that's all for today",
	"no, that is the wrong colour",
	"is there a discount of 20% on the medium ones",
	"it was supposed to arrive on November 21st",
	"tracking says RX123456785DE, what does that mean",
	"I've been waiting for three weeks and nobody answers me",
	"what is your return policy for things that are broken",
	"change my address to 12 Long Lane, Springfield",
	"book a table for four tomorrow at half past seven",
	"my name is Ada Lovelace and I want to cancel",
	"about two and a half thousand euros, maybe less",
}

// BenchmarkExtract reads a message of the list at each turn of the loop.
func BenchmarkExtract(b *testing.B) {
	x := New(shop(), nil)
	for _, asked := range []string{"", "order_id"} {
		b.Run("asked="+asked, func(b *testing.B) {
			b.ReportAllocs()
			var values []message.Value
			for i := 0; b.Loop(); i++ {
				in := classifier.Input{Text: shopTalk[i%len(shopTalk)], Now: now}
				if asked != "" {
					in.Asked = &classifier.Asked{Param: asked}
				}
				values = x.Extract(in, values[:0])
			}
		})
	}
}

// BenchmarkCorrections reads messages that may correct what is known.
func BenchmarkCorrections(b *testing.B) {
	x := New(shop(), nil)
	filled := []string{"the_number", "the_date", "the_time", "order_id", "size"}
	for name, list := range map[string][]string{"short": {"no", "yes please", "no, 48214", "make it medium", "actually the 6th", "no wait, half past five"}, "long": shopTalk} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var values []message.Value
			for i := 0; b.Loop(); i++ {
				values = x.Extract(classifier.Input{Text: list[i%len(list)], Now: now, Filled: filled}, values[:0])
			}
		})
	}
}

// BenchmarkHostile reads messages of 8,000 bytes that repeat what a recogniser starts on:
// the cost must stay near the length.
func BenchmarkHostile(b *testing.B) {
	x := New(everything(), nil)
	for _, unit := range []string{"123 ", "12 é ", "((1)", "a hundred - ", "one ", "a@b.co ", "wrong size ", "In Paris ", "x me and ", "rosa at b dot ", "o 2-"} {
		text := strings.Repeat(unit, 8000/len(unit))
		b.Run(unit, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.Extract(classifier.Input{Text: text, Now: now, Asked: &classifier.Asked{Param: "defect"}}, nil)
			}
		})
	}
}
