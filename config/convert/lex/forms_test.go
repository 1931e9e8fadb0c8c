package lex_test

import (
	"bytes"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/convert/lex"
	"github.com/slotway/slotway/internal/test/converttest"
)

// forms has a row for each form that real exports of Lex have and its documentation does not show, with the
// parts of the agent and the lines of the report that it leads to.
var forms = []struct {
	name   string
	files  map[string]string // below the language's folder
	agent  []string          // parts of agent.yaml
	report []string          // parts of the report
	not    []string          // that agent.yaml must not have
}{
	{
		name:  "a slot type that takes any answer",
		files: map[string]string{"SlotTypes/T/SlotType.json": slotType("T", `"resolutionStrategy":"ORIGINAL_VALUE"`), "Intents/A/Intent.json": intent("A", "a {S}"), "Intents/A/Slots/S/Slot.json": slot("S", "T", "Which S?", "")},
		agent: []string{"else: keep"}, report: []string{"Lex takes any answer for T"},
	},
	{
		name:  "a pattern is the whole value",
		files: map[string]string{"SlotTypes/T/SlotType.json": `{"name":"T","valueSelectionSetting":{"regexFilter":{"pattern":"[A-Z]{3}"}}}`, "Intents/A/Intent.json": intent("A", "a"), "Intents/A/Slots/S/Slot.json": slot("S", "T", "Which S?", "")},
		agent: []string{`'\b(?:[A-Z]{3})\b'`},
	},
	{
		name: "a card",
		files: map[string]string{"Intents/A/Intent.json": `{"name":"A","sampleUtterances":[{"utterance":"a"}],"intentClosingSetting":{"closingResponse":{"messageGroupsList":[{"message":{"imageResponseCard":
			{"title":"Done","subtitle":"What next?","imageUrl":"https://example.com/a.png","buttonsList":[{"text":"More","value":"More"},{"text":"Stop it","value":"quit"}]}}}]}}}`},
		agent: []string{`Done What next? - More - Stop it`}, report: []string{`imageUrl has no counterpart: "https://example.com/a.png"`, `value has no counterpart: "quit"`},
	},
	{
		name:   "one slot in two intents with questions of their own",
		files:  map[string]string{"Intents/A/Intent.json": intent("A", "a"), "Intents/A/Slots/S/Slot.json": slot("S", "AMAZON.City", "Where from?", ""), "Intents/B/Intent.json": intent("B", "b"), "Intents/B/Slots/S/Slot.json": slot("S", "AMAZON.City", "Where to?", `,"obfuscationSetting":{"obfuscationSettingType":"DefaultObfuscation"}`)},
		agent:  []string{"prompt: \"Where from?\"", "- name: \"s\"\n          prompt: \"Where to?\"", `params: ["s"]`},
		report: []string{"1 param,"},
	},
	{
		name:  "a slot without a priority is asked for last, an answer to a question teaches values",
		files: map[string]string{"Intents/A/Intent.json": intent("A", "a", `,"slotPriorities":[{"priority":1,"slotName":"Z"},{"priority":2,"slotName":"Gone"}]`), "Intents/A/Slots/B/Slot.json": slot("B", "AMAZON.City", "Where?", ""), "Intents/A/Slots/Z/Slot.json": slotOf("Z", "AMAZON.Date", `"sampleUtterances":[{"utterance":"on {Z}"},{"utterance":"whenever"}]`)},
		agent: []string{`required: ["z", "b"]`, "examples_from: [examples/a.jsonl]"}, report: []string{"the export has no file of slot Gone", "an answer to the question about Z: whenever"},
	},
	{
		name:  "two places of one type in an utterance get two values",
		files: map[string]string{"Intents/A/Intent.json": intent("A", "from {S} to {T}"), "Intents/A/Slots/S/Slot.json": slot("S", "AMAZON.City", "From?", ""), "Intents/A/Slots/T/Slot.json": slot("T", "AMAZON.City", "To?", "")},
		agent: []string{"from [Lisbon](s) to [Boston](t)"},
	},
	{
		name: "steps of the visual builder",
		files: map[string]string{
			"Intents/A/Intent.json":              intent("A", "a", `,"slotPriorities":[{"priority":1,"slotName":"S"},{"priority":2,"slotName":"T"}],"initialResponseSetting":{"codeHook":{"isActive":true,"enableCodeHookInvocation":true,"postCodeHookSpecification":{"failureResponse":{"messageGroupsList":[{"message":{"plainTextMessage":{"value":"No luck."}}}]}}}}`),
			"Intents/A/Slots/S/Slot.json":        slotOf("S", "AMAZON.City", `"promptSpecification":{"promptAttemptsSpecification":{"Initial":{"maxLength":5}},"maxRetries":2},"slotCaptureSetting":{"captureNextStep":{"dialogAction":{"type":"FulfillIntent"}},"failureNextStep":{"dialogAction":{"type":"StartIntent"},"intent":{"name":"B"}},"captureConditional":{"isActive":false,"conditionalBranches":[{"name":"off"}]}}`),
			"Intents/A/Slots/T/Slot.json":        slotOf("T", "AMAZON.City", `"slotCaptureSetting":{"captureNextStep":{"dialogAction":{"type":"StartIntent"},"intent":{"name":"B"},"sessionAttributes":{"k":"v"}}}`),
			"CustomVocabulary.json":              `{}`,
			"Intents/B/Intent.json":              intent("B", "b", `,"fulfillmentCodeHook":{"enabled":true,"isActive":false}`),
			"Intents/Search/Intent.json":         intent("Search", "", `,"parentIntentSignature":"AMAZON.QInConnectIntent","qInConnectIntentConfiguration":{"a":"b"}`),
			"Intents/Stop/Intent.json":           intent("Stop", "halt", `,"parentIntentSignature":"AMAZON.StopIntent"`),
			"Intents/Cancel/Intent.json":         intent("Cancel", "drop it all", `,"parentIntentSignature":"AMAZON.CancelIntent"`),
			"Intents/FallbackIntent/Intent.json": intent("FallbackIntent", "", `,"fulfillmentCodeHook":{"enabled":true}`),
		},
		agent: []string{"cancel:\n    examples:\n      - drop it all\n      - halt"}, not: []string{"fulfill_b", "search"},
		report: []string{
			`initialResponseSetting has no counterpart: {"codeHook":{"isActive":true,"enableCodeHookInvocation":true`, `Slots/S/Slot.json:1: slotCaptureSetting has no counterpart: {"captureNextStep":{"dialogAction":{"type":"FulfillIntent"}`, `Slots/T/Slot.json:1: slotCaptureSetting has no counterpart: {"captureNextStep":{"dialogAction":{"type":"StartIntent"},"intent":{"name":"B"}`,
			"CustomVocabulary.json: nothing of this file is read", "Search answers from a service of Amazon", "a function answers FallbackIntent",
		},
	},
	{
		name: "an intent that is a built-in one by what people say",
		files: map[string]string{
			"Intents/Welcome/Intent.json": intent("Welcome", "hello", `,"initialResponseSetting":{"initialResponse":{"messageGroupsList":[{"message":{"plainTextMessage":{"value":"Welcome to us."}}}]}}`),
			"Intents/A/Intent.json":       intent("A", "hi"), "Intents/A/Slots/S/Slot.json": slot("S", "AMAZON.City", "Where?", ""),
		},
		agent: []string{"system.greet: Welcome to us."}, report: []string{"Welcome is the built-in intent greet"},
	},
	{
		name: "all that an intent says",
		files: map[string]string{"Intents/A/Intent.json": intent("A", "a <b>", `,"fulfillmentCodeHook":{"enabled":true,"postFulfillmentStatusSpecification":{"successResponse":`+said("Done.")+`,"failureResponse":`+said("It <failed>.")+`}},
"intentClosingSetting":{"closingResponse":{"messageGroupsList":[{"message":{"plainTextMessage":{"value":"Bye."}},"variations":[{"plainTextMessage":{"value":"Ciao."}}]}]}}`)},
		agent: []string{`"a": Done. Bye.`}, report: []string{"failureResponse has no counterpart:", "another wording of a further message: Ciao."},
	},
}

