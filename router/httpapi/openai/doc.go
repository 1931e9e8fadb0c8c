// Package openai lets clients of OpenAI's API talk to an agent: chat completions,
// responses, conversations and models, streamed and not. [New] makes a [Adapter] for
// httpapi.Options.Adapters.
//
// # What is heard
//
// The model is the agent: its id, "slotway", or nothing. The turn is the last message, which
// must be the user's. System and developer messages and instructions are passed over, since
// the agent's own definition is what instructs it; so are sampling parameters, the client's
// tools, and fields nobody knows yet. What asks for something that there is not (n above 1,
// a tool by all means, another form of answer than text, store: false in a response) is
// refused with status 400: whoever asked would wait for it. The store field of a completion
// is about OpenAI's own logs and is passed over; every turn is stored. A user or
// safety_identifier in a body never says who somebody is. Only the API's door does.
//
// # What is answered
//
// Answers have OpenAI's shapes, errors too. The key slotway holds the turn as POST /chat
// tells it (a question for a param or for a yes is an ordinary message to such clients), and
// history: how the turn came to its session. Usage is an estimate of the last message and
// its reply; no model was paid for it. A turn is durable before the first byte of its answer
// is sent, streamed or not, so whoever hangs up loses nothing of a turn that has begun. Who
// hangs up while the session is looked for has not been heard.
//
// # Which session
//
// The header X-Conversation-Id, conversation_id in the body or in its metadata, and
// conversation in a response name it; the first three begin one that is not there, the last
// is 404. The history that a client sends besides is not read: what such a message answers to
// is said by after_turn in the body, as in POST /chat (409 moved_on, which is not to be sent
// again as it is). previous_response_id names a
// turn. Where nothing is named, the history itself is looked for. For each turn of such a
// conversation the face keeps a view in the session (tier "openai"): the digest of user,
// agent and everything said up to the user's message, and the turn's number. The next
// history contains that one, and its assistant message must be the turn's reply, or a
// beginning of it, as clients keep it that stopped listening. The newest 64 turns of a
// session can be found, in the 16 newest sessions that went alike, behind at most four
// messages that got no answer. A history that is not found, because it began elsewhere or was
// cleared, begins a session in which only the last message was heard, and history says
// "unknown".
//
// # Again, on, or otherwise
//
// What answers to a turn has an interaction id that follows from what was said (or is the
// Idempotency-Key), so:
//
//   - It was answered before: the stored reply is told again. Nothing is run.
//   - The session stands at the turn: it runs there, and only if the session still stands
//     there when its turn comes (router.Interaction.Version).
//   - The session went on otherwise (an edited or regenerated history, or two conversations
//     that began alike): a fork of the session as it stood at the turn is made, and it runs
//     there; history says "forked". The fork's id follows from the message, so that a repeat
//     finds the same one.
//
// One thing is not forked: a turn that asked whether to call a tool, where some answer to it
// has led to the call, takes no other answer (409, already_carried_out). The call would be
// made twice, or be told to be undone. One answer at a time is taken to such an old question,
// by all replicas together where Options.Lanes has them in line.
//
// The limit of this: messages have no ids. Two conversations of one user that are alike word
// for word, held without naming a session within Options.Again (ten minutes), are one to us:
// the second "yes" counts as the first one sent again, and is told the same. Later it is
// answered anew, because the conversation that it ends began after the first was answered.
// An answer that was changed goes to the other one, too, while that waits for one.
// The first message of a conversation begins one each time it is sent, unless it has an
// Idempotency-Key. A message to a named session without a key runs each time it is sent.
//
// Finding a history reads it once, makes the store look through the sessions of its user at
// most five times, about 1 ms for a thousand of them, and looks at no more than 32 turns; it
// has one of the places for turns under way. While the process knows all that was answered
// within Options.Again, it looks there first. Of one old question at most 256 branches are
// looked at (409, too_many_branches).
package openai
