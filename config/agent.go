package config

import (
	"regexp"
	"time"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/config/source"
)

// Agent is one validated agent definition. It is built once by Load and never
// changed afterwards, so it may be shared by any number of goroutines.
type Agent struct {
	Version     int // of the file form; 1
	ID          string
	Description string
	Language    string         // BCP 47, default "en"
	Location    *time.Location // of `timezone`, default UTC

	SystemPrompt string // stands first in what a model is told by a generate step

	Session    SessionPolicy
	Classifier ClassifierPolicy
	Policy     Policy // defaults; Intent.Policy and Param.Policy are already merged with it

	Types      map[string]*Type // declared types and the built-in ones that are used
	Params     map[string]*Param
	Intents    []*Intent // tasks and answers, in declared order
	System     []*Intent // built-in intents (SystemIntents), overridden by `system:`
	NotServed  []*Intent // groups of requests that are answered with a text and never acted on
	Databases  map[string]*Database
	MCPServers map[string]*MCPServer
	Tools      map[string]*Tool
	Responses  map[string]*Response // the agent's own, by id
	BuiltIn    map[string]*Response // those of system.yaml, by id without "system.", with what the agent puts in their place
	Redaction  Redaction

	Hash string // version of the definition: hex of a digest over its content
	Dir  string // folder that relative paths in the file start from; "" for the embedded agent

	// Files are the absolute paths of every file that the definition was read from: its YAML,
	// and what that names, such as examples and seeds; sorted. None for the embedded agent.
	Files []string

	name  string           // see Name
	words *phrase.Language // of Language; nil where there is no table

	// FromTools: a param has `param_mapping: {from: tool}`.
	FromTools bool

	found func(path string) // is told of each file that ReadFile finds, while the agent is built; then nil

	Warnings source.Problems // lints: suspicious, but no reason to refuse the file
}

// SessionPolicy says how long silence may last. All durations are on the turn's clock.
type SessionPolicy struct {
	IdleTTL     time.Duration // longer silence starts a fresh session; default 60m, 0 never
	WaitingTTL  time.Duration // a question older than this is void; default 10m, 0 never
	CarryParams bool          // session-scoped params survive IdleTTL; default true
}

// ClassifierPolicy holds the thresholds of understanding, all in [0,1].
type ClassifierPolicy struct {
	Threshold float64 // at or above: act; default 0.55
	Reject    float64 // below: not understood; from here to Threshold the best two are offered; at most Threshold; default 0.30
	Ambiguity float64 // the best two closer than this: offer both; default 0.10
	Fallback  string  // intent that answers what nothing matched; may be ""
	LLM       bool    // ask the model server, where there is one, about what is below Threshold; default true
}

// Policy is the part of the dialogue rules that a file may set for the agent, an
// intent or a param. A merged Policy has every field filled in.
type Policy struct {
	MaxRetries    int         // re-asks after the first ask, 0..5; default 2
	OnExhausted   OnExhausted // default handoff
	Digression    Digression  // default resume
	MaxDepth      int         // suspended frames kept, default 3
	ClarifyMax    int         // rounds of "A or B?", default 2
	Correction    Correction  // default announce
	ConfirmWrites bool        // default true
	MaxSteps      int         // plan steps that one turn may perform, default 16
}

// OnExhausted is what follows the last re-ask.
type OnExhausted string

// The values of OnExhausted.
const (
	ExhaustedHandoff OnExhausted = "handoff"
	ExhaustedCancel  OnExhausted = "cancel"
	ExhaustedDefault OnExhausted = "default"
	ExhaustedSkip    OnExhausted = "skip"
)

// Digression is what happens to an interrupted task.
type Digression string

// The values of Digression.
const (
	DigressionResume Digression = "resume"
	DigressionAsk    Digression = "ask"
	DigressionBlock  Digression = "block"
)

// Correction is how a changed value is acknowledged.
type Correction string

// The values of Correction.
const (
	CorrectionAnnounce Correction = "announce"
	CorrectionConfirm  Correction = "confirm"
	CorrectionSilent   Correction = "silent"
)

// Type is what a param's values look like. A built-in type has Builtin set and may
// still be narrowed by Patterns of a declared type.
type Type struct {
	Name      string
	Builtin   string           // "" for a declared type, else one of BuiltinTypes
	Patterns  []*regexp.Regexp // searched in any message; group 1, where there is one, is the value
	Bare      *regexp.Regexp   // anchored at both ends; accepted while the param is asked for, behind a word of its label, or as a correction; not given, it is made of the groups of Patterns that have a digit
	Tail      *Tail            // what is taken for a value where Bare would be; nil: nothing, or Bare is given
	Normalize []Normalizer     // applied in order to a matched text
	Values    []EnumValue      // an enumeration
	Fuzzy     int              // edits tolerated per word of an enumeration, 0..2
	Example   string           // a value to show people
}

