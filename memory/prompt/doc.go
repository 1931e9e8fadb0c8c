// Package prompt words what is known of the past for a model: [Fit] cuts a context to a
// budget of tokens, [Messages] words it as chat messages.
//
// The order is always the same: pinned instructions, facts, narrative, recalled messages,
// the window, and what was just said. What was recalled is quoted as data: a message of
// last week cannot give orders today.
package prompt
