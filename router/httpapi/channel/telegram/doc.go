// Package telegram lets people talk to an agent through a Telegram bot: in a private chat, or in a
// group, where each member has a separate conversation.
//
// It takes the updates that the Bot API posts to a webhook (https://core.telegram.org/bots/api#setwebhook),
// checks their secret token, and sends with sendMessage. Options are an inline keyboard.
//
// Telegram has no idempotency key for sendMessage, and no way to look for a message. So the channel sends
// a message again that may have arrived: a crash after Telegram has taken it and before the mark has
// moved sends it twice.
package telegram
