package chromadb

import "errors"

// ErrURL: the server's address is no http or https URL with a host, or holds a password.
var ErrURL = errors.New("chromadb: the address must be an http or https URL without a password")

// ErrCollection: a collection's name is no word of 1 to 40 letters, digits, - and _ that
// begins with a letter or digit.
var ErrCollection = errors.New("chromadb: the collection's name must be a word of at most 40 letters, digits, - and _")

// ErrVector: a vector that cannot be stored: of another length than it says, not finite, or
// zero.
var ErrVector = errors.New("chromadb: a vector cannot be stored")

// ErrServer: the server could not be reached, refused a call, or answered what cannot be
// read.
var ErrServer = errors.New("chromadb: the server")

// errMissing: a collection does not exist.
var errMissing = errors.New("chromadb: no such collection")
