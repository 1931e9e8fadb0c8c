// Package rasarest answers in the form of Rasa's REST channel, so that clients which were written for a
// Rasa bot go on working: POST /webhooks/rest/webhook with sender and message
// (https://rasa.com/docs/reference/channels/your-own-website/#rest-channel).
//
// A sender is a conversation of the caller's key. A message has one text in its answer, and the options of
// the turn as buttons, whose payload is the message that a press sends.
package rasarest
