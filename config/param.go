package config

import (
	"regexp"
	"slices"
	"time"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/config/shapes"
)

// Scope says how long a param lives.
type Scope string

// The values of Scope.
const (
	ScopePlan    Scope = "plan" // default: dropped when its plan ends
	ScopeSession Scope = "session"
)

// Param is one thing to find out. Intents hold copies merged with their overrides.
type Param struct {
	Name          string
	Type          *Type
	Shape         string     // one of Shapes: what a free text is; "": any text
	List          bool       // many values
	Label         string     // what people call it: `label`, default the name with spaces
	When          *expr.Expr // asked for and used only where it holds; nil: always
	Scope         Scope
	TTL           ParamTTL
	Prompt        *phrase.Text
	Reprompt      []*phrase.Text
	Help          *phrase.Text
	Validation    Validation
	ParamMapping  []Source // where values may come from, in order; empty: every way
	Default       any      // JSON-normal; nil: none
	Ask           bool     // an optional param that is asked for all the same
	Skippable     bool     // "skip" passes it
	Else          string   // ElseKeep: a second answer that is none of the values is kept as text
	Interruptions []string // nil: every intent may interrupt; else the only ones that may
	Policy        Policy   // agent's, intent's and param's, merged
}

// ElseKeep is the value of Param.Else that keeps what no value of an enumeration means.
const ElseKeep = "keep"

// TakesInitial reports whether the message that began the task is the param's value.
func (p *Param) TakesInitial() bool {
	return slices.ContainsFunc(p.ParamMapping, func(s Source) bool { return s.Initial })
}

// ParamTTL ends a value's life; zero fields do not.
type ParamTTL struct {
	Turns int
	Time  time.Duration
}

// Validation is what a value must pass. Zero fields are not checked.
type Validation struct {
	Tool      string              // a read tool; its not_found or invalid_input refuses the value
	With      map[string]expr.Arg // arguments of Tool; nil: the value under the param's name
	Expr      *expr.Expr          // over params and `value`, which the param's own name means too; must be true
	Pattern   *regexp.Regexp
	MinLength int // in code points
	MaxLength int
	Min, Max  *float64
	Invalid   *phrase.Text // said before the prompt; nil: the reprompt alone
}

// Source is one entry of param_mapping.
type Source struct {
	From    string // pattern, entity, text, intent, context or tool
	Key     string // context: the param whose value is taken over; tool: the saved path
	Initial bool   // text: the message that began the task is the value
}

// Sources are the values of Source.From.
var Sources = []string{"pattern", "entity", "text", "intent", "context", "tool"}

// GuessShape is the shape of a param's texts by its type, name and label; "" where these do
// not say, or where its type describes the values.
func GuessShape(p *Param) string {
	if p.Type == nil || len(p.Type.Patterns) > 0 || len(p.Type.Values) > 0 {
		return ""
	}
	switch p.Type.Builtin {
	case "person":
		return shapes.Name
	case "text":
		return shapes.Of(p.Name, p.Label)
	}
	return ""
}
