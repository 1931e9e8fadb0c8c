// Package classifier defines what understanding an utterance means: [Input] is the text
// and what the conversation waits for, [Result] the ranked intents and the param values
// found, each with its span. The ways of understanding live below it: linear (intents),
// extract (params), llm (a model server). Which values are taken is not decided here but
// by the planner.
package classifier
