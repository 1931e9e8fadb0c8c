// Package access authenticates requests and says what their caller may do.
//
// An [Authenticator] turns a request into an [Identity]: a name for limits and logs, the user whose
// conversations it may see, and its [Scope]s. The rest of the service calls [From] and never looks at
// a credential. A user id is part of every key of the store, so an identity of one user cannot name
// another's data.
//
// [Open] identifies everybody as one user. [Bearer] reads the header Authorization: API keys by their
// hashes in a file that may change at any time ([Keys]), and JSON Web Tokens of one issuer ([Tokens]).
// A credential that cannot be read, has expired or does not match is refused: access needs a reason,
// refusal does not. A service's key names the user of each request in the header X-User-Id; nobody
// else can name another user.
//
// Key sets are read and fetched here and not by github.com/MicahParks/keyfunc (v3.9.1). That library
// fetches a set when it is created and decodes an answer of any length. A token with an unknown key id
// waits for its rate limiter, and one without a key id is checked with every key, whatever the key's
// "alg" and "use" say. It takes RSA keys of any length and private keys, and one key that it cannot
// decode fails the whole set.
//
// Errors are the sentinels of this package and quote nothing that a client sent.
package access
