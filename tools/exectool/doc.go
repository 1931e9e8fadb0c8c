// Package exectool runs a program as a tool.
//
// The program is started directly, never through a shell. It gets the arguments of the
// call as a JSON object on its standard input, and each {name} or {name.field.0} in the
// declared command replaced by that argument: a text as it is, an object or a list as JSON,
// with {name|json} everything as JSON. Other braces are text (see config.Template). Its environment is empty but for PATH, LANG, the declared
// variables and, for writes, SLOTWAY_IDEMPOTENCY_KEY.
//
// What it prints on its standard output is the result: JSON where it is JSON, else the
// text without its last line feed. Standard error is dropped, as it may hold values.
//
//	exit status   means
//	0             the result is on standard output
//	22            invalid_input: the arguments are refused, nothing was done
//	44            not_found: nothing was done
//	other         failed; a write may have happened
//
// At the deadline the program's whole process group is killed.
package exectool
