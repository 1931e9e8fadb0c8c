// Package shapes recognises the form of a free text: an address, a name, a sentence, a code or a
// title. It knows English.
package shapes
