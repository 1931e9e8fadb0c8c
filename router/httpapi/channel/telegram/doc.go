// Package telegram lets people talk to an agent through a Telegram bot: in a private chat, or in a
// group, where each member has a conversation of their own.
//
// It takes the updates that the Bot API posts to a webhook (https://core.telegram.org/bots/api#setwebhook),
// known by their secret token, and sends with sendMessage. Options are an inline keyboard.
//
// Telegram has neither a key that makes a second sendMessage harmless nor a way to look for a
// message. So a message of which it is unknown whether it was sent is sent again: a crash between
// Telegram's taking it and the move of the mark says it twice.
package telegram
