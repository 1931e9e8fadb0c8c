// Package openai lets clients of OpenAI's API talk to an agent: chat completions,
// responses, conversations and models, streamed and not. [New] makes an [Adapter] for
// httpapi.Options.Adapters.
//
// # Requests
//
// The model is the agent: its id, "slotway", or nothing. The message of the turn is the last
// message, which must be the user's. System and developer messages and instructions are ignored,
// because the agent's definition instructs it; so are sampling parameters, the client's tools and
// unknown fields. A request for something that an agent cannot give (n above 1, a required tool,
// another format than text, store: false in a response) is refused with status 400, because its
// sender would wait for it. The store field of a completion concerns OpenAI's own logs and is
// ignored; every turn is stored. The fields user and safety_identifier never identify the caller:
// the API's authentication does.
//
// # Answers
//
// Answers and errors have OpenAI's shapes. The key slotway holds the turn as POST /chat returns it
// (a question for a param or a confirmation is an ordinary message to such clients), and history:
// how the turn came to its session. Usage is an estimate for the last message and its reply; no
// model was paid for it. A turn is durable before the first byte of its answer is sent, streamed
// or not, so a client that disconnects loses nothing of a turn that has begun. If it disconnects
// while its session is being found, no turn begins.
//
// # Sessions
//
// The header X-Conversation-Id, conversation_id in the body or in its metadata, and conversation
// in a response name a session; the first three create one that does not exist, the last is 404.
// The history in such a request is not read: after_turn in the body says which turn the message
// answers, as in POST /chat (409 moved_on, which is not to be sent again as it is).
// previous_response_id names a turn.
//
// A request that names nothing is found by its history. The history index (index.go) has an entry
// for each turn of such a conversation, a view in its session (tier "openai"): the digest of user,
// agent and everything said up to the user's message, and the turn's number. The next history
// contains that one, and its assistant message must be the turn's reply or a beginning of it, as a
// client keeps it that stopped reading. The index holds the newest 64 turns of a session; a request
// is compared with the 16 newest sessions with its history, behind at most four messages that got no
// answer. A history that is not found, because it began elsewhere or was cleared, begins a session
// in which only the last message was said, and history is "unknown".
//
// # Repeats
//
// A message that answers a turn has an interaction id made of the history's digest, or the
// Idempotency-Key. There are three cases:
//
//   - It was answered before: the stored reply is returned. Nothing runs.
//   - The turn is the newest of the session: the message runs there, if the session is still the
//     same when it has its lock (router.Interaction.AfterTurn).
//   - The session went on otherwise (an edited history, or two conversations that began alike): what
//     was said and done since is not taken back. A history begins a session in which only the last
//     message was said, and history is "unknown"; previous_response_id is refused (409, moved_on).
//
// The limit of this: messages have no ids. Two conversations of one user that are the same word for
// word, without a named session, are one within ten minutes: the second "yes" counts
// as the first one sent again, and gets the same reply. Later it is answered anew, because its
// conversation began after the first was answered. An answer that was changed goes to the other
// conversation, too, while that waits for one. A first message begins a conversation each time it is
// sent, unless it has an Idempotency-Key. A message to a named session without a key runs each time.
//
// Finding a history reads it once, makes the store search the sessions of its user at most five
// times (about 1 ms for a thousand of them), and compares at most 32 turns. It counts as a turn under
// way.
package openai
