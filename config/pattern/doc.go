// Package pattern compiles a regular expression when it is first used: a program has some two hundred of
// them in package variables, most serve jobs that run long after the start, and a command such as
// `slotway version` needs none.
package pattern
