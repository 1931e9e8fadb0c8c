// Package channel lets people reach an agent through messaging platforms. A platform is a [Channel]:
// it verifies what is delivered, parses it, acknowledges it, and sends. [Hub] does the rest, the
// same for all of them.
//
// A message of a person goes this way:
//
//  1. The platform posts it to /channels/NAME. The hub stores it in the inbox, which is durable, and
//     acknowledges it then, so that no platform waits for a tool or a model. A message whose
//     acknowledgement got lost is delivered again, and replaces itself.
//  2. After a short wait for earlier ones that were overtaken (Options.Settle), the messages of one
//     conversation are handled one after another, by the number that the platform gave them. The
//     platform's id is the id of the turn: the same message is answered once, on however many
//     replicas it arrives.
//  3. The commit of the turn stores a job (kind "deliver_NAME"), which sends what the conversation's mark
//     says is not sent yet. The mark moves before and after each message.
//
// So a crash loses nothing and reorders nothing. A crash, or a lost answer, between the platform's
// taking a message and the move of the mark leaves one message of which it is unknown whether it
// was sent: see [Message.Tried] for what a channel can do about it.
//
// People and conversations are the sessions of users named "NAME/...": memory, exports, reports and
// "sessions forget" treat them as all others.
package channel
