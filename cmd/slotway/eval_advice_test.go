package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/test/programtest"
)

// siblings has two intents that are taken for each other, a third that is like neither, and an
// example of the third under the first.
const siblings = `version: 1
intents:
  - id: cancel_refund
    title: cancel for a refund
    plan: [{respond: done}]
    examples:
      - cancel my flight
      - please cancel the trip
      - i have to cancel a flight
      - can you cancel this trip
      - cancel the flight now
      - money back for my flight
      - money back on the trip
      - where is the gift shop today
  - id: cancel_credit
    title: cancel for a credit
    plan: [{respond: done}]
    examples:
      - cancel my trip
      - please cancel the flight
      - i have to cancel a trip
      - can you cancel this flight
      - cancel the trip now
      - credit for my flight
      - credit on the trip
  - id: gift_shop
    title: gift shop
    plan: [{respond: done}]
    examples:
      - where is the gift shop
      - is the gift shop open today
      - find the gift shop
      - gift shop opening hours
      - where do i find the gift shop today
      - until when is the gift shop open
      - which way to the gift shop
responses: {done: Done.}
`

func TestEvalAdvice(t *testing.T) {
	programtest.TakesLong(t)
	trainsOften(t)
	path := filepath.Join(t.TempDir(), "agent.yaml")
	writeTestFile(t, path, siblings)
	out, code := runCommand(t, "--agent", path, "eval", "advice")
	for _, want := range []string{
		"22 examples of 3 intents",
		`agent.yaml:14:9: "where is the gift shop today" stands under cancel_refund, and reads like gift_shop`,
		"cancel_credit and cancel_refund: ", "people do not tell them apart: merge them",
		"Where the next examples help most",
		"Twice the examples (15 an intent, not 7)",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if code != exitOK || t.Failed() {
		t.Errorf("exit code %d\n%s", code, out)
	}
	v := runJSON(t, "--agent", path, "eval", "advice", "--json")
	hasKeys(t, v, "examples intents folds error siblings suspects repeated carriers needy forecast")
	suspects, _ := v["suspects"].([]any)
	if len(suspects) == 0 || suspects[0].(map[string]any)["at"] != path+":14:9" {
		t.Errorf("%v", suspects)
	}
}

// The check says it in a few lines, and only when asked.
func TestCheckAdvice(t *testing.T) {
	programtest.TakesLong(t)
	trainsOften(t)
	path := filepath.Join(t.TempDir(), "agent.yaml")
	writeTestFile(t, path, siblings)
	if out, code := runCommand(t, "check", path); code != exitOK || strings.Contains(out, "advice:") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	out, code := runCommand(t, "check", "--advice", path)
	if code != exitOK || !strings.Contains(out, "agent.yaml:14:9: ") || !strings.Contains(out, "advice: cancel_credit and cancel_refund are taken for each other") || strings.Count(out, "advice:") > 6 {
		t.Errorf("exit code %d\n%s", code, out)
	}
	v := runJSON(t, "check", "--advice", "--json", path)
	if advice, _ := v["advice"].(map[string]any); advice["siblings"] == nil {
		t.Errorf("%v", v)
	}
}
