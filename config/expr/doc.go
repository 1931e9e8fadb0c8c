// Package expr evaluates what a definition says about values: conditions ([Expr], by
// expr-lang), arguments with $name ([Arg]) and the texts that tools send ([Template]).
//
// Values are JSON-normal everywhere: nil, bool, float64, string, []any and map[string]any.
// Identifiers are strings; whole numbers beyond 2^53 must be strings too.
//
// The clock is the caller's: today and now ([ClockNames]) are values that it supplies, so that an
// evaluation can be repeated.
//
// All three are parsed at load, cope with missing values, and may be used by any number of
// goroutines.
package expr
