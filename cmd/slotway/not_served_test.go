package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// cardAgent serves cards, and knows of exchange rates that it does not serve them.
const cardAgent = `version: 1
params:
  card: {type: text, shape: code, prompt: "Which card?"}
intents:
  - id: freeze_card
    title: freeze a card
    examples:
      - freeze my card
      - please block my card
      - i want to lock my card
      - stop all payments with my card
      - my card was stolen, freeze it
      - put my card on hold
    params: {required: [card]}
    plan: [{respond: frozen}]
  - id: change_pin
    title: change a PIN
    examples:
      - change my pin
      - i want another pin
      - set a new pin for my card
      - how do i change my pin
      - my pin should be another one
      - please change the pin of the card
    plan: [{respond: pin}]
not_served:
  - name: exchange_rates
    examples:
      - what is the exchange rate
      - how many euros do i get for a dollar
      - rates for pounds today
      - what rate do you use when i pay abroad
      - is the exchange rate good right now
    response: We give no exchange rates here.
  - name: children
    examples:
      - open an account for my son
      - can my daughter have an account
      - an account for children
responses: {frozen: Frozen., pin: Use the app.}
`

const cardTalk = `conversation: what is not served
agent: agent.yaml
turns:
  - user: what exchange rate do you use abroad
    expect: {intent: not_served.exchange_rates, reply: We give no exchange rates here., asked: null, calls: []}
  - user: can my son have an account
    expect: {intent: not_served.children, reply: "That is something I can't do here. I can freeze a card or change a PIN.", asked: null}
  - user: please freeze my card
    expect: {intent: freeze_card, asked: card}
  - user: what is the exchange rate?
    expect: {intent: not_served.exchange_rates, asked: card, reply_matches: "^We give no exchange rates here. (?s).*Which card"}
`

// TestNotServed holds that what an agent lists as not served is answered with its text,
// begins nothing, and leaves what is under way as it is.
func TestNotServed(t *testing.T) {
	dir := t.TempDir()
	agent, talk := filepath.Join(dir, "agent.yaml"), filepath.Join(dir, "talk.yaml")
	writeTestFile(t, agent, cardAgent)
	writeTestFile(t, talk, cardTalk)
	if out, code := runCommand(t, "replay", talk); code != exitOK {
		t.Errorf("exit code %d\n%s", code, out)
	}
	out, _ := runCommand(t, "check", agent)
	if want := "not served: exchange_rates (5 examples), children (3 examples)"; !strings.Contains(out, want) {
		t.Errorf("check does not say %q:\n%s", want, out)
	}
}
