// Program release packs what scripts/release.sh has built: archives, a bill of materials for each binary,
// a container image and the checksums. Two runs over the same binaries write the same bytes: times are
// those of the commit, and owners, modes and order are fixed.
//
// It is a module of its own, so that the program requires nothing of it.
package main
