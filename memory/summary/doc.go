// Package summary tells what happened before the window: facts, each with its origin and the time
// for which it holds, and a narrative.
//
// A session is cut into blocks of about ten messages at the ends of turns. Each block is made once,
// from the original messages, in the background after a commit, and never changed: nothing is a
// summary of a summary. A block costs one call of a model and one write for all its turns. A rollup
// per session adds up its blocks and records the last message that they cover. The newest messages
// are never covered. The background is at most fifteen messages and a turn behind them; Update
// makes a shorter block of what is left. A context has what the rollup says, the facts of uncovered
// messages, and all messages after the blocks word for word as far as its budget goes. Messages
// that the budget may cut are told by their own sentences, so that no message is missing from both.
//
// Without a model server, facts come from params, tool results and rules, and the narrative
// consists of the messages' own sentences, chosen by a logistic model of salience. A model server
// is asked once per block, and its answer is checked against the block.
package summary
