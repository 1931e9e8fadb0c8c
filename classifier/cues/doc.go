// Package cues reads the words around the values of a message, which tell what the values are
// for: a label, a unit, a correction, a denial, a question. Of several params that share a
// type it finds the one that the words announce ("from Boston to Denver"), by what an
// agent's examples show and by tables of English prepositions and verbs. A role that is not
// clear is left open: asking costs a question, a wrong role costs a wrong journey.
package cues
