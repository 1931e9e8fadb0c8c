package source

import "slices"

// The codes of problems. They are stable: files name them in comments, and programs in their output.
const (
	NotYAML         = "yaml"
	UnknownKey      = "unknown-key"
	UnknownName     = "unknown-name"
	NothingFills    = "nothing-fills"
	Unreadable      = "unreadable-file"
	Unconfirmed     = "unconfirmed-write"
	ClockInWrite    = "clock-in-write"
	Invalid         = "invalid"
	FewExamples     = "few-examples"
	NoPrompt        = "no-prompt"
	PromptUnsaid    = "unsaid-prompt"
	DeadSource      = "dead-source"
	Unfillable      = "unfillable-param"
	OnePattern      = "one-pattern"
	Unreachable     = "unreachable-step"
	RepeatedExample = "repeated-example"
	OneValue        = "one-value"
	SpanType        = "span-type"
	TypeExample     = "type-example"
	NarrowType      = "narrow-type"
	Unused          = "unused"
	RunStep         = "sub-task"
	Unmasked        = "unmasked"
	UndoParams      = "undo-params"
	Forgotten       = "forgotten-param"
	FreeText        = "free-text"
	NoTitle         = "no-title"
	MaybeEmpty      = "maybe-empty"
	UnknownPath     = "unknown-path"
	LanguageTables  = "language-tables"
	OpenAPIPart     = "openapi-part"
	Secret          = "secret"
	ClockHidden     = "clock-hidden"
	BuiltInName     = "built-in-name"
	ExampleOverlap  = "overlapping-intents"
	ExampleClaimed  = "claimed-example"
	ExampleUnread   = "unread-value"
	ExampleLanguage = "example-language"
	Setting         = "setting"
	UnusedIgnore    = "unused-ignore"
	LiteralName     = "literal-name"
	GoTool          = "go-tool"
)

// Code explains the problems of one code.
type Code struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	Meaning  string   `json:"meaning"`
	Remedy   string   `json:"remedy"`
}

