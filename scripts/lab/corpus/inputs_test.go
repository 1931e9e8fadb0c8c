package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// oars asks for a number in bounds, twice at most, and then for one of three.
const oars = `{"id": "made/oars", "bot": "inline", "dialog": {
 "recognizer": {"$kind": "Microsoft.RegexRecognizer", "intents": [{"intent": "Row", "pattern": "(?i)row"}, {"intent": "Wind", "pattern": "(?i)wind"}]},
 "triggers": [
  {"$kind": "Microsoft.OnIntent", "intent": "Row", "actions": [
   {"$kind": "Microsoft.NumberInput", "property": "$oars", "prompt": "How many oars?", "validations": ["int(this.value) >= 1", "int(this.value) <= 8"],
    "invalidPrompt": "${this.value} oars will not do. How many oars?", "allowInterruptions": true},
   {"$kind": "Microsoft.ChoiceInput", "property": "user.color", "prompt": "Which color?", "unrecognizedPrompt": "Red, green or blue?", "choices": [{"value": "red"}, {"value": "green"}, {"value": "blue"}], "maxTurnCount": 2, "defaultValue": "blue"},
   {"$kind": "Microsoft.IfCondition", "condition": "($oars > 4)", "actions": [{"$kind": "Microsoft.SendActivity", "activity": "A big boat."}], "elseActions": [{"$kind": "Microsoft.SendActivity", "activity": "A small boat."}]},
   {"$kind": "Microsoft.SendActivity", "activity": "${$oars} ${user.color} oars."}]},
  {"$kind": "Microsoft.OnIntent", "intent": "Wind", "actions": [{"$kind": "Microsoft.SendActivity", "activity": "It blows."}]}]},
 "turns": [
  {"user": "row", "expect": {"replies": ["How many oars?"]}},
  {"user": "12", "expect": {"replies": ["12 oars will not do. How many oars?"]}},
  {"user": "wind", "expect": {"replies": ["It blows.", "How many oars?"]}},
  {"user": "4", "expect": {"replies": ["Which color? (1) red, (2) green, or (3) blue"]}},
  {"user": "plaid", "expect": {"replies": ["Red, green or blue? (1) red, (2) green, or (3) blue"]}},
  {"user": "striped", "expect": {"replies": ["A small boat.", "4 blue oars."]}}]}`

func TestInputs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "inputs.jsonl")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(oars, "\n", "")), 0o600); err != nil {
		t.Fatal(err)
	}
	expectFigures(t, played(t, path), map[string]any{"conversations": 1.0, "turns": 6.0, "reply_exact": 1.0, "goal_success": 1.0})
}

func TestInputsWithoutEquivalent(t *testing.T) {
	for name, dialog := range map[string]string{
		"a dialog within":      `{"triggers": [{"$kind": "Microsoft.OnUnknownIntent", "actions": [{"$kind": "Microsoft.TextInput", "property": "$a", "prompt": "A?"}, {"$kind": "Microsoft.BeginDialog"}]}]}`,
		"no prompt":            `{"triggers": [{"$kind": "Microsoft.OnUnknownIntent", "actions": [{"$kind": "Microsoft.TextInput", "property": "$a", "prompt": ""}]}]}`,
		"a computed value":     `{"triggers": [{"$kind": "Microsoft.OnUnknownIntent", "actions": [{"$kind": "Microsoft.TextInput", "property": "$a", "prompt": "A?", "value": "=f()"}]}]}`,
		"an unknown rule":      `{"triggers": [{"$kind": "Microsoft.OnUnknownIntent", "actions": [{"$kind": "Microsoft.TextInput", "property": "$a", "prompt": "A?", "validations": ["isMatch(this.value)"]}]}]}`,
		"a template":           `{"triggers": [{"$kind": "Microsoft.OnUnknownIntent", "actions": [{"$kind": "Microsoft.TextInput", "property": "$a", "prompt": "${Greet()}"}]}]}`,
		"nothing is asked for": `{"triggers": []}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := convertInputs(json.RawMessage(dialog))
			if none := noEquivalent(""); !errors.As(err, &none) {
				t.Errorf("convertInputs = %v, want a reason", err)
			}
		})
	}
}
