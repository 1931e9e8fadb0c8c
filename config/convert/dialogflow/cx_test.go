package dialogflow_test

import "maps"

import "testing"

// says is the part of a fulfillment with one text.
func says(text string) string {
	return `"messages": [{"text": {"text": ["` + text + `"]}, "languageCode": "en"}]`
}

const (
	phrases = `{"trainingPhrases": [{"parts": [{"text": "boat  ", "auto": true}, {"text": "for me ", "parameterId": "who"}], "languageCode": "en"}]}`
	start   = "flows/Default Start Flow/"
)

// boats is a CX agent of one task whose page is given, with those behind it.
func boats(page string, more map[string]string) map[string]string {
	files := map[string]string{
		"agent.json":                           `{"defaultLanguageCode": "en"}`,
		"intents/boat/boat.json":               `{"displayName": "boat", "parameters": [{"id": "who", "entityType": "@sys.any", "redact": true}]}`,
		"intents/boat/trainingPhrases/en.json": phrases,
		"intents/yes/yes.json":                 `{"displayName": "yes"}`,
		"intents/no/no.json":                   `{"displayName": "no"}`,
		start + "Default Start Flow.json":      `{"displayName": "Default Start Flow", "transitionRoutes": [{"intent": "boat", "targetPage": "One", "triggerFulfillment": {` + says("A boat? Sure?") + `}}]}`,
		start + "pages/One.json":               page,
		start + "pages/Two.json":               `{"displayName": "Two", "entryFulfillment": {` + says("Two it is.") + `}, "eventHandlers": [{"event": "sys.no-input-default"}]}`,
	}
	maps.Copy(files, more)
	return files
}

// The forms of CX that exports of others have: what asks for a yes stands before the page, a no goes on,
// events and generators.
func TestCXForms(t *testing.T) {
	both := `{"displayName": "One", "transitionRoutes": [{"intent": "yes", "targetPage": "Two"}, {"intent": "no", "targetPage": "Three"}]}`
	three := map[string]string{start + "pages/Three.json": `{"displayName": "Three", "entryFulfillment": {` + says("Three $sys.func.NOW()") + `, "generators": [{"outputParameter": "$request.generative.x"}]}}`}
	hook := `{"displayName": "One", "entryFulfillment": {` + says("Now?") + `}, "transitionRoutes": [{"intent": "yes", "triggerFulfillment": {"webhook": "desk", "tag": "go"}}, {"intent": "no"}]}`
	form := `{"displayName": "One", "entryFulfillment": {` + says("First this.") + `}, "form": {"parameters": [{"displayName": "size", "required": true, "entityType": "@sys.any",
		"fillBehavior": {"initialPromptFulfillment": {` + says("Which?") + `}, "repromptEventHandlers": [{"event": "sys.no-input-1"}]}}]}}`
	greets := map[string]string{
		"intents/greet.hi/greet.hi.json": `{"displayName": "greet.hi", "trainingPhrases": [{"parts": [{"text": "ahoy"}]}]}`, "intents/greet.yo/greet.yo.json": `{"displayName": "greet.yo", "trainingPhrases": [{"parts": [{"text": "yo"}]}]}`,
		start + "Default Start Flow.json": `{"displayName": "Default Start Flow", "transitionRoutes": [{"intent": "greet.hi", "targetPage": "One", "triggerFulfillment": {` + says("Ahoy!") + `}},
		{"intent": "greet.yo", "triggerFulfillment": {` + says("Yo!") + `}}, {"intent": "boat"}]}`,
	}
	for name, c := range map[string]struct {
		files         map[string]string
		agent, report []string
	}{
		"the question stands before the page": {
			boats(both, three),
			[]string{`prompt: "A boat? Sure?"`, `- ask: boat_one - when: "boat_one == true" then: - respond: boat end: true`, `boat: Two it is.`, `boat_2: "Three (sys.func.NOW())"`},
			[]string{"a text names $sys.func.NOW(), which is no parameter", `generators has no counterpart: [{"outputParameter":"$request.generative.x"}]`, `eventHandlers has no counterpart: [{"event":"sys.no-input-default"}]`},
		},
		"a yes calls something": {
			boats(hook, map[string]string{"webhooks/desk.json": `{"displayName": "desk", "genericWebService": {"uri": "https://boats.example"}}`}),
			[]string{`- ask: boat_one - when: "boat_one == true" then: - call: go - end: true`, "effect: write"},
			[]string{`connect the webhook "desk" (tag "go")`, "webhooks/desk.json: nothing of this file is read", `no task comes to page "Two"`},
		},
		"a page says its entry before the form": {
			boats(form, map[string]string{"generators/a/a.json": "{}"}),
			[]string{"prompt: Which? skippable: false", "optional: [size, who] plan: - respond: boat - respond: boat_2 - ask: size", `- "boat [for me](who)"`, "redaction: params: [who]"},
			[]string{`repromptEventHandlers has no counterpart: [{"event":"sys.no-input-1"}]`, "generators/a/a.json: nothing of this file is read"},
		},
		"the same intent goes on in another flow": {
			boats(both, map[string]string{
				start + "Default Start Flow.json": `{"displayName": "Default Start Flow", "transitionRoutes": [{"intent": "boat", "targetFlow": "Hire"}]}`,
				"flows/Hire/Hire.json":            `{"displayName": "Hire", "transitionRoutes": [{"intent": "boat", "condition": "$session.params.x = 1", "targetPage": "One"}, {"condition": "true"}]}`,
				"flows/Hire/pages/One.json":       `{"displayName": "One", "entryFulfillment": {` + says("In the flow.") + `}}`,
			}),
			[]string{"plan: - respond: boat", "boat: In the flow."},
			[]string{`no task comes to page "One" of flow "Default Start Flow"`, `flow "Hire" goes on by itself if true`, `the way on for "boat" depends on $session.params.x = 1 as well`},
		},
		"two greetings": {
			boats(form, greets),
			[]string{"greet: examples: - ahoy - yo", `system.greet: - Ahoy! - Yo!`},
			[]string{`the greeting "greet.hi" does more than saying something (page "One"`, `no task comes to page "One"`},
		},
	} {
		t.Run(name, func(t *testing.T) { check(t, c.files, c.agent, c.report) })
	}
}

// Test cases pin one of several wordings, and what a language model wrote: they are named.
func TestCXTests(t *testing.T) {
	check(t, boats(`{"displayName": "One"}`, map[string]string{"testCases/a.json": `{"displayName": "a"}`}),
		[]string{"plan: - respond: boat"}, []string{"testCases/a.json: nothing of this file is read"})
}

// A way that a condition guards is not taken without it, nor the next one instead.
func TestCXGuards(t *testing.T) {
	page := `{"displayName": "One", "form": {"parameters": [{"displayName": "age", "required": true, "entityType": "@sys.number"}]}, "transitionRoutes": [
		{"condition": "$session.params.age > 17", "targetPage": "Two"}, {"condition": "$sys.func.CONTAINS(x)", "targetPage": "Two"}, {"condition": "true", "triggerFulfillment": {` + says("Too young.") + `}}]}`
	check(t, boats(page, nil), []string{"when: age > 17 then: - respond: boat_2 end: true"}, []string{
		`the way on from page "One" for "" if "$sys.func.CONTAINS(x)", to Two`, `the way on from page "One" for "" if "true", to an answer`,
	})
}
