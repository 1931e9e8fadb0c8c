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
//
// # Packages
//
// Each kind of value has a package of its own below internal, over one text: package message cuts
// a message into tokens, calendar counts days, and find holds the finds; numbers, currency,
// when, phone, web, codes, enum, choices, names and people read their kind of value; rows reads
// what the tables of a language say. This package gives the finds to the params of an agent.
//
// # Other languages
//
// Values are read by the tables of a language: what stands in values.txt and values_rows.txt of its
// folder under config/language, words by class and rows of PATTERN => BUILD; docs/howto/languages-values.md
// says how they are written. Package when joins what they say. The policy below is that
// of every language; so are the finds, and all that is done with them. Where a language leaves
// it open what is meant ("deux heures" is a time or a length of time, "1,500 €" is much or
// little) nothing is read unless what is asked settles it.
//
// # What belongs to a value, and what a value is
//
// The tables of this package follow one policy, which made sentences (grammar_test.go) and
// perturbed cases (scripts/lab/perturb) hold for every word of a class, not for
// listed wordings.
//
// A span holds what is needed to understand it. The preposition before a day or a time stays
// outside ("on monday", "at 5pm"), but for the "at" of an hour that may be of either half of
// the day, and "in" before a length ("in two weeks"). The article stays outside, too, but where
// a day is counted ("the 21st", "the day after tomorrow", "the first friday of july", "the
// last week of july") or where without it there is no period ("the week", "the 90s"). Words
// that open an end or move it belong: before, after, since, until, by, no later than, or later,
// from and between with their ends, within. So do those that pick a part: early, mid, late,
// beginning of, end of; and, of a length, more than and less than. What only makes a figure
// rough or bounds it (about, over, at least, up to) does not, but for around before a time.
//
// Lengths are counted in seconds, minutes, hours, days, nights (a day each), weeks, fortnights,
// weekends (two days), months, years, decades and centuries; periods also in quarters and
// business days. A part may stand behind the unit ("an hour and a quarter") or before it
// ("three quarters of an hour").
//
// What is said of one end of a range holds for the other: the month of "1 to 30 september",
// the year of "jan to march 2024", the week of "monday to friday next week", the order of the
// figures in "28/1 to 3/2". A range of days fills both days of a task that begins and ends.
//
// A number may be mixed ("two and three quarters", "2 and 3/4"). Where nothing but numbers is
// looked for "one in five" and "2 out of 3" are shares; among other things each figure may
// count something. A scale multiplies what stands before it, and may follow a greater one
// ("five hundred thousand million").
//
// Parts that do not add up are no value, never another one: "five out of three" is two
// numbers, "a few hundred" and "weeks and a half from now" are none, a day that its figures
// cannot be (32-1-2015) is no day, and one that the calendar lacks (feb 30) has no value. A
// telephone number within a town gets no area that nobody said.
package extract
