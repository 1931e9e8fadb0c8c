// Package slack lets people talk to an agent in Slack: in a direct message, or by mentioning the app in
// a channel, which begins a conversation of that person in a thread.
//
// It takes the Events API (https://docs.slack.dev/apis/events-api/) and pressed buttons
// (https://docs.slack.dev/interactivity/handling-user-interaction/) on one route, verifies their
// signatures (https://docs.slack.dev/authentication/verifying-requests-from-slack/), and sends with
// chat.postMessage. Options are buttons.
//
// Slack has no idempotency key for chat.postMessage, but a message can carry metadata. So before the
// channel sends a message again that may have arrived, it looks for the message's id in the channel's
// messages. That needs the scope im:history (in channels channels:history or groups:history); without
// it the channel sends the message again.
package slack
