// Package pattern has two savings on regular expressions. A [Pattern] is compiled when it is first used:
// a program has some two hundred of them in package variables, most serve jobs that run long after the
// start, and a command such as `slotway version` needs none. A [Finder] searches a text only where a match
// can begin, and not at all in a text without a rune that every match has. Both find exactly what package
// regexp finds.
package pattern
