// Package canary searches output for values that must not be in it.
//
// A test puts unique values into every input and searches every output for them. [Set.Find] finds a
// value as it is, in another case, with separators or line ends within it, reversed, by its digits
// alone if it has enough of them, escaped as in JSON or a URL, in hexadecimal, and in base64 of either
// alphabet, even as a part of a longer text. It does not look into compressed or encrypted data.
//
// A Set is filled first; then many goroutines may use it.
package canary
