// Package webhook connects an agent with anything that can send and take signed requests, in the form
// of Standard Webhooks (https://www.standardwebhooks.com): the headers webhook-id, webhook-timestamp
// and webhook-signature, and a secret that begins with "whsec_".
//
// The other side posts {"user_id", "conversation_id", "text"} to /channels/webhook, with "option" in
// place of "text" for an option that was chosen, and "order" if messages may overtake one another.
// webhook-id names the message: sent again, it is answered once.
//
// The agent's messages are posted to the address in the settings, as events of the type "message".
// Their webhook-id stays the same in every attempt, so a receiver that remembers ids gets each message
// once, whatever crashes.
package webhook
