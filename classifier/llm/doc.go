// Package llm asks a model server what a message means that the embedded classifier is
// unsure of. [Classifier.Ask] sends the message once, with the intents and params of the
// agent and a JSON schema of the answer, and lays what holds of the answer over the
// embedded result.
//
// The model points, it does not tell: nothing of an answer is taken on trust.
//
//	the answer says              it counts only if
//	an intent                    it was listed in the question
//	affirm, deny, correct,       never: a yes, a no and what they set off are read by the
//	reset, resume                embedded classifier alone
//	a param                      it is one of the intent, of the task under way, or asked for
//	a text                       it stands in the message, and ends where words end
//	a value of an enumeration    it is one of the declared ones, and the text says no other
//	one of the offered choices   it is one of them
//	any other value              the extractor reads the same from the text
//
// A value that does not count is left out, an intent that does not count voids the
// answer. What the embedded classifier found by a pattern, an enumeration or a recogniser
// stands against the model; the values that the model adds have source "llm".
//
// Values of redacted params, those that are or were known, offered or found in the message, and
// bare words that may be one, are replaced by names such as <order_id:1> in all that is
// sent. A message of which nothing else is left is not sent, and neither is the reply to
// a question for redacted free text. Free text that nobody asked for, and that never was a value, goes out as it is. Of what is known the model sees the names of the params, and
// of the conversation nothing but the message itself.
//
// A prompt is bounded in intents, examples, values and bytes, an answer in bytes and time.
// After a row of failures the model is left alone for a while, so that a dead server does
// not cost each message its deadline.
package llm
