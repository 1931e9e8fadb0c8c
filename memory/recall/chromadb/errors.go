package chromadb

import "errors"

// ErrURL reports an address that is no http or https URL with a host, or that contains a password.
var ErrURL = errors.New("chromadb: the address must be an http or https URL without a password")

// ErrCollection reports a collection name that is not 1 to 40 letters, digits, - and _, beginning
// with a letter or digit.
var ErrCollection = errors.New("chromadb: the collection's name must be a word of at most 40 letters, digits, - and _")

// ErrServer reports that the server cannot be reached, refused a call, or returned something
// unreadable.
var ErrServer = errors.New("chromadb: the server")

// errMissing reports that a collection does not exist.
var errMissing = errors.New("chromadb: no such collection")

// ignoreMissing returns nil for errMissing: a missing collection has no records.
func ignoreMissing(err error) error {
	if errors.Is(err, errMissing) {
		return nil
	}
	return err
}
