// Package encrypted encrypts what people said, what is known of them and what tools answered,
// before any store sees it: it wraps a [memory.Backend] of any kind.
//
// Texts, params, results, arguments, stored replies, views, system prompts and metadata are sealed with AES-256-GCM
// under a key of their user, which is derived from a master key (HKDF-SHA256). A sealed
// value is bound to its place: it cannot be moved to another session, message or field.
// Identifiers, times, roles, names of intents, params and tools, and what people call a
// session (titles, tags) stay readable, for stores find sessions by them.
//
// Several master keys may be given: the first seals, all of them open. To rotate a key,
// put a new one in front; to be rid of the old one, copy the store.
package encrypted