// Codes explains every code, errors first.
var Codes = []Code{
	{NotYAML, SeverityError, "The text is no YAML, or a key is there twice.", "Mend the line; the message says what the parser met."},
	{UnknownKey, SeverityError, "A map has a key that nothing reads.", "Correct the spelling; `slotway explain KEY` lists the keys."},
	{UnknownName, SeverityError, "A name of an intent, a tool, a response, a format or a param is declared nowhere.", "Correct the spelling, or declare it."},
	{NothingFills, SeverityError, "A placeholder, an argument or a condition reads a name that nothing fills.", "Correct the spelling, or fill it before with a param, save or set."},
	{Unreadable, SeverityError, "A file cannot be read.", "Check the path and the rights."},
	{Unconfirmed, SeverityError, "A write can be reached without a yes of the user.", "Put a confirm step before it."},
	{ClockInWrite, SeverityError, "A write gets `$now` or `$today`, which may change after the yes.", "Save it with `set` before the confirm."},
	{Invalid, SeverityError, "A value breaks a rule of its key.", "The message says which rule; `slotway explain KEY` has the form."},
	{FewExamples, SeverityWarning, "An intent or a group under not_served has fewer than three examples.", "Give at least three, better ten, as people really say it."},
	{NoPrompt, SeverityWarning, "A param is asked for and has no prompt.", "Add prompt."},
	{PromptUnsaid, SeverityWarning, "An optional param that is never asked for has a prompt.", "Add ask: true, or remove the prompt."},
	{DeadSource, SeverityWarning, "A param_mapping names a source that nothing fills.", "Name a param, or remove the source."},
	{Unfillable, SeverityWarning, "Neither a message nor a tool can fill a param.", "Add a source to param_mapping, or list the param in an intent."},
	{OnePattern, SeverityWarning, "Two params or two types have the same pattern.", "Give the params types of their own; use one type for both."},
	{Unreachable, SeverityWarning, "The step before this one always ends the plan.", "Remove the step, or give the one before it a when."},
	{RepeatedExample, SeverityWarning, "An example stands in two intents.", "Keep it in one of them."},
	{OneValue, SeverityWarning, "Nearly all marked values of a param are the same.", "Mark different values."},
	{SpanType, SeverityWarning, "A marked value in an example does not fit the type of its param.", "Mark the value alone, or extend the type."},
	{TypeExample, SeverityWarning, "The example of a type is no value of it.", "Show a value that the patterns or values allow."},
	{NarrowType, SeverityWarning, "Values of a type are understood only alone, or only within a sentence.", "Add bare or patterns."},
	{Unused, SeverityWarning, "Nothing uses a type, a tool, a param or a response.", "Use it or remove it."},
	{Unmasked, SeverityWarning, "A redacted value goes on under a name that is not redacted.", "Add the name to redaction.params."},
	{RunStep, SeverityWarning, "A run step starts a task in a way that is probably not meant.", "The message says what would happen, and what to write."},
	{UndoParams, SeverityWarning, "An inverse lacks params of the task that it takes back.", "Give both intents the param, or remove undo."},
	{Forgotten, SeverityWarning, "A value that `set` gives to a param ends with the task.", "Give the param scope: session, or list it in the intent."},
	{FreeText, SeverityWarning, "A write gets a text param as it was said: nothing describes its form.", "Add shape or validation to the param."},
	{NoTitle, SeverityWarning, "A task would be offered to users by its id.", "Add title."},
	{MaybeEmpty, SeverityWarning, "A text has a placeholder of an optional or conditional param outside of brackets.", "Put it in brackets with its words, or test the param with when."},
	{UnknownPath, SeverityWarning, "The example of a result lacks the field that a path names.", "Correct the path, or the example."},
	{LanguageTables, SeverityWarning, "The language has no tables of its own for a part of the understanding or of the texts.", "Give examples under system and texts under responses."},
	{OpenAPIPart, SeverityWarning, "A tool from an OpenAPI document leaves a part of the operation out.", "Declare the tool with url and params if the part is needed."},
	{LiteralName, SeverityWarning, "A text that a tool gets names a value, and nothing is filled in there.", "The message says what is filled in: a whole text `$name`, `:name` in a query, `{name}` in a URL or a command."},
	{Secret, SeverityWarning, "A credential stands in the file.", "Put it in the environment and write ${NAME}."},
	{ClockHidden, SeverityWarning, "A param or result is named today or now and hides the value of the clock.", "Give it another name."},
	{BuiltInName, SeverityWarning, "A response is named like a built-in one and is, or may be, another one than meant.", "Call a replacement system.NAME, and your own response something else."},
	{ExampleOverlap, SeverityWarning, "Two intents are taken for each other when examples are left out.", "Word the examples apart, or merge the intents."},
	{ExampleClaimed, SeverityWarning, "Another intent claims an example with confidence when it is left out.", "Move the example, or add more that say it this way."},
	{ExampleUnread, SeverityWarning, "The value that an example marks is not taken as its param.", "The message names what would be taken."},
	{ExampleLanguage, SeverityWarning, "The examples are in another language than the agent.", "Set language, or write the examples in it."},
	{Setting, SeverityWarning, "The settings have a name of another system, or a value that may not be meant.", "The message has the name to write."},
	{UnusedIgnore, SeverityWarning, "A comment switches a warning off that is not there.", "Remove the comment, or correct the code."},
	{GoTool, SeverityNote, "A tool of kind go needs a function of a program that embeds Slotway; the command has none.", "Run the agent in that program, or give the tool another kind to try it here."},
}

// CodeNames returns the codes in the order of Codes.
func CodeNames() []string {
	names := make([]string, len(Codes))
	for i, c := range Codes {
		names[i] = c.Code
	}
	return names
}

// CodeOf returns the explanation of a code; ok is false for an unknown one.
func CodeOf(code string) (c Code, ok bool) {
	i := slices.IndexFunc(Codes, func(c Code) bool { return c.Code == code })
	if i < 0 {
		return Code{}, false
	}
	return Codes[i], true
}
