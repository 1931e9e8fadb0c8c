package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// bfDialog is the part of an adaptive Bot Framework dialog that is converted.
type bfDialog struct {
	Recognizer *struct {
		Intents []struct{ Intent, Pattern string }
	}
	Generator any
	Triggers  []bfTrigger
}

type bfTrigger struct {
	Kind    string `json:"$kind"`
	Intent  string
	Actions []bfAction
}

// bfAction is an action; fields not of its kind are zero.
type bfAction struct {
	Kind         string `json:"$kind"`
	Property     string
	Prompt       string
	Unrecognized string `json:"unrecognizedPrompt"`
	Invalid      string `json:"invalidPrompt"`
	Validations  []string
	MaxTurns     int    `json:"maxTurnCount"`
	Default      any    `json:"defaultValue"`
	Interrupts   any    `json:"allowInterruptions"`
	Format       string `json:"outputFormat"`
	Value        any
	Choices      []struct{ Value string }
	Activity     string
	Condition    string
	Then         []bfAction `json:"actions"`
	Else         []bfAction `json:"elseActions"`
}

// inputAgent is the agent of one dialog under construction.
type inputAgent struct {
	types, params, responses object
	intents                  []object

	names  []string          // names of params, in order
	last   map[string]string // by property: the param that was asked for last
	opener string            // message that begins the dialog
	loose  map[string]bool   // params whose output format has no equivalent
}

// noEquivalent is the reason why a dialog cannot be converted.
type noEquivalent string

func (e noEquivalent) Error() string { return string(e) }

// anyMessage begins a dialog that begins by itself.
const anyMessage = "begin the dialog"

// convertInputs makes an agent of a dialog. The error is noEquivalent if the dialog uses something
// that agents do not have.
func convertInputs(raw json.RawMessage) (*inputAgent, error) {
	var d bfDialog
	if err := json.Unmarshal(raw, &d); err != nil {
		return nil, err
	}
	a := &inputAgent{last: map[string]string{}, loose: map[string]bool{}}
	patterns := map[string]string{}
	if d.Recognizer != nil {
		for _, in := range d.Recognizer.Intents {
			patterns[in.Intent] = strings.TrimPrefix(in.Pattern, "(?i)")
		}
	}
	for _, t := range d.Triggers {
		if err := a.trigger(t, patterns); err != nil {
			return nil, err
		}
	}
	if a.opener == "" {
		return nil, noEquivalent("no trigger asks for anything")
	}
	return a, nil
}

// trigger converts a trigger with inputs into a task, and one without into an answer in passing.
func (a *inputAgent) trigger(t bfTrigger, patterns map[string]string) error {
	example := patterns[t.Intent]
	task := asks(t.Actions)
	switch {
	case t.Kind != "Microsoft.OnIntent" && !task, t.Kind == "Microsoft.OnIntent" && example == "":
		return nil // for unmatched messages: the built-in fallback says something similar
	case example == "":
		example = anyMessage
	}
	id := "start"
	if task {
		a.opener = example
	} else {
		id = snake(t.Intent)
	}
	first := len(a.names)
	plan, err := a.actions(t.Actions)
	if err != nil {
		return err
	}
	in := object{{"id", id}, {"examples", []string{example}}}
	if names := a.names[first:]; len(names) > 0 {
		in.add("params", object{{"optional", names}})
	} else {
		in.add("answer_only", true)
	}
	in.add("plan", plan)
	a.intents = append(a.intents, in)
	return nil
}

// asks reports whether an action asks for something.
func asks(actions []bfAction) bool {
	for _, x := range actions {
		if strings.HasSuffix(x.Kind, "Input") || asks(x.Then) || asks(x.Else) {
			return true
		}
	}
	return false
}

func (a *inputAgent) actions(list []bfAction) ([]object, error) {
	var plan []object
	for _, x := range list {
		step, err := a.action(x)
		if err != nil {
			return nil, err
		}
		plan = append(plan, step)
	}
	return plan, nil
}

func (a *inputAgent) action(x bfAction) (object, error) {
	switch kind := strings.TrimPrefix(x.Kind, "Microsoft."); kind {
	case "SendActivity":
		text, err := a.text(x.Activity)
		if err != nil {
			return nil, err
		}
		id := "send_" + strconv.Itoa(len(a.responses))
		a.responses.add(id, text)
		return object{{"respond", id}}, nil
	case "IfCondition":
		return a.branch(x)
	case "ChoiceInput", "NumberInput", "TextInput", "DateTimeInput":
		return a.input(kind, x)
	default:
		return nil, noEquivalent(kind + ": " + cmp.Or(missing[kind], "agents have no such action"))
	}
}

