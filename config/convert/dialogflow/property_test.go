package dialogflow_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/config/convert/dialogflow"
	"github.com/slotway/slotway/internal/test/converttest"
)

// Every export of ES becomes an agent that loads.
func TestAnyES(t *testing.T) {
	converttest.Loads(t, dialogflow.Read, func(t *rapid.T) map[string]string {
		pick := func(list ...string) string { return rapid.SampledFrom(list).Draw(t, "part") }
		name := func() string { return pick(converttest.Names...) }
		files := map[string]string{"agent.json": `{"language": "en"}`}
		for n := range rapid.IntRange(0, 2).Draw(t, "entities") {
			files[fmt.Sprintf("entities/%d.json", n)] = fmt.Sprintf(`{"name": %q, "isRegexp": %s, "entries": [{"value": "big", "synonyms": ["large", %q]}, {"value": "x"}]}`, name(), pick("true", "false"), name())
		}
		for n := range 1 + rapid.IntRange(0, 5).Draw(t, "intents") {
			file := fmt.Sprintf("intents/%d", n)
			var params strings.Builder
			for p := range rapid.IntRange(0, 2).Draw(t, "params") {
				if p > 0 {
					params.WriteString(", ")
				}
				params.WriteString(fmt.Sprintf(`{"name": %q, "dataType": %q, "required": %s, "isList": %s, "value": %q, "defaultValue": %q, "prompts": [{"lang": "en", "value": "Say 9%d%d $size?"}]}`,
					name(), "@"+pick(append(converttest.Names, "sys.date", "sys.number", "sys.any")...), pick("true", "false"), pick("true", "false"), pick("", "$size", "#c.size", "two"), pick("", "5", "#c.x"), n, p))
			}
			files[file+".json"] = fmt.Sprintf(`{"id": "%d", "name": %q, "parentId": "%d", "contexts": [%s], "webhookUsed": %s, "fallbackIntent": %s, "events": [{"name": %q}], "liveAgentHandoff": %s,
				"responses": [{"affectedContexts": [{"name": "c"}], "parameters": [%s], "messages": [{"type": 0, "lang": "en", "speech": ["Say 1%d $size? {x}", "Say 2%d."]}]}]}`,
				n, name(), rapid.IntRange(0, 7).Draw(t, "parent"), pick("", `"c"`), pick("true", "false"), pick("false", "false", "true"), pick("", "", "WELCOME"), pick("false", "true"), params.String(), n, n)
			files[file+"_usersays_en.json"] = fmt.Sprintf(`[{"data": [{"text": %q}, {"text": " big", "alias": %q}]}, {"data": [{"text": %q}]}]`, name(), name(), pick("yes", fmt.Sprintf("Say 3%d", n)))
		}
		return files
	})
}

// Every export of CX becomes an agent that loads.
func TestAnyCX(t *testing.T) {
	converttest.Loads(t, dialogflow.Read, func(t *rapid.T) map[string]string {
		pick := func(list ...string) string { return rapid.SampledFrom(list).Draw(t, "part") }
		name := func() string { return pick(converttest.Names...) }
		pages := []string{"P0", "P1", "P2", "END_SESSION", ""}
		count := 0
		fulfil := func() string {
			count++
			return pick("", fmt.Sprintf(`"messages": [{"text": {"text": ["Say %d $session.params.date", "Say 9%d"]}}]`, count, count), `"webhook": "w", "tag": "`+pick("t", "order")+`"`, `"messages": [{"liveAgentHandoff": {}}]`)
		}
		routes := func() (out string) {
			for n := range rapid.IntRange(0, 3).Draw(t, "routes") {
				if n > 0 {
					out += ", "
				}
				out += fmt.Sprintf(`{"intent": %q, "condition": %q, "targetPage": %q, "triggerFulfillment": {%s}}`, pick(append(converttest.Names, "", "", "answer.no")...),
					pick("", "true", `$page.params.status = "FINAL"`, `$session.params.date = "x"`, "$sys.x"), pick(pages...), fulfil())
			}
			return out
		}
		files := map[string]string{"agent.json": `{"defaultLanguageCode": "en"}`, start + "Default Start Flow.json": `{"displayName": "Default Start Flow", "transitionRoutes": [` + routes() + `]}`}
		for n, intent := range append(converttest.Names, "answer.no") {
			files[fmt.Sprintf("intents/%d/%d.json", n, n)] = fmt.Sprintf(`{"displayName": %q, "parameters": [{"id": %q, "entityType": "@sys.date", "isList": %s}], "trainingPhrases": [{"parts": [{"text": "Say 8%d "}, {"text": "on", "parameterId": %q}]}]}`,
				intent, name(), pick("true", "false"), n, name())
		}
		for n := range 3 {
			var form strings.Builder
			for p := range rapid.IntRange(0, 2).Draw(t, "form") {
				if p > 0 {
					form.WriteString(", ")
				}
				form.WriteString(fmt.Sprintf(`{"displayName": %q, "entityType": %q, "required": %s, "fillBehavior": {"initialPromptFulfillment": {%s}}}`, name(), pick("@sys.date", "@sys.any", "@none"), pick("true", "false"), fulfil()))
			}
			files[fmt.Sprintf("%spages/%d.json", start, n)] = fmt.Sprintf(`{"displayName": "P%d", "entryFulfillment": {%s}, "form": {"parameters": [%s]}, "transitionRoutes": [%s]}`, n, fulfil(), form.String(), routes())
		}
		return files
	})
}
