package config

import (
	"regexp"
	"time"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/config/source"
)

// Agent is one validated agent definition. Load builds it, and nothing changes it afterwards, so
// any number of goroutines may share it.
type Agent struct {
	Version     int // of the file format; 1
	ID          string
	Description string
	Language    string         // BCP 47, default "en"
	Region      string         // ISO 3166 country of the users; "": that of Language
	Location    *time.Location // of `timezone`, default UTC

	SystemPrompt string // first part of what a generate step sends to a model

	Session    SessionPolicy
	Classifier ClassifierPolicy
	Policy     Policy // defaults; Intent.Policy and Param.Policy are already merged with it

	Types      map[string]*Type // declared types and the built-in ones that are used
	Params     map[string]*Param
	Intents    []*Intent // tasks and answers, in declared order
	System     []*Intent // built-in intents (SystemIntents), overridden by `system:`
	Elements   []*Intent // of lists of objects: one element each, whose params are the fields
	NotServed  []*Intent // groups of requests that get a text and no action
	Databases  map[string]*Database
	MCPServers map[string]*MCPServer
	Tools      map[string]*Tool
	Responses  map[string]*Response // the agent's own, by id
	BuiltIn    map[string]*Response // those of system.yaml, by id without "system."; the agent may replace them
	Redaction  Redaction

	Hash string // version of the definition: hex of a digest over its content
	Dir  string // folder that relative paths start from; "" for the embedded agent

	// Files are the absolute paths of all files that the definition consists of: its YAML and the
	// files that it names, such as examples and seeds; sorted. None for the embedded agent.
	Files []string

	name  string           // see Name
	words *phrase.Language // of Language; nil if it has none

	// FromTools: a param has `param_mapping: {from: tool}`.
	FromTools bool

	// Clock lists those of expr.ClockNames that the definition reads. A param or result of the same
	// name hides the clock's.
	Clock []string

	found func(path string) // called with each file that ReadFile finds during the build; then nil

	Ignores  source.Ignores  // comments that switch warnings off
	Warnings source.Problems // lints: suspicious, but not errors
}

// SessionPolicy says how long a session survives silence. All durations are on the turn's clock.
type SessionPolicy struct {
	IdleTTL     time.Duration // longer silence starts a fresh session; default 60m, 0 never
	WaitingTTL  time.Duration // an older question expires; default 10m, 0 never
	CarryParams bool          // session-scoped params survive IdleTTL; default true
}

// ClassifierPolicy holds the thresholds of the classifier, all in [0,1].
type ClassifierPolicy struct {
	Threshold float64 // at or above: act; default 0.55
	Reject    float64 // below: not understood; from here to Threshold the best two are offered; at most Threshold; default 0.30
	Ambiguity float64 // the best two closer than this: offer both; default 0.10
	Fallback  string  // intent that handles what nothing matched; may be ""
	LLM       bool    // ask the model server, if there is one, about messages below Threshold; default true
}

// Policy is the part of the dialogue rules that a file may set for the agent, an intent or a param.
// A merged Policy has every field set.
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

// OnExhausted says what to do after the last re-ask.
type OnExhausted string

// The values of OnExhausted.
const (
	ExhaustedHandoff OnExhausted = "handoff"
	ExhaustedCancel  OnExhausted = "cancel"
	ExhaustedDefault OnExhausted = "default"
	ExhaustedSkip    OnExhausted = "skip"
)

// Digression says what to do with an interrupted task.
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

// Type describes the values of a param. A built-in type has Builtin set; Patterns of a declared
// type may narrow it.
type Type struct {
	Name      string
	Builtin   string           // "" for a declared type, else one of BuiltinTypes
	Patterns  []*regexp.Regexp // searched in any message; group 1, if there is one, is the value
	Bare      *regexp.Regexp   // anchored at both ends; accepted while the param is asked for, behind a word of its label, or as a correction; not given, it is made of the groups of Patterns that have a digit
	Tail      *Tail            // the short form accepted where Bare is; nil: none, or Bare is given
	Normalize []Normalizer     // applied in order to a matched text
	Values    []EnumValue      // an enumeration
	Fuzzy     int              // edits tolerated per word of an enumeration, 0..2
	Example   string           // a value to show to users
}

