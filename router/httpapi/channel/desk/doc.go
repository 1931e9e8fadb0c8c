// Package desk posts events to a desk, the program of the people who take conversations over. It uses a
// signed webhook, and reports that a person is wanted, that one has taken a conversation or given it
// back, and that the user has written to the person.
//
// An event names the conversation and the turn, and has no text: the desk reads the messages with its
// own key (GET /v1/sessions/{id}/messages), masked as that key may see them.
package desk
