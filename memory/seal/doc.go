// Package seal encrypts what the rows of a store hide: what people said, what is known of them and
// what tools answered. A store asks a [Box] for each row that it writes or reads.
//
// Texts, params, results, arguments, stored replies, views, system prompts and metadata are
// encrypted with AES-256-GCM under a key of their user, which is derived from a master key
// (HKDF-SHA256). What is hidden in a row is one value, bound to all of the row that stays readable: a
// row that was moved, mixed from two, or taken from another moment does not open. Identifiers,
// times, roles, names of intents, params and tools, and the titles and tags of sessions stay
// readable, because stores find sessions by them.
//
// Several master keys may be given: the first encrypts, all of them decrypt. To rotate a key,
// put a new one in front; to get rid of the old one, copy the store.
//
// As in crypto/cipher, to seal is to encrypt and authenticate, and to open is the reverse.
package seal
