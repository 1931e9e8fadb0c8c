// Package sessions is what people do with stored conversations, by hand or over HTTP: look
// at one with its redacted values masked, export it, clear it, take its last turn back,
// import others.
//
// A [Mask] hides the values of one session. It knows more than the session does today:
// every value that a redacted param had after any turn, that was handed to a tool or offered
// in a question is looked for, whatever text it stands in. [Hides] keeps those of several
// sessions for an answer that shows messages of many, and [Kept] those of many answers, so that
// whoever looks at a long conversation after each of its turns does not read it whole. What nothing recorded cannot be known:
// a value of a redacted param without a pattern that was said, used in a reply and dropped
// within one turn, and handed to no tool, stays in the text of its messages.
//
// [Clear] and [Undo] are serial with the turns of their session, in other processes too: they
// commit against the version that they loaded, and begin anew when a turn was faster.
package sessions
