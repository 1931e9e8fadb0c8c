// Package phrase puts values into words. A [Text] is a template of what the agent says, with
// {name}, {name|format} and [parts that are left out when a value is missing].
//
// A [Language] holds the words for dates, times, ranges, durations, money and lists. English,
// German, French, Spanish, Italian and Dutch have one ([For]); in any other language, dates and
// money stay as tools return them.
package phrase
