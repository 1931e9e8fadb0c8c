package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// bfDialog is a dialog of Bot Framework's adaptive kind, as far as it is converted.
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

// inputAgent is the agent of one dialog in the making.
type inputAgent struct {
	types, params, plan, intents, responses page

	names  []string          // of params, in their order
	last   map[string]string // by property: the param that was asked for last
	opener string            // what begins the dialog
	loose  map[string]bool   // params whose output format has no equivalent
}

// noEquivalent says why a dialog cannot be converted.
type noEquivalent string

func (e noEquivalent) Error() string { return string(e) }

// anyMessage begins a dialog that begins by itself.
const anyMessage = "begin the dialog"

// convertInputs makes an agent of a dialog. The error is noEquivalent where the dialog
// uses what agents do not have.
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

// trigger converts a trigger with inputs to a task, one without to an answer in passing.
func (a *inputAgent) trigger(t bfTrigger, patterns map[string]string) error {
	example := patterns[t.Intent]
	task := asks(t.Actions)
	switch {
	case t.Kind != "Microsoft.OnIntent" && !task, t.Kind == "Microsoft.OnIntent" && example == "":
		return nil // what nothing matched: the built-in fallback says something like it
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
	a.plan = page{}
	if err := a.actions(t.Actions, 3); err != nil {
		return err
	}
	a.intents.line(1, "- id: %s", id)
	a.intents.line(2, "examples: [%s]", quote(example))
	if names := a.names[first:]; len(names) > 0 {
		a.intents.line(2, "params: {optional: %s}", quote(names))
	} else {
		a.intents.line(2, "answer_only: true")
	}
	a.intents.line(2, "plan:")
	a.intents.WriteString(a.plan.String())
	return nil
}

// asks says whether some action asks for something.
func asks(actions []bfAction) bool {
	for _, x := range actions {
		if strings.HasSuffix(x.Kind, "Input") || asks(x.Then) || asks(x.Else) {
			return true
		}
	}
	return false
}

func (a *inputAgent) actions(list []bfAction, depth int) error {
	for _, x := range list {
		if err := a.action(x, depth); err != nil {
			return err
		}
	}
	return nil
}

func (a *inputAgent) action(x bfAction, depth int) error {
	switch kind := strings.TrimPrefix(x.Kind, "Microsoft."); kind {
	case "SendActivity":
		text, err := a.text(x.Activity)
		if err != nil {
			return err
		}
		id := "send_" + strconv.Itoa(strings.Count(a.responses.String(), "\n"))
		a.responses.line(1, "%s: %s", id, quote(text))
		a.plan.line(depth, "- respond: %s", id)
	case "IfCondition":
		return a.branch(x, depth)
	case "ChoiceInput", "NumberInput", "TextInput", "DateTimeInput":
		return a.input(kind, x, depth)
	default:
		return noEquivalent(kind + ": " + cmp.Or(missing[kind], "agents have no such action"))
	}
	return nil
}

// missing says why some actions have no equivalent.
var missing = map[string]string{
	"ConfirmInput": "its texts are templates of a file that is not in the line",
	"BeginDialog":  "a dialog within a dialog, with its own memory; tasks do not call tasks",
	"SetProperty":  "state of the engine, or a value of the expression language, set by hand",
}

func (a *inputAgent) branch(x bfAction, depth int) error {
	condition := comparison.FindStringSubmatch(x.Condition)
	if condition == nil {
		return noEquivalent("condition of the expression language: " + x.Condition)
	}
	a.plan.line(depth, "- when: %s", quote(a.last["$"+condition[1]]+" "+condition[2]))
	a.plan.line(depth+1, "then:")
	if err := a.actions(x.Then, depth+2); err != nil {
		return err
	}
	if len(x.Else) == 0 {
		return nil
	}
	a.plan.line(depth+1, "else:")
	return a.actions(x.Else, depth+2)
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
func (a *inputAgent) input(kind string, x bfAction, depth int) error {
	if x.Value != nil {
		return noEquivalent(kind + ": a value computed by the expression language")
	}
	if strings.TrimSpace(x.Prompt) == "" {
		return noEquivalent(kind + ": no prompt, of which the engine complains")
	}
	prompt, err := a.text(x.Prompt)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s_%d", strings.Trim(snake(strings.TrimPrefix(x.Property, "user.")), "$_"), len(a.names)+1)
	a.names = append(a.names, name)
	a.last[x.Property] = name
	p := &a.params
	p.line(1, "%s:", name)
	p.line(2, "type: %s", a.typeOf(kind, name, x))
	p.line(2, "prompt: %s", quote(prompt))
	if x.Unrecognized != "" {
		p.line(2, "reprompt: [%s]", quote(x.Unrecognized))
	}
	if x.Interrupts == false {
		p.line(2, "interruptions: []")
	}
	if x.MaxTurns > 0 {
		p.line(2, "max_retries: %d", x.MaxTurns-1)
		exhausted := "skip"
		if x.Default != nil {
			exhausted = "default"
			p.line(2, "default: %s", quote(x.Default))
		}
		p.line(2, "on_exhausted: %s", exhausted)
	}
	a.plan.line(depth, "- ask: %s", name)
	return a.validation(name, x, prompt)
}

// typeOf chooses the type of an answer.
func (a *inputAgent) typeOf(kind, name string, x bfAction) string {
	switch kind {
	case "ChoiceInput":
		a.types.line(1, "%s:", name)
		var values []string
		for _, c := range x.Choices {
			values = append(values, c.Value)
		}
		a.types.line(2, "values: %s", quote(values))
		a.loose[name] = x.Format != ""
		return name
	case "NumberInput":
		return "number"
	case "DateTimeInput":
		return "date"
	}
	if strings.Contains(x.Format, "toUpper") {
		a.types.line(1, "%s:", name)
		a.types.line(2, "bare: %s", quote(`.+`))
		a.types.line(2, "normalize: [upper]")
		return name
	}
	return "text"
}

// validation converts the rules that an answer must pass. The text about a wrong answer
// stands before the prompt, so it is taken without the prompt at its end.
func (a *inputAgent) validation(name string, x bfAction, prompt string) error {
	if len(x.Validations) == 0 {
		return nil
	}
	p := &a.params
	p.line(2, "validation:")
	for _, v := range x.Validations {
		if m := longer.FindStringSubmatch(v); m != nil {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				return err
			}
			p.line(3, "min_length: %d", n+1)
		} else if m := bound.FindStringSubmatch(v); m != nil {
			p.line(3, "%s: %s", map[string]string{">": "min", "<": "max"}[m[1]], m[2])
		} else {
			return noEquivalent("validation of the expression language: " + v)
		}
	}
	if x.Invalid != "" {
		text := strings.ReplaceAll(x.Invalid, "${this.value}", "{"+name+"}")
		p.line(3, "invalid: %s", quote(strings.TrimSpace(strings.TrimSuffix(text, prompt))))
	}
	return nil
}

// yaml is the agent file.
func (a *inputAgent) yaml() string {
	out := &page{}
	out.line(0, "version: 1")
	for _, section := range []struct {
		name string
		body *page
	}{{"types", &a.types}, {"params", &a.params}, {"intents", &a.intents}, {"responses", &a.responses}} {
		if section.body.Len() > 0 {
			out.line(0, "%s:", section.name)
			out.WriteString(section.body.String())
		}
	}
	return out.String()
}
