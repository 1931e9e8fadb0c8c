//go:build !unix

package durable

import "os"

// likewise does nothing: on this system the folder decides owner and mode.
func likewise(*os.File, os.FileInfo) {}
