// Program release packs the builds of scripts/release.sh: archives, a bill of materials for each binary,
// a container image and the checksums. Two runs over the same binaries write the same bytes: times are
// those of the commit, and owners, modes and order are fixed.
//
// It is a separate module, so that the program's module does not require its libraries.
package main
