// Package desk tells the desk of the people who take conversations over, by a signed webhook, what
// happens there: that a person is wanted, that one has taken over or given back, and that the user has
// said something meanwhile.
//
// An event names the conversation and the turn, and has no text: the desk reads the messages with its
// own key (GET /v1/sessions/{id}/messages), masked as that key may see them.
package desk
