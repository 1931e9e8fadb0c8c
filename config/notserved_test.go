package config

import (
	"strings"
	"testing"
)

const refusingAgent = `version: 1
intents:
  - id: freeze_card
    title: freeze a card
    examples: [freeze my card, block my card, lock the card]
    plan: [{respond: done}]
not_served:
  - name: exchange_rates
    examples:
      - what is the exchange rate
      - how many euros do i get for a dollar
      - rates for pounds today
    response: We give no exchange rates here.
  - examples: [open an account for my son, can my daughter have an account, an account for children]
responses: {done: Done.}
`

func TestNotServed(t *testing.T) {
	a := mustParse(t, refusingAgent)
	if len(a.Intents) != 1 || len(a.Tasks()) != 1 {
		t.Errorf("%d intents, %d tasks: what is not served counts among them", len(a.Intents), len(a.Tasks()))
	}
	rates, other := a.Intent("not_served.exchange_rates"), a.Intent("not_served.2")
	if rates == nil || other == nil {
		t.Fatalf("not served: %v", a.NotServed)
	}
	for in, want := range map[*Intent]string{rates: "We give no exchange rates here.", other: "That is something I can't do here. I can freeze a card."} {
		if !in.NotServed || !in.AnswerOnly || len(in.Examples) != 3 || len(in.Plan) != 1 {
			t.Errorf("%+v", in)
		}
		if got := a.Response(in.Plan[0].Response).Variants[0].Render(nil); got != want {
			t.Errorf("%s says %q", in.ID, got)
		}
	}
	if warnings := a.Warnings; len(warnings) != 0 {
		t.Errorf("%v", warnings)
	}
}

func TestNotServedIsChecked(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"a name twice":       {"  - examples: [open", "  - name: exchange_rates\n    examples: [open", `agent.yaml:14:11: not_served[1].name: "not_served.exchange_rates" is there already, at line 8`},
		"no examples":        {"  - examples: [open an account for my son, can my daughter have an account, an account for children]", "  - name: empty", "agent.yaml:14:5: not_served[1]: "},
		"an unknown key":     {"    response: We", "    respond: We", "agent.yaml:13:5: not_served[0].respond: "},
		"a marked value":     {"rates for pounds today", `"rates for [pounds](currency) today"`, `agent.yaml:12:9: not_served[0].examples[2]: unknown param of this intent "currency"`},
		"an unknown name":    {"We give no", "We give {nothing},", "agent.yaml:13:15: not_served[0].response: nothing fills {nothing}"},
		"few examples":       {", can my daughter have an account, an account for children", "", `agent.yaml:14:5: warning: not_served[1]: "not_served.2" has 1 examples`},
		"one of an intent's": {"rates for pounds today", "freeze my card", `agent.yaml:12:9: warning: example "freeze my card" of intent "not_served.exchange_rates" is one of "freeze_card" too, at line 5`},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Count(refusingAgent, c.old) != 1 {
				t.Fatalf("%q is there %d times", c.old, strings.Count(refusingAgent, c.old))
			}
			got := problemsOf("agent.yaml", []byte(strings.Replace(refusingAgent, c.old, c.new, 1)), "").Error()
			if !strings.Contains(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
