package rasa_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/convert/rasa"
)

// The names that generated bots are made of. Some have a meaning for the agent, too.
var (
	slotNames   = []string{"size", "day", "sure", "number", "user"}
	intentNames = []string{"order", "ask", "greet", "affirm", "deny", "cancel", "inform", "faq/fees", "nlu_fallback"}
	formNames   = []string{"order_form", "other_form"}
	sayNames    = []string{"utter_one", "utter_two", "utter_three", "utter_four"}
	actionNames = []string{"action_look", "action_do", "action_restart", "action_default_fallback"}
)

// anyBot generates the domain, rules, stories and flows of a bot.
func anyBot(t *rapid.T) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	pick := func(list []string, label string) string { return rapid.SampledFrom(list).Draw(t, label) }
	few := func(most int, label string) int { return rapid.IntRange(0, most).Draw(t, label) }
	line("intents: [%s]\nentities: [%s]\nslots:", strings.Join(intentNames, ", "), strings.Join(slotNames, ", "))
	for _, name := range slotNames {
		way := pick([]string{
			"{type: from_entity, entity: " + name + "}", "{type: from_text}", "{type: custom}", "{type: from_llm}",
			"{type: from_intent, intent: affirm, value: true}, {type: from_intent, intent: deny, value: false}", "{type: from_intent, intent: inform, value: x}",
			"{type: from_trigger_intent, intent: order, value: y}", "",
		}, "way")
		kind := pick([]string{"text", "bool", "float", "list", "any", "categorical, values: [x, y]", "text, initial_value: z"}, "kind")
		line("  %s: {type: %s, mappings: [%s]}", name, kind, way)
	}
	line("forms:")
	for _, name := range formNames {
		line("  %s: {required_slots: [%s]}", name, strings.Join(rapid.Permutation(slotNames).Draw(t, "slots")[:1+few(3, "many")], ", "))
	}
	line("responses:\n  utter_faq/fees: [{text: Nothing.}]")
	for _, name := range append(slotNames, "order_form_size") {
		if rapid.Bool().Draw(t, "asked") {
			line("  utter_ask_%s: [{text: 'Which %s?', buttons: [{title: X, payload: '/inform{\"%s\":\"x\"}'}]}]", name, name, name)
		}
	}
	for _, name := range sayNames {
		line("  %s:", name)
		for n := range 1 + few(2, "variants") {
			line("  - text: %s %d {%s}", strings.TrimPrefix(name, "utter_"), n, pick(slotNames, "place"))
			if rapid.Bool().Draw(t, "conditional") {
				line("    condition: [{type: slot, name: %s, value: x}]", pick(slotNames, "on"))
			}
		}
	}
	steps := func(rule bool) {
		if rapid.Bool().Draw(t, "condition") && rule {
			line("  condition: [%s]", pick([]string{"{active_loop: order_form}", "{slot_was_set: [size]}", "{slot_was_set: [{sure: true}]}"}, "guard"))
		}
		line("  steps:")
		for range 1 + few(6, "steps") {
			name := pick(slotNames, "slot")
			line("  - %s", pick([]string{
				"intent: " + pick(intentNames, "intent"), "{intent: order, entities: [{" + name + ": x}]}", "action: " + pick(sayNames, "say"),
				"action: " + pick(sayNames, "say"), "action: " + pick(actionNames, "do"), "active_loop: " + pick(formNames, "form"), "active_loop: null",
				"slot_was_set: [{" + name + ": x}]", "slot_was_set: [{sure: false}]", "slot_was_set: [{" + name + ": null}]", "checkpoint: c",
			}, "step"))
		}
	}
	line("rules:")
	for n := range 1 + few(4, "rules") {
		line("- rule: rule %d", n)
		steps(true)
	}
	line("stories:")
	for n := range 1 + few(4, "stories") {
		line("- story: story %d", n)
		steps(false)
	}
	line("nlu:")
	for _, name := range intentNames[:8] {
		line("- intent: %s\n  examples: |\n    - %s please\n    - the [x](%s) of %s", name, name, pick(slotNames, "mark"), name)
	}
	line("flows:")
	for n := range few(3, "flows") {
		line("  flow_%d:\n    description: flow %d\n    steps:", n, n)
		for range 1 + few(4, "steps") {
			name := pick(slotNames, "slot")
			line("    - %s", pick([]string{
				"collect: " + name, "{collect: " + name + ", ask_before_filling: true}", "action: " + pick(sayNames, "say"), "action: " + pick(actionNames, "do"),
				fmt.Sprintf("call: flow_%d", few(3, "other")), fmt.Sprintf("link: flow_%d", few(3, "other")), "set_slots: [{" + name + ": x}]",
				"{collect: sure, next: [{if: slots.sure, then: [{action: action_do, next: END}]}, {else: [{action: utter_one, next: END}]}]}",
				"{noop: true, next: [{if: \"slots." + name + " is 'x'\", then: [{action: utter_two, next: END}]}, {else: END}]}",
			}, "step"))
		}
	}
	return b.String()
}

