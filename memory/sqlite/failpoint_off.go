//go:build !failpoint

package sqlite

// failpoint is nothing: the compiler leaves it and its names out.
func failpoint(string) {}
