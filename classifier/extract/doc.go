// Package extract finds param values in a message: ids by an agent's patterns,
// enumerations with synonyms and typos, offered options, and the built-in types from
// numbers to dates. It needs no model.
//
// [New] compiles an agent; [Extractor.Extract] returns candidates with their spans, in
// the order of the message. It decides nothing: one span may be a candidate for several
// params, and the planner takes the one it needs. [Recognize] runs the built-in types
// alone.
//
// What is found never lies inside something longer that was found: the digits of an
// e-mail address or of an order id are no number. A wrong find counts as much as a miss:
// "may I", "sat on" and "second opinion" are no dates. Values that only make sense as an
// answer (a bare id, a name, free text) are looked for only while their param is asked.
package extract
