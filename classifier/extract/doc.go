// Package extract finds param values in a message: ids by an agent's patterns,
// enumerations with synonyms and typos, offered options, and the built-in types from
// numbers to dates. It needs no model.
//
// [New] compiles an agent; [Extractor.Extract] returns candidates with their spans, in
// the order of the message. It decides nothing: one span may be a candidate for several
// params, and the planner takes the one it needs. [Recognize] runs the built-in types
// alone.
//
// An expression of time is read with every value that it may have ([Entity.Resolution]):
// "friday at 4" is one of four moments. A param takes one, the next, unless the words say
// past; a season, "the past few days" or "twice a week" fill none, and next week is no day.
// Ranges and recurrences are types of their own (daterange, timerange, datetimerange,
// recurrence), read beside days and times and never in their place: of "from monday to
// friday" a param of type date still takes monday and friday. What parts of days, weeks and
// months mean in hours and days follows Microsoft's recogniser.
//
// What is found never lies inside something longer that was found: the digits of an
// e-mail address or of an order id are no number. A wrong find counts as much as a miss:
// "may I", "sat on" and "second opinion" are no dates. Values that only make sense as an
// answer (a bare id, a name, free text) are looked for only while their param is asked.
package extract
