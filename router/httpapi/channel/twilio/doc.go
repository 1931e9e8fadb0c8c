// Package twilio lets people talk to an agent by SMS and WhatsApp, through Twilio.
//
// It takes the webhooks of incoming messages (https://www.twilio.com/docs/messaging/guides/webhook-request),
// verifies their signature (https://www.twilio.com/docs/usage/security#validating-requests), and sends
// with the resource Messages. A person's number is the user. The id of the conversation, which logs may
// show, is a digest of both numbers. Options are lines below the text, because an SMS has no buttons.
//
// Twilio has no idempotency key for messages. So before the channel sends a message again that may have
// arrived, it looks for the text among the messages to that number since the first attempt.
package twilio
