// Package exectool runs a program as a tool.
//
// The program is started directly, never through a shell. It gets the arguments of the call as a
// JSON object on standard input, and in the declared command, with each {name} or {name.field.0}
// replaced by that argument: a text as it is, an object or a list as JSON, and everything as JSON
// with {name|json}. Other braces are text (see expr.Template). Its environment holds PATH, LANG,
// the declared variables and, for writes, SLOTWAY_IDEMPOTENCY_KEY.
//
// Its standard output is the result: JSON if it is valid JSON, else the text without its last line
// feed. Standard error is dropped, since it may hold values.
//
//	exit status   means
//	0             the result is on standard output
//	22            invalid_input: the arguments are refused, nothing was done
//	44            not_found: nothing was done
//	other         failed; a write may have happened
//
// At the deadline the program's whole process group is killed.
package exectool
