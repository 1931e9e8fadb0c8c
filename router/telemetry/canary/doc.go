// Package canary looks for values that must not have come out.
//
// A test puts values that stand nowhere else into every input and searches every output for
// them. [Set.Find] finds a value as it is and in other cases, with separators or line ends
// within it, reversed, for its digits alone where it has enough of them, escaped as in JSON or
// a URL, in hexadecimal, and in base64 of either alphabet, also where it is a part of something
// longer. It does not look into compressed or encrypted data.
//
// A Set is filled first and may then be used by many goroutines.
package canary
