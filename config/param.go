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

// Param is one value to find out. Intents hold copies merged with their overrides.
type Param struct {
	Name          string
	Type          *Type
	Shape         string       // one of shapes.Names: the form of a free text; "": any text
	Clean         []Normalizer // of a free text: applied in order
	List          bool         // several values
	Objects       *Objects     // of a list of objects: its elements; else nil
	Label         string       // its name for users: `label`, default the name with spaces
	When          *expr.Expr   // asked for and used only if it is true; nil: always
	Scope         Scope
	TTL           ParamTTL
	Prompt        *phrase.Text
	Reprompt      []*phrase.Text
	Help          *phrase.Text
	Validation    Validation
	ParamMapping  []Source // where values may come from, in order; empty: every way
	Default       any      // JSON-normal; nil: none
	Ask           bool     // asked for although it is optional
	Skippable     bool     // "skip" and "no" pass it; default: if it is optional
	Else          string   // ElseKeep: keep a second answer that matches no value as text
	Interruptions []string // nil: every intent may interrupt; else the only ones that may
	Policy        Policy   // of agent, intent and param, merged
}

// ElseKeep is the value of Param.Else that keeps an answer outside an enumeration.
const ElseKeep = "keep"

// TakesInitial reports whether the message that started the task is the param's value.
func (p *Param) TakesInitial() bool {
	return slices.ContainsFunc(p.ParamMapping, func(s Source) bool { return s.Initial })
}

// ParamTTL limits the life of a value; zero fields do not.
type ParamTTL struct {
	Turns int
	Time  time.Duration
}

// Validation is the test of a value. Zero fields are not tested.
type Validation struct {
	Tool      string              // a read tool; its not_found or invalid_input refuses the value
	With      map[string]expr.Arg // arguments of Tool; nil: the value under the param's name
	Expr      *expr.Expr          // over params and `value`, which the param's own name means too; must be true
	Pattern   *regexp.Regexp
	MinLength int // in code points
	MaxLength int
	Min, Max  *float64
	MinItems  int // of a list of objects
	MaxItems  int
	Invalid   *phrase.Text // said before the prompt; nil: only the reprompt
}

// Source is one entry of param_mapping.
type Source struct {
	From    string // pattern, entity, text, intent, context or tool
	Key     string // context: the param whose value is taken over; tool: the saved path
	Initial bool   // text: the message that started the task is the value
}

// GuessShape returns the shape of a param's texts by its type, name and label; "" if these do not
// tell, or if its type describes the values.
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