// Every bot becomes an agent that loads, each time the same, and each intent, each step of its flows, and what its
// rules and stories say is in the agent or in the report.
func TestAnyBot(t *testing.T) {
	dir := t.TempDir()
	count := 0
	rapid.Check(t, func(t *rapid.T) {
		count++
		text, at := anyBot(t), filepath.Join(dir, fmt.Sprint(count))
		if err := os.MkdirAll(at, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, "bot.yml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		bot, err := rasa.Read(filepath.Join(at, "bot.yml"))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		again, err := rasa.Read(filepath.Join(at, "bot.yml"))
		if err != nil {
			t.Fatal(err)
		}
		first, _ := bot.Files()
		second, _ := again.Files()
		if diff := cmp.Diff(first, second); diff != "" {
			t.Fatalf("the second time another agent (-first +second):\n%s", diff)
		}
		if err := bot.Write(filepath.Join(at, "agent")); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		agent, err := os.ReadFile(filepath.Join(at, "agent", convert.AgentFile))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load(filepath.Join(at, "agent", convert.AgentFile)); err != nil {
			t.Fatalf("%v\n%s\n%s", err, text, agent)
		}
		story := ""
		for line := range strings.Lines(text) {
			if _, name, ok := strings.Cut(line, "- rule: "); ok {
				story = name
			} else if _, name, ok := strings.Cut(line, "- story: "); ok {
				story = name
			} else if strings.HasPrefix(line, "nlu:") {
				break
			}
			_, said, ok := strings.Cut(line, "- action: utter_")
			if story == "" || !ok || lost(bot, strings.TrimSpace(story)) || strings.Contains(string(agent), strings.TrimSpace(said)+" ") {
				continue
			}
			if !lost(bot, "utter_"+strings.TrimSpace(said)) {
				t.Fatalf("%s says utter_%s, and neither the agent nor the report does\n%s\n%s\n%v", story, said, text, agent, bot.Report.Of(convert.Lost))
			}
		}
		var files strings.Builder
		for _, name := range slices.Sorted(maps.Keys(first)) {
			files.WriteString(first[name])
		}
		for _, name := range intentNames[:8] {
			if !strings.Contains(files.String(), name+" please") && !noted(bot, name) {
				t.Fatalf("neither the agent nor the report has the intent %s\n%s\n%s\n%v", name, text, agent, bot.Report.Notes)
			}
		}
		_, flows, _ := strings.Cut(text, "\nflows:\n")
		flow := ""
		for line := range strings.Lines(flows) {
			if name, ok := strings.CutSuffix(strings.TrimSpace(line), ":"); ok && strings.HasPrefix(name, "flow_") {
				flow = name
			}
			for _, said := range flowSays.FindAllStringSubmatch(line, -1) {
				if !strings.Contains(string(agent), said[1]+" ") && !noted(bot, flow) && !noted(bot, "utter_"+said[1]) {
					t.Fatalf("%s says utter_%s, and neither the agent nor the report does\n%s\n%s\n%v", flow, said[1], text, agent, bot.Report.Notes)
				}
			}
			for _, asked := range flowAsks.FindAllStringSubmatch(line, -1) {
				if !strings.Contains(string(agent), asked[1]) && !noted(bot, flow) {
					t.Fatalf("%s asks for %s, and neither the agent nor the report does\n%s\n%s\n%v", flow, asked[1], text, agent, bot.Report.Notes)
				}
			}
		}
	})
}

// lost reports whether a name stands in a loss of the report.
func lost(bot *convert.Bot, name string) bool {
	return reported(bot, convert.Lost, fmt.Sprintf("%q", name)) || reported(bot, convert.Lost, name)
}

var (
	flowSays = regexp.MustCompile(`action: utter_(\w+)`)
	flowAsks = regexp.MustCompile(`collect: (\w+)`)
)

// noted reports whether any note of the report has a name.
func noted(bot *convert.Bot, name string) bool {
	return slices.ContainsFunc(bot.Report.Notes, func(n convert.Note) bool { return strings.Contains(n.Text, name) })
}
