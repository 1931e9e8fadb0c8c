package convert

import "github.com/slotway/slotway/config"

// Bot is an agent in the making. Readers fill it in; names may be those of the source, and Write turns
// them into ids.
type Bot struct {
	Name        string
	Description string
	Language    string // BCP 47; "": English
	Timezone    string
	IdleTTL     string // session.idle_ttl, such as 60m; "": the default
	CarryParams *bool  // session.carry_params; nil: the default

	Types     []*Type
	Params    []*Param // in the order in which the file lists them
	Intents   []*Intent
	System    []*Builtin
	Responses []*Response
	Tools     []*Tool
	Redact    []string // params whose values are hidden in what is shown outside

	NotServed []*Group
	Tests     []*Conversation

	Report Report
}

// Open is a point that a person must decide. It stands as a comment where it belongs, and in the
// report.
type Open struct {
	At   Place
	Text string // one sentence
}

// Type is a declared type: patterns or values.
type Type struct {
	Name     string
	Patterns []string // RE2
	Values   []Value
	Fuzzy    int
	Open     []Open
}

// Value is one of an enumeration.
type Value struct {
	Value    string
	Synonyms []string
}

// Param is a param that intents name.
type Param struct {
	Name    string
	At      Place
	Type    string // a declared or built-in type
	Label   string
	Prompts []string // the question: the first is asked, the others when it must be repeated
	Session bool     // keeps its value until the session ends
	List    bool
	Needed  bool // a no does not pass its question
	Default any  // nil: none
	Keep    bool // an answer that is none of an enumeration's values is kept
	Open    []Open

	steers bool   // its yes or no chooses the way on; no tool is told it
	asker  string // the intent whose question it has
}

// Intent is a task.
type Intent struct {
	ID          string
	At          Place
	Title       string // a verb phrase, "": the id
	Description string
	Examples    []config.Example
	Answers     []config.Example    // answers to questions, with the param in Asked; they get a file of their own
	Own         map[string][]string // by param: its question in this intent only
	Required    []string            // names of params
	Optional    []string
	After       []string // intents that it may follow; none: it is understood at any time
	AnswerOnly  bool
	Internal    bool
	Unconfirmed bool // its writes need no confirmation
	Plan        []*Step
	Open        []Open

	told []string // params that its texts name
	part bool     // a step of another runs it
}

// Group is a group of requests that the agent recognises and does not serve.
type Group struct {
	Name     string
	Examples []string
	Open     []Open
}

// Builtin adds examples and a plan to a built-in intent.
type Builtin struct {
	ID       string // such as greet
	Examples []config.Example
	Plan     []*Step
	Open     []Open
}

// Step is a step of a plan. One of Call, Confirm, Respond, Ask, Run, Handoff, Set, Then and End says
// which kind it is.
type Step struct {
	When    string // condition; "": always
	Call    string // tool
	With    []Arg  // of Call, Run and Set
	Save    string // of Call
	Saves   []Arg  // of Run: names here, each with the path there
	Confirm string
	Denied  string // of Confirm: the id of a response
	Respond string // id of a response
	Ask     string // param
	Run     string // intent
	Handoff string // queue
	Set     bool
	Then    []*Step
	Else    []*Step
	End     bool
	Open    []Open
}

// Arg is an argument: a literal, or $name for a param.
type Arg struct {
	Name  string
	Value any
}

// Tool is what plans call. It answers with Result until somebody connects it.
type Tool struct {
	Name        string
	At          Place
	Description string
	Write       bool
	Result      any    // nil: an empty object
	URL         string // where the source called it over HTTP; a comment
	Note        string // how to connect it; a comment
	Open        []Open
}

// Response is what the agent says, in one of several wordings.
type Response struct {
	ID    string
	Texts []string
	Open  []Open
}

// Conversation is a test.
type Conversation struct {
	Name  string
	Turns []Turn
	Open  []Open
}

// Turn is a message and what the source's test expects after it. Empty fields are not checked.
type Turn struct {
	User    string
	Intent  string
	Asked   string
	Calls   []string
	Matches []string // regular expressions (RE2) for parts of the reply
	Params  []Arg
	Open    []Open
}
