// Package prompt writes what is known about the past for a model: [Fit] cuts a context to a token
// budget, [Messages] turns it into chat messages.
//
// The order is always the same: pinned instructions, facts, narrative, recalled messages, the
// window, and the current message. Recalled messages are quoted as data, so that a message of last
// week cannot give instructions today.
package prompt
