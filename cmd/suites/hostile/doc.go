// Package hostile tests the program with input and surroundings that want to harm it: files that
// are no agents, messages that nobody means well with, damaged rows, full disks, floods, processes
// that die, values that must not leak.
package hostile
