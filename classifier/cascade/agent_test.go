package cascade

import (
	"regexp"
	"strings"

	"github.com/slotway/slotway/config"
)

// supportAgent is the agent that the tests talk to: ten intents of a shop and the
// system's, with a handful of examples each, as an author would write them.
func supportAgent() *config.Agent {
	orderID := &config.Type{
		Name:      "order_id",
		Patterns:  []*regexp.Regexp{regexp.MustCompile(`#?\b(?:O|W|ORD)-?\d{4,10}\b`), regexp.MustCompile(`(?i)\border\s+(?:no\.?|number|id)?\s*#?(\d{4,10})\b`)},
		Bare:      regexp.MustCompile(`#?[A-Za-z]{0,3}-?\d{4,10}`),
		Normalize: []config.Normalizer{{Op: "upper"}, {Op: "trim", Arg: "#"}},
	}
	reason := &config.Type{Name: "cancel_reason", Fuzzy: 1, Values: []config.EnumValue{
		{Value: "no longer needed", Synonyms: []string{"changed my mind", "don't need it", "don't want it anymore"}},
		{Value: "ordered by mistake", Synonyms: []string{"by accident", "wrong order"}},
	}}
	size := &config.Type{Name: "size", Fuzzy: 1, Values: []config.EnumValue{
		{Value: "small", Synonyms: []string{"S size"}}, {Value: "medium"}, {Value: "large"}, {Value: "extra large", Synonyms: []string{"xl"}},
	}}
	builtin := func(name string) *config.Type { return &config.Type{Name: name, Builtin: name} }
	ps := map[string]*config.Param{}
	param := func(name string, t *config.Type) *config.Param {
		p := &config.Param{Name: name, Type: t}
		ps[name] = p
		return p
	}
	id := param("order_id", orderID)
	why, mail, zip := param("reason", reason), param("email", builtin("email")), param("zip", builtin("zip"))
	address, fit := param("address", builtin("text")), param("size", size)
	day, at, when := param("pickup_day", builtin("date")), param("pickup_time", builtin("time")), param("callback_at", builtin("datetime"))
	amount, name, phone := param("amount", builtin("money")), param("contact", builtin("person")), param("phone", builtin("phone"))
	count, gift, city := param("quantity", builtin("integer")), param("gift", builtin("boolean")), param("city", builtin("location"))

	task := func(id, description string, examples string, params ...*config.Param) *config.Intent {
		return &config.Intent{ID: id, Description: description, Examples: marked(examples), Required: params}
	}
	return &config.Agent{
		ID: "order-support", Language: "en", Params: ps,
		Classifier: config.ClassifierPolicy{Threshold: 0.55, Ambiguity: 0.1, Fallback: "out_of_scope"},
		Intents: []*config.Intent{
			task("order_status", "tell where an order is and when it arrives", `where is my order
track order [O-12345](order_id)
when will [W2378156](order_id) get here?
has my package shipped yet
what's the status of my order
my delivery hasn't arrived`, id, mail, zip),
			task("cancel_order", "cancel an order that has not shipped", `cancel my order
i changed my mind about my order
please cancel [O-12345](order_id)
i want to cancel an order
i don't want this order anymore`, id, why),
			task("change_address", "send an order to another address", `change my shipping address
send [O-12345](order_id) to a different address
i moved
update the delivery address
ship it somewhere else`, id, address),
			task("return_item", "send a product back for a refund", `i want to return something
return an item from [O-12345](order_id)
how do i send this back
the shoes don't fit, i'd like to return them
start a return`, id, fit),
			task("refund_status", "tell when a refund is paid", `where is my refund
when do i get my money back
i haven't received my refund
has the refund for [O-12345](order_id) been paid`, id, amount),
			task("schedule_pickup", "have a courier pick up a return", `schedule a pickup
can someone collect the parcel
book a courier for my return
pick up my return tomorrow`, day, at, city),
			task("request_callback", "have a colleague call back", `call me back
i want someone to phone me
can you give me a ring
request a callback`, phone, when, name),
			task("order_gift", "order a gift card", `i want to buy a gift card
order gift cards
send a gift voucher to a friend`, count, gift),
			{ID: "shipping_cost", AnswerOnly: true, Examples: marked("how much is shipping\nis delivery free\nwhat do you charge for delivery\nshipping fees")},
			{ID: "opening_hours", AnswerOnly: true, Description: "opening hours of the shop", Examples: marked("when are you open\nwhat are your opening hours\nare you open on sunday\nwhat time do you close")},
			{ID: "out_of_scope", AnswerOnly: true},
		},
		System: systemIntents(),
	}
}

func systemIntents() []*config.Intent {
	var out []*config.Intent
	for _, s := range []struct{ id, examples string }{
		{"affirm", "yes\nyeah\nyep\nyes please\nsure\nok\nokay\ncorrect\nthat's right\ngo ahead\nsounds good\ndo it\nof course"},
		{"deny", "no\nnope\nno thanks\nnot really\nthat's wrong\ndon't do it\nno way\ni don't think so"},
		{"cancel", "cancel\nnever mind\nforget it\nstop\ncancel that\nforget about it"},
		{"reset", "start over\nreset\nlet's start again\nbegin from scratch"},
		{"help", "help\nwhat can you do\nhow does this work\nwhy do you need this\ni need help"},
		{"repeat", "repeat\nsay that again\npardon\nwhat did you say\ncome again"},
		{"skip", "skip\nskip this\nskip it\npass\nleave it empty"},
		{"human", "talk to a human\nagent please\ni want to speak to a person\ncustomer service representative\nlive agent"},
		{"correct", "actually\ni meant\nthat's not what i meant\ni made a mistake\nlet me correct that"},
		{"resume", "continue\nlet's go on\nback to my request\nwhere were we"},
		{"greet", "hello\nhi\nhey\ngood morning\nhi there"},
		{"goodbye", "bye\ngoodbye\nsee you\nthat's all\nthat's it for today"},
		{"thanks", "thanks\nthank you\nthanks a lot\nthat was helpful"},
	} {
		out = append(out, &config.Intent{ID: s.id, System: true, Examples: marked(s.examples)})
	}
	return out
}

var markup = regexp.MustCompile(`\[([^\]]+)\]\((\w+)\)`)

// marked reads examples, one a line, with spans as [text](param).
func marked(lines string) []config.Example {
	var out []config.Example
	for line := range strings.SplitSeq(lines, "\n") {
		var e config.Example
		for {
			m := markup.FindStringSubmatchIndex(line)
			if m == nil {
				break
			}
			value := line[m[2]:m[3]]
			e.Spans = append(e.Spans, config.Span{Param: line[m[4]:m[5]], Start: m[0], End: m[0] + len(value), Value: value})
			line = line[:m[0]] + value + line[m[1]:]
		}
		e.Text = line
		out = append(out, e)
	}
	return out
}
