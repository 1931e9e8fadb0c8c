// Package summary tells what happened before the window: facts, each with its origin and
// the time for which it holds, and a narrative.
//
// A session is cut into blocks of about ten messages at the ends of turns. Each block is
// made once, from the original messages, in the background after a commit, and never
// changed; nothing is a summary of a summary. A block of several turns costs one call of a
// model, and one write, for all of them. A head per session has what the blocks add up to
// and the number of the last message that they cover. The newest messages are never
// covered. The background is at most fifteen messages and a turn behind them; Update makes
// a shorter block of what is left. A context has what the head says, the facts of what no
// block covers, and everything after the blocks verbatim as far as its budget goes; what the
// budget may cut is told by its own sentences. No message is ever in neither.
//
// Without a model server, facts come from params, results of tools and rules, and the
// narrative is made of the messages' own sentences, chosen by a logistic model of
// salience. With one, it is asked once per block; what it says is checked against the
// block.
package summary
