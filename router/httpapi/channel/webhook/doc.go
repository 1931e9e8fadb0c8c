// Package webhook connects an agent with any program that can send and receive signed requests as
// Standard Webhooks describes (https://www.standardwebhooks.com): with the headers webhook-id,
// webhook-timestamp and webhook-signature, and a secret that begins with "whsec_".
//
// The other side posts {"user_id", "conversation_id", "text"} to /channels/webhook. It sends "option" in
// place of "text" for a chosen option, and "order" if messages can overtake one another. webhook-id names
// the message: a second delivery with the same id gets no second answer.
//
// The channel posts the agent's messages to the address in the settings, as events of the type "message".
// Each attempt has the same webhook-id, so a receiver that remembers ids gets each message once.
package webhook