func TestForms(t *testing.T) {
	for _, c := range forms {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"Bot.json": `{"name":"b","idleSessionTTLInSeconds":90}`, "BotLocales/en_US/BotLocale.json": `{"nluConfidenceThreshold":0.4}`}
			for name, text := range c.files {
				files["BotLocales/en_US/"+name] = text
			}
			agent, report := imported(t, files)
			for _, part := range append(c.agent, `idle_ttl: "90s"`) {
				if !strings.Contains(converttest.Plain(agent), converttest.Plain(part)) {
					t.Errorf("no %q in\n%s", part, agent)
				}
			}
			for _, part := range c.not {
				if strings.Contains(agent, part) {
					t.Errorf("%q in\n%s", part, agent)
				}
			}
			for _, part := range append(c.report, "nluConfidenceThreshold") {
				if !strings.Contains(report, part) {
					t.Errorf("no %q in\n%s", part, report)
				}
			}
		})
	}
}

// The export of a language alone has no Bot.json, and a folder may hold two bots.
func TestFolders(t *testing.T) {
	one := map[string]string{"BotLocales/en_US/BotLocale.json": `{}`, "BotLocales/en_US/Intents/A/Intent.json": intent("A", "a")}
	if agent, _ := imported(t, one); !strings.Contains(agent, "id: lex_bot") {
		t.Error(agent)
	}
	two := map[string]string{"b1/Bot.json": `{"name":"first"}`, "b2/Bot.json": `{"name":"second"}`}
	for name, text := range maps.All(one) {
		two["b1/"+name], two["b2/"+name] = text, text
	}
	agent, report := imported(t, two)
	if !strings.Contains(agent, "id: first") || strings.Count(agent, "- id:") != 1 || !strings.Contains(report, "b2/Bot.json: another bot") {
		t.Errorf("%s\n%s", agent, report)
	}
}

