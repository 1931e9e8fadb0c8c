package dialogflow_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/convert/dialogflow"
	"github.com/slotway/slotway/internal/test/converttest"
)

// imported returns the agent and the report of an export.
func imported(t *testing.T, files map[string]string) (agent, report string) {
	t.Helper()
	bot, dir := converttest.Bot(t, dialogflow.Read, converttest.Write(t, files), ""), t.TempDir()
	written, err := bot.Files()
	if err != nil {
		t.Fatal(err)
	}
	if err := bot.Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Load(filepath.Join(dir, convert.AgentFile)); err != nil {
		t.Error(err)
	}
	var out bytes.Buffer
	if err := bot.Report.Print(&out, true); err != nil {
		t.Fatal(err)
	}
	return written[convert.AgentFile] + written[convert.TestsFile], out.String()
}

// check compares parts of the agent, with single spaces, and of the report.
func check(t *testing.T, files map[string]string, agent, report []string) {
	t.Helper()
	gotAgent, gotReport := imported(t, files)
	gotAgent = converttest.Plain(gotAgent)
	for _, want := range agent {
		if !strings.Contains(gotAgent, converttest.Plain(want)) {
			t.Errorf("no %q in %s", want, gotAgent)
		}
	}
	for _, want := range report {
		if !strings.Contains(gotReport, want) {
			t.Errorf("no %q in\n%s", want, gotReport)
		}
	}
}

// The forms of ES that exports of others have: values from contexts, a yes that calls nothing, a no alone,
// fixed values, messages for one platform, files that nothing reads.
func TestESForms(t *testing.T) {
	intent := func(name, rest string) string { return `{"id": "` + name + `", "name": "` + name + `", ` + rest + `}` }
	check(t, map[string]string{
		"agent.json": `{"language": "en"}`,
		"intents/Order.json": intent("Order", `"responses": [{"parameters": [{"name": "size", "dataType": "@sys.any", "value": "$size"}, {"name": "kind", "dataType": "@sys.any", "value": "boat"}],
			"messages": [{"type": 0, "speech": "A $size.Thank you. Oars?", "lang": "en"}, {"type": 0, "platform": "facebook", "speech": "Face", "lang": "en"}]}]`),
		"intents/Order_usersays_en.json": `[{"data": [{"text": "a  "}, {"text": "big ", "alias": "size"}, {"text": "boat"}]}]`,
		"intents/Order - yes.json":       intent("Order - yes", `"parentId": "Order", "responses": [{"messages": [{"type": 0, "speech": "Oars then."}]}]`),
		"intents/Order - no.json":        intent("Order - no", `"parentId": "Order", "responses": [{"messages": [{"type": 0, "speech": "No oars."}]}]`),
		"intents/Pay.json":               intent("Pay", `"responses": [{"parameters": [{"name": "what", "dataType": "@sys.any", "value": "#order.size"}], "messages": [{"type": 0, "speech": "Paid #1: $what"}]}]`),
		"intents/Pay - no.json":          intent("Pay - no", `"parentId": "Pay", "responses": [{"messages": [{"type": 0, "speech": "Bye."}]}]`),
		"intents/Hi.json":                intent("Hi", `"events": [{"name": "WELCOME"}], "webhookUsed": true, "responses": [{"messages": [{"type": 0, "speech": "Ahoy!"}]}]`),
		"smalltalk_en.json":              `{}`,
	}, []string{
		`- "a [big](size) boat"`, `prompt: "A {size}.Thank you. Oars?"`, `- when: "order_answer == true" then: - respond: order else: - respond: order_2`, "order: Oars then.",
		"scope: session", `prompt: "Paid #1: {size}"`, "optional: [size, pay_answer]", "default: boat", "system.greet: Ahoy!",
	}, []string{
		`what of "Pay" comes from a context (#order.size): size lasts until the session ends`,
		`a message of "Order" for facebook`, `the fixed value of kind of "Order"`, `a webhook answers "Hi"`, "smalltalk_en.json: nothing of this file is read",
	})
}