// BuiltinTypes are the types that every agent has. Types of time hold text: a date 2006-01-02, a
// time 15:04, a datetime 2006-01-02T15:04:05, a duration in ISO 8601 (PT2H30M). A range is an ISO
// 8601 interval START/END with ".." for an open end, and its last day is in a daterange
// 2026-11-08/2026-11-10, a timerange T08:00/T12:00, a datetimerange
// 2026-11-08T08:00:00/2026-11-08T12:00:00. A recurrence is a rule of RFC 5545 without its name:
// FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0.
var BuiltinTypes = []string{
	"text", "number", "integer", "ordinal", "boolean", "percentage", "money", "date", "time",
	"datetime", "duration", "daterange", "timerange", "datetimerange", "recurrence", "email", "phone", "url", "zip", "person", "location",
}

// EnumValue is one value of an enumeration.
type EnumValue struct {
	Value    string
	Synonyms []string
}

// Intent is a goal of the user, with the plan that serves it.
type Intent struct {
	ID          string
	Title       string // its name for users, such as "cancel an order"; "": see Called
	Description string
	System      bool
	AnswerOnly  bool     // answered without suspending the current task
	Internal    bool     // only run steps begin it; messages and offers do not
	NotServed   bool     // from `not_served`: it says its text, and is never offered
	After       []string // it can be meant only when one of these intents has just ended; nil: always
	Undo        *Intent  // reverses this one with the same params; nil: none
	Examples    []Example
	Required    []*Param
	OneOf       [][]*Param // one of the groups suffices
	Optional    []*Param
	Plan        []*Step
	Policy      Policy
	Pos         source.Position
}

// Example is an utterance of an intent with its marked spans.
type Example struct {
	Text  string // without markup
	Spans []Span
	Asked string // the param whose question it answers: it teaches values, not the intent; "": none
	Pos   source.Position
}

// Span marks one param value; offsets count code points of the text, end exclusive.
type Span struct {
	Param      string
	Start, End int
	Value      string // the normal form if the file gives one, else the text itself
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

// Effect says whether a call changes anything.
type Effect string

// The values of Effect.
const (
	EffectRead  Effect = "read"
	EffectWrite Effect = "write" // journalled before the call
)

// toolKinds are the values of Tool.Kind.
var toolKinds = []string{"sql", "http", "mcp", "exec", "static", "go", "rasa_action", "knowledge"}

// Tool is the declaration of one tool; fields of other kinds are zero. Strings may hold ${NAME}
// references, which Expand resolves when the tool is built.
type Tool struct {
	Name       string
	Kind       string
	Effect     Effect
	Idempotent bool           // a repeated call with the same idempotency key has no further effect
	Timeout    time.Duration  // of one attempt; default 5s
	Retries    int            // after the first attempt; reads default 2, writes 0 unless Idempotent
	Input      map[string]any // JSON Schema; nil: anything
	Describe   string         // `description`
	Summary    []string       // paths of the result that the history keeps; nil: its plain values

	// sql
	Database string
	Query    string // :name placeholders
	One      bool   // one row instead of a list; no row is not_found (for a write: no row changed)

	// http
	Method  string
	URL     string // {name} placeholders, escaped
	Headers map[string]string
	Params  map[string]expr.Arg // the query string
	Body    any                 // JSON with Arg leaves (Arg, map[string]any, []any)
	Result  string              // dotted path into the answer; "": all of it

	// http from an OpenAPI document, which provides Method, URL, Params, Body, Input and the rest
	// of these fields
	OpenAPI      string              // file, within Agent.Dir
	Operation    string              // operationId, or "METHOD /path"
	HeaderParams map[string]expr.Arg // nil values are not sent
	BodyParams   []string            // arguments that are properties of the JSON body; nil values are not sent
	BodyRequired bool                // send a body even if it is empty

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

// Redaction says which values must not leave the process unmasked.
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
