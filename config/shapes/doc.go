// Package shapes tells what a free text looks like: an address, a name, a sentence, a code or
// a title. It knows English.
package shapes