// BuiltinTypes are the types every agent has. Those of time hold text: a date 2006-01-02, a
// time 15:04, a datetime 2006-01-02T15:04:05, a duration by ISO 8601 (PT2H30M). A range is
// an ISO 8601 interval START/END, its end exclusive, ".." for an end that is open: of a
// daterange 2026-11-08/2026-11-10, of a timerange T08:00/T12:00, of a datetimerange
// 2026-11-08T08:00:00/2026-11-08T12:00:00. A recurrence is a rule by RFC 5545 without its
// name: FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0.
var BuiltinTypes = []string{
	"text", "number", "integer", "ordinal", "boolean", "percentage", "money", "date", "time",
	"datetime", "duration", "daterange", "timerange", "datetimerange", "recurrence", "email", "phone", "url", "zip", "person", "location",
}

// EnumValue is one value of an enumeration.
type EnumValue struct {
	Value    string
	Synonyms []string
}

// Normalizer is one step from what was typed to the value: "upper", "lower",
// "trim:CHARS", "digits" (keep digits only), "prefix:TEXT" (put in front when absent).
type Normalizer struct {
	Op  string
	Arg string
}

// Intent is something a user may want, and the plan that serves it.
type Intent struct {
	ID          string
	Title       string // how it is called in front of users, such as "cancel an order"; "": see Called
	Description string
	System      bool
	AnswerOnly  bool    // answered in passing; never suspends what is under way
	NotServed   bool    // of `not_served`: its text is said, and it is never offered
	Undo        *Intent // takes this one back with the same params; nil: nothing does
	Examples    []Example
	Required    []*Param
	OneOf       [][]*Param // any one group suffices
	Optional    []*Param
	Plan        []*Step
	Policy      Policy
	Pos         source.Position
}

// Example is an utterance of an intent with its marked spans.
type Example struct {
	Text  string // without markup
	Spans []Span
	Asked string // the param whose question it replies to: it teaches values, not the intent; "": none
	Pos   source.Position
}

// Span marks one param value; offsets count code points of the text, end exclusive.
type Span struct {
	Param      string
	Start, End int
	Value      string // the normal form where the file gives one, else the text itself
}

// Database is a connection that sql tools use. DSN may hold ${NAME} references.
type Database struct {
	Name   string
	Driver string // sqlite or postgres
	DSN    string
	Seed   string // script that fills an empty database; relative to Agent.Dir, or embedded with the default agent
}

// MCPServer is a Model Context Protocol server: a command over stdio, or a URL.
type MCPServer struct {
	Name    string
	Command []string
	URL     string
	Env     map[string]string
	Headers map[string]string
}

// Effect says whether a call changes the world.
type Effect string

// The values of Effect.
const (
	EffectRead  Effect = "read"
	EffectWrite Effect = "write" // journalled before it is called
)

// toolKinds are the values of Tool.Kind.
var toolKinds = []string{"sql", "http", "mcp", "exec", "static", "go", "rasa_action", "knowledge"}

// Tool is one tool's declaration; fields not of its kind are zero. Strings may hold
// ${NAME} references, resolved by Expand when the tool is built.
type Tool struct {
	Name       string
	Kind       string
	Effect     Effect
	Idempotent bool           // the same idempotency key twice has one effect
	Timeout    time.Duration  // of one attempt; default 5s
	Retries    int            // after the first attempt; reads default 2, writes 0 unless Idempotent
	Input      map[string]any // JSON Schema; nil: anything
	Describe   string         // `description`
	Summary    []string       // paths into a result that its short form in the history has; nil: its plain values

	// sql
	Database string
	Query    string // :name placeholders
	One      bool   // a row, not a list; none is not_found (a write: no row changed)

	// http
	Method  string
	URL     string // {name} placeholders, escaped
	Headers map[string]string
	Params  map[string]expr.Arg // the query string
	Body    any                 // JSON with Arg leaves (Arg, map[string]any, []any)
	Result  string              // dotted path into the answer; "": all of it

	// http from an OpenAPI document, of which Method, URL, Params, Body, Input and the rest
	// of these are made
	OpenAPI      string              // file, within Agent.Dir
	Operation    string              // operationId, or "METHOD /path"
	HeaderParams map[string]expr.Arg // nil ones are not sent
	BodyParams   []string            // arguments that are properties of the JSON body; nil ones are not sent
	BodyRequired bool                // a body is sent even when nothing is in it

	// mcp, rasa_action, knowledge
	Server string
	Remote string // `tool` or `action`: the name at the server, or the operation on knowledge; default Name

	// exec
	Command []string // arguments may hold {name}; never a shell
	Env     map[string]string

	// static
	Value any // JSON-normal, `result`

	Pos source.Position
}

// Redaction says what must not leave the process in the clear.
type Redaction struct {
	Params   []string
	Patterns []string     // of RedactionPatterns
	Mask     *phrase.Text // renders {name}; default "{name}"
}

// RedactionPatterns are the built-in patterns.
var RedactionPatterns = []string{"card", "iban", "email", "phone"}

// SystemIntents are the built-in intents, in the order in which they are tried.
var SystemIntents = []string{
	"affirm", "deny", "cancel", "reset", "help", "repeat", "skip", "human",
	"correct", "resume", "greet", "goodbye", "thanks",
}
