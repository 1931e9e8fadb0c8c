// Package extract finds param values in a message: ids by an agent's patterns,
// enumerations with synonyms and typos, offered options, and the built-in types from
// numbers to dates. It needs no model.
//
// [New] compiles an agent; [Extractor.Extract] returns candidates with their spans, in
// the order of the message. It decides nothing: one span may be a candidate for several
// params, and the planner takes the one it needs. [Recognize] runs the built-in types
// alone.
//
// [RecognizeKind] looks for one type as if no other existed, to measure recognisers. It
// is laxer than the other two: digits joined by marks are numbers of their own, a spaced
// hyphen is a sign, a unit of money needs no amount, any host under a top-level domain is a
// URL. Its figures are not those of a message read whole.
//
// A phone's value is E.164 where the numbering plans know the number, with an extension
// behind ";ext="; another one keeps the digits as they were dialled, at a lower confidence,
// and is taken where words announce it, where it is grouped like one, or when it is asked
// for. Money without a country ("$", "pesos") is the agent's currency where it may be, else
// the most used of that name. A person or a place nobody asked for needs a phrase before it
// and capitals.
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
// answer (a bare id, a name, free text) are looked for only while their param is asked, or
// in what may correct a param that is known (Input.Filled), where a whole stretch of the
// message is such a value.
//
// A number that nobody asked for is sure only with its unit or label beside it; the number of
// a house is none. Who comes is summed. Ids and codes are read as they are said and spaced.
// A day beside a word that changes it, or with a weekday that it is not, is no value, nor is a
// period where a day is asked for, nor a word that is listed with the values of an enumeration
// and is none: [Extractor.ExtractAll] tells them apart, with the reason. Days with points have
// the day first, whatever the region.
package extract
