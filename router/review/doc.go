// Package review finds the turns of a store from which an agent can learn: messages that were not
// understood, or only after "A or B?", or wrongly, as the user's next words or an undo show. [Collect]
// returns them as items, [Group] puts alike ones together, and [Reader.Example] makes an example of an
// item for an intent.
//
// No value of a redacted param, and nothing that the redaction's patterns hide, is in any of it: a
// [Reader] puts a sample in its place before anything else looks at the text. A text that needs a
// sample which the agent does not name can be shown, and not become an example.
package review
