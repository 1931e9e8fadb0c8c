//go:build !unix

package main

import "os"

// lockFile is not to be had here.
func lockFile(*os.File) (held bool) { return false }
