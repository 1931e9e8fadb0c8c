// Package access says who a request is from and what that one may do.
//
// An [Authenticator] turns a request into an [Identity]: a name for limits and logs, the
// user whose conversations it may see, and its [Scope]s. The rest of the service asks
// [From] for it and never looks at a credential again. A user id is part of every key of
// the store, so that whoever is identified as one user cannot name another's data.
package access
