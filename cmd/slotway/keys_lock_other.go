//go:build !unix

package main

import "os"

// lockFile does nothing on this system.
func lockFile(*os.File) (held bool) { return false }
