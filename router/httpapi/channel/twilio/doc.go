// Package twilio lets people talk to an agent by SMS and WhatsApp, through Twilio.
//
// It takes the webhooks of incoming messages (https://www.twilio.com/docs/messaging/guides/webhook-request),
// verifies their signature (https://www.twilio.com/docs/usage/security#validating-requests), and sends
// with the resource Messages. A person is their number; the id of the conversation, which may be
// logged, is a digest of both numbers. Options stand below the text, because an SMS has no buttons.
//
// Twilio has no key that makes a second message harmless. So before a message is sent again of which
// it is unknown whether it was sent, the channel looks for its text among the messages to that number
// since the first attempt.
package twilio