// imported returns the agent.yaml and the report of an export; the agent has no errors.
func imported(t *testing.T, files map[string]string) (agent, report string) {
	t.Helper()
	bot, dir := converttest.Bot(t, lex.Read, converttest.Write(t, files), ""), t.TempDir()
	if err := bot.Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Load(filepath.Join(dir, convert.AgentFile)); err != nil {
		t.Error(err)
	}
	made, err := bot.Files()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := bot.Report.Print(&out, true); err != nil {
		t.Fatal(err)
	}
	return string(made[convert.AgentFile]), out.String()
}

func intent(name, utterance string, more ...string) string {
	return `{"name":"` + name + `","sampleUtterances":[{"utterance":"` + utterance + `"}]` + strings.Join(more, "") + `}`
}

func slotType(name, selection string) string {
	return `{"name":"` + name + `","slotTypeValues":[{"sampleValue":{"value":"one"}},{"sampleValue":{"value":"two"}}],"valueSelectionSetting":{` + selection + `}}`
}

func slot(name, kind, question, more string) string {
	return `{"name":"` + name + `","slotTypeName":"` + kind + `","valueElicitationSetting":{"slotConstraint":"Required","promptSpecification":` + said(question) + `}` + more + `}`
}

func slotOf(name, kind, elicitation string) string {
	return `{"name":"` + name + `","slotTypeName":"` + kind + `","valueElicitationSetting":{"slotConstraint":"Required",` + elicitation + `}}`
}

func said(text string) string {
	return `{"messageGroupsList":[{"message":{"plainTextMessage":{"value":"` + text + `"}}}]}`
}
