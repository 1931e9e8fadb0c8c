// Package channel lets people reach an agent through messaging platforms. A platform is a [Channel]:
// it verifies, parses and acknowledges requests, and sends messages. [Hub] does the rest, which is the
// same for all platforms.
//
// A message of a person takes these steps:
//
//  1. The platform posts it to /channels/NAME. The hub stores it in the inbox, which is durable, and
//     then acknowledges it, so that no platform waits for a tool or a model. If the acknowledgement
//     gets lost, the platform delivers the message again, and the inbox keeps the first copy.
//  2. The hub waits a little for earlier messages that were overtaken (Options.Settle). Then it runs
//     the turns of a conversation one after another, in the order of the platform's numbers. The
//     platform's id is the id of the turn: a message is answered once, even if several replicas get it.
//  3. The commit of the turn stores a job (kind "deliver_NAME"). The job sends the messages that the
//     conversation's mark does not count as sent. The mark moves before and after each message.
//
// So a crash loses no message and keeps the order. One message stays in doubt if the process dies, or
// the response gets lost, after the platform has taken the message and before the mark has moved:
// see [Message.Tried].
//
// The users and sessions of a channel are named "NAME/...". Memory, exports, reports and
// "sessions forget" treat them like all others.
package channel
