// Package access says who a request is from and what that one may do.
//
// An [Authenticator] turns a request into an [Identity]: a name for limits and logs, the
// user whose conversations it may see, and its [Scope]s. The rest of the service asks
// [From] for it and never looks at a credential again. A user id is part of every key of
// the store, so that whoever is identified as one user cannot name another's data.
//
// [Open] lets everybody in as one user. [Bearer] reads the header Authorization: API keys
// by their hashes in a file that may change under way ([Keys]), and JSON Web Tokens of one
// issuer ([Tokens]). Whatever cannot be read, is expired or does not fit is no credential:
// nothing is let in for want of a reason to refuse. A service's key names the user of each
// request in the header X-User-Id; nobody else can name another user than itself.
//
// Key sets are read and fetched here and not by github.com/MicahParks/keyfunc (v3.9.1). That
// library fetches a set when it is made and decodes an answer of any length. A token with an
// unknown key id waits for its rate limiter, and one without a key id is checked with every key,
// whatever the key's "alg" and "use" say. It takes RSA keys of any length and private keys, and
// one key that it cannot decode costs the whole set.
//
// Errors are the sentinels of this package and hold nothing that a client sent.
package access
