// Corpus measures Slotway on recorded conversations of other people's bots.
//
//	go run -C scripts/lab ./corpus --bots DIR --replays FILE [--json] [--only BOT] [--show N] [--free]
//
// Relative names of DIR and FILE start at scripts/lab, the root of this module.
//
// The program converts a bot's folder (its schema and its training examples), by rule, into an
// agent of Slotway, which is loaded like any other. Then it plays the recorded conversations of the
// file and compares what the agent understood, asked and called with the recording. No data of
// those bots is part of the project: without the folders the program says so and ends.
//
// # Conversion
//
// Everything is decided from the schema and the training examples, never from the conversations
// that are measured (sgd.go, star.go, rasa.go). A categorical slot becomes an enumeration, whose
// synonyms are phrases that occur with only one value in the training examples (mine.go); one of
// numbers becomes an integer. Any other slot gets the built-in type as which the marked values of
// the training examples are recognised, else person, location or text (kind.go). An intent that the
// schema calls transactional gets a confirmation and a write tool. Params that several intents of a
// service share, or that one finds out and another takes, have session scope. Training utterances
// that only say yes, no, thanks or goodbye become examples of the built-in intents. Those that only
// ask about a result become an answer in passing, and replies to questions teach values, not
// intents. Bots without a schema of tasks (rasa.go, tau.go) get only their intents and entities.
// Dialogs of Bot Framework (inputs.go) come with their scripts: each becomes an agent that must
// give the recorded replies, word for word. What has no equivalent is listed under skipped, with
// the reason.
//
// # Teacher-forced play
//
// Each turn is played in a session of its own, set up as the recorded bot left it: the current
// task, the params known before the turn, and the open question or confirmation (force.go). Values
// that the recorded user accepted from an offer of the bot, which no utterance names, are set as
// well: only what the user said is measured. If a file does not say what was known before a turn
// (values are recorded with the calls only), each conversation is played in one session, with the
// open question forced. With --free nothing is set at all.
//
// # What counts
//
// intent_accuracy: the task that a turn belongs to. A courtesy, a yes, a no, a question in passing
// or a message that is not understood belongs to the current task, as in the recordings. Where the
// recording says that there is no task, any of these is right and a task is wrong. A greeting that
// a recording labels with a later task is skipped.
//
// param_recall: of the values that the user gave in a turn, those that are known after it, in one
// of the accepted spellings, or equal as number, amount, day or time. param_precision: of the
// values that a turn changed, those that the recording has.
//
// call_exact: of the recorded calls, those made in the same turn with the same name and arguments;
// arguments at their defaults do not count. goal_success: conversations in a closed loop (opener,
// recorded reply to each question, yes to the confirmation) that end in the right call.
// unconfirmed_writes: write calls without a pending confirmation and a yes in the turn; it must be
// 0.
package main
