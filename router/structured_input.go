package router

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/tools"
)

// StructuredInput replaces the text of an interaction when a program already knows the intent and
// the values. It has no more rights than the same thing said in words: the values pass their types
// and validations, the router asks for missing params, and a write waits for a yes in a later
// interaction.
type StructuredInput struct {
	// Intent is the id of a task, an answer or a system intent (affirm, deny, cancel ...,
	// which come without params). "": the params answer what was asked.
	Intent string
	// Params are values by name. A text is read like an answer to the question for that param;
	// null is no value. A value that cannot be read counts as missing, and the reply says so.
	Params map[string]any
}

// tierStructured is the classifier's name in telemetry for a structured input.
const tierStructured = "given"

// meant is a StructuredInput after it was checked against the definition.
type structured struct {
	result        message.Result
	understanding planner.Understanding
	text          string // how history tells it
}

// readStructured reads a structured input. It fails on names that the definition does not have.
func (t *turn) readStructured(m StructuredInput) (*structured, error) {
	in, err := m.check(t.def())
	if err != nil {
		return nil, err
	}
	u := &structured{understanding: planner.Understanding{Structured: true, Intent: m.Intent}}
	var told []string
	for _, name := range slices.Sorted(maps.Keys(m.Params)) {
		if m.Params[name] == nil {
			continue
		}
		p := t.def().Params[name]
		if in != nil {
			p = in.Param(name)
		}
		values, ok := t.readValues(p, m.Params[name])
		if !ok {
			u.understanding.Unread = append(u.understanding.Unread, name)
			told = append(told, p.Label+": ?")
			continue
		}
		for _, v := range values {
			at := len(u.understanding.Values) // each stands by itself
			u.understanding.Values = append(u.understanding.Values, message.Value{Param: name, Value: v, Start: 2 * at, End: 2*at + 1, Source: tierStructured, Confidence: 1})
			u.result.Params = append(u.result.Params, message.Value{Param: name, Source: tierStructured})
		}
		told = append(told, p.Label+": "+t.shown(name, values))
	}
	u.result.Tier = tierStructured
	if in != nil {
		score := message.Score{Intent: in.ID, Confidence: 1}
		u.result.Intent, u.result.Confidence, u.result.Exact, u.result.Ranking = in.ID, 1, true, []message.Score{score}
		u.understanding.Confidence, u.understanding.Exact, u.understanding.Ranking = 1, true, []message.Score{score}
	}
	u.text = tell(in, told)
	return u, nil
}

// check returns the intent, nil if the input names none.
func (m StructuredInput) check(def *config.Agent) (*config.Intent, error) {
	if m.Intent == "" && len(m.Params) == 0 {
		return nil, fmt.Errorf("%w: neither an intent nor a param is meant", ErrBadInteraction)
	}
	var in *config.Intent
	if m.Intent != "" {
		if in = def.Intent(m.Intent); in == nil {
			return nil, fmt.Errorf("%w: no intent %s", ErrBadInteraction, sayable(m.Intent))
		}
	}
	for name := range m.Params {
		switch {
		case in != nil && in.System:
			return nil, fmt.Errorf("%w: system intent %s takes no params", ErrBadInteraction, in.ID)
		case in != nil && in.Param(name) == nil:
			return nil, fmt.Errorf("%w: intent %s has no param %s", ErrBadInteraction, in.ID, sayable(name))
		case def.Params[name] == nil:
			return nil, fmt.Errorf("%w: no param %s", ErrBadInteraction, sayable(name))
		}
	}
	return in, nil
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.:/#+-]{0,63}$`)

// sayable quotes a name for an error. A text that is not a name may be a secret, so it is left out.
func sayable(name string) string {
	if nameForm.MatchString(name) {
		return fmt.Sprintf("%q", name)
	}
	return "of that name"
}

// readValues reads the values of a param. Only a list may have several.
func (t *turn) readValues(p *config.Param, given any) ([]any, bool) {
	normal, err := tools.Normal(given)
	if err != nil {
		return nil, false
	}
	list, isList := normal.([]any)
	if !isList {
		list = []any{normal}
	} else if !p.List || len(list) == 0 {
		return nil, false
	}
	values := make([]any, len(list))
	for i, v := range list {
		value, ok := t.readValue(p, v)
		if !ok {
			return nil, false
		}
		values[i] = value
	}
	return values, true
}

// readValue reads one value: an offered option, a value of the type, or a text for the reader.
func (t *turn) readValue(p *config.Param, given any) (any, bool) {
	if v, ok := t.offered(p, given); ok {
		return v, true
	}
	switch v := given.(type) {
	case bool:
		if p.Type.Builtin == "boolean" {
			return v, true
		}
		return nil, false
	case float64:
		if p.Type.Builtin == "number" || p.Type.Builtin == "integer" && v == float64(int64(v)) {
			return v, true
		}
		return t.readText(p, phrase.Display(v))
	case string:
		return t.readText(p, v)
	}
	return nil, false
}

// readText reads an answer. Without a reader it accepts only params of free text.
func (t *turn) readText(p *config.Param, text string) (any, bool) {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsRune(text, utf8.RuneError) || utf8.RuneCountInString(text) > planner.MaxText {
		return nil, false
	}
	if t.version.Reader != nil {
		return t.version.Reader.Read(p.Name, text, t.now)
	}
	return text, p.Type.Builtin == "text" && len(p.Type.Patterns) == 0
}

// offered finds a value among the options of the open question, by value or label.
func (t *turn) offered(p *config.Param, given any) (any, bool) {
	q := t.plan.Open
	if q == nil || q.Param != p.Name {
		return nil, false
	}
	for _, o := range q.Options {
		if text, ok := given.(string); reflect.DeepEqual(o.Value, given) || ok && strings.EqualFold(strings.TrimSpace(text), o.Label) {
			return o.Value, true
		}
	}
	return nil, false
}

// shown formats values for the history, masked if the agent redacts the param.
func (t *turn) shown(name string, values []any) string {
	var all any = values
	if len(values) == 1 {
		all = values[0]
	}
	return phrase.Display(t.version.redactor.MaskParams(map[string]any{name: all})[name])
}

// tell words the input for a reader of the history.
func tell(in *config.Intent, params []string) string {
	said := strings.Join(params, ", ")
	if in == nil {
		return said
	}
	title := in.Description
	if title == "" || in.System {
		title = strings.ReplaceAll(in.ID, "_", " ")
	}
	if said == "" {
		return title
	}
	return title + " (" + said + ")"
}
