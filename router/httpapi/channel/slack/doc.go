// Package slack lets people talk to an agent in Slack: in a direct message, or by naming the app in
// a channel, which begins a conversation of that person in a thread.
//
// It takes the Events API (https://docs.slack.dev/apis/events-api/) and pressed buttons
// (https://docs.slack.dev/interactivity/handling-user-interaction/) on one route, verifies their
// signatures (https://docs.slack.dev/authentication/verifying-requests-from-slack/), and sends with
// chat.postMessage. Options are buttons.
//
// Slack has no key that makes a second chat.postMessage harmless, but a message can carry metadata.
// So before a message is sent again of which it is unknown whether it was sent, the channel looks
// for its id among the newest messages there. That needs the scope im:history (in channels:
// channels:history or groups:history); without it the message is sent again.
package slack