// missing holds the reasons why some actions have no equivalent.
var missing = map[string]string{
	"ConfirmInput": "its texts are templates of a file that is not in the line",
	"BeginDialog":  "a dialog within a dialog, with its own memory; tasks do not call tasks",
	"SetProperty":  "state of the engine, or a value of the expression language, set by hand",
}

func (a *inputAgent) branch(x bfAction) (object, error) {
	condition := comparison.FindStringSubmatch(x.Condition)
	if condition == nil {
		return nil, noEquivalent("condition of the expression language: " + x.Condition)
	}
	then, err := a.actions(x.Then)
	if err != nil {
		return nil, err
	}
	otherwise, err := a.actions(x.Else)
	if err != nil {
		return nil, err
	}
	step := object{{"when", a.last["$"+condition[1]] + " " + condition[2]}, {"then", then}}
	step.addIf("else", otherwise)
	return step, nil
}

var (
	comparison  = regexp.MustCompile(`^\(\$(\w+) ([<>]=? -?\d+)\)$`)
	placeholder = regexp.MustCompile(`\$\{([^{}]*)\}`)
	property    = regexp.MustCompile(`^(?:user\.\w+|\$\w+)`)
	longer      = regexp.MustCompile(`^(?:length\(this\.value\)|this\.value\.Length) > (\d+)$`)
	bound       = regexp.MustCompile(`^int\(this\.value\) ([<>])= (-?\d+)$`)
)

// text converts ${user.name} to {name}.
func (a *inputAgent) text(s string) (string, error) {
	var err error
	out := placeholder.ReplaceAllStringFunc(s, func(m string) string {
		name, ok := a.last[property.FindString(m[2:len(m)-1])]
		if !ok {
			err = noEquivalent("text of the template language: " + m)
		}
		return "{" + name + "}"
	})
	return out, err
}

// input converts one question. A property that is asked for again becomes another param.
func (a *inputAgent) input(kind string, x bfAction) (object, error) {
	if x.Value != nil {
		return nil, noEquivalent(kind + ": a value computed by the expression language")
	}
	if strings.TrimSpace(x.Prompt) == "" {
		return nil, noEquivalent(kind + ": no prompt, of which the engine complains")
	}
	prompt, err := a.text(x.Prompt)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s_%d", strings.Trim(snake(strings.TrimPrefix(x.Property, "user.")), "$_"), len(a.names)+1)
	a.names = append(a.names, name)
	a.last[x.Property] = name
	p := object{{"type", a.typeOf(kind, name, x)}, {"prompt", prompt}}
	if x.Unrecognized != "" {
		p.add("reprompt", []string{x.Unrecognized})
	}
	if x.Interrupts == false {
		p.add("interruptions", []string{})
	}
	if x.MaxTurns > 0 {
		p.add("max_retries", x.MaxTurns-1)
		if x.Default != nil {
			p.add("default", x.Default)
			p.add("on_exhausted", "default")
		} else {
			p.add("on_exhausted", "skip")
		}
	}
	rules, err := validation(name, x, prompt)
	if err != nil {
		return nil, err
	}
	p.addIf("validation", rules)
	a.params.add(name, p)
	return object{{"ask", name}}, nil
}

// typeOf chooses the type of an answer.
func (a *inputAgent) typeOf(kind, name string, x bfAction) string {
	switch kind {
	case "ChoiceInput":
		var values []string
		for _, c := range x.Choices {
			values = append(values, c.Value)
		}
		a.types.add(name, object{{"values", values}})
		a.loose[name] = x.Format != ""
		return name
	case "NumberInput":
		return "number"
	case "DateTimeInput":
		return "date"
	}
	if strings.Contains(x.Format, "toUpper") {
		a.types.add(name, object{{"bare", ".+"}, {"normalize", []string{"upper"}}})
		return name
	}
	return "text"
}

// validation converts the rules of an answer. The text about a wrong answer is shown before the
// prompt, so the prompt at its end is cut off.
func validation(name string, x bfAction, prompt string) (rules object, err error) {
	for _, v := range x.Validations {
		if m := longer.FindStringSubmatch(v); m != nil {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				return nil, err
			}
			rules.add("min_length", n+1)
		} else if m := bound.FindStringSubmatch(v); m != nil {
			rules.add(map[string]string{">": "min", "<": "max"}[m[1]], json.Number(m[2]))
		} else {
			return nil, noEquivalent("validation of the expression language: " + v)
		}
	}
	if len(rules) > 0 && x.Invalid != "" {
		text := strings.ReplaceAll(x.Invalid, "${this.value}", "{"+name+"}")
		rules.add("invalid", strings.TrimSpace(strings.TrimSuffix(text, prompt)))
	}
	return rules, nil
}

// file returns the agent file.
func (a *inputAgent) file() object {
	out := object{{"version", 1}}
	out.addIf("types", a.types)
	out.addIf("params", a.params)
	out.addIf("intents", a.intents)
	out.addIf("responses", a.responses)
	return out
}
