package linear

// functionWeight is the weight of a function word, against 1 of any other word, in the share of a
// text that is known: "what's the weather" is unknown although two thirds of its words were seen.
const functionWeight = 0.05

// Function reports whether a word, in lower case and without apostrophes, is a function word
// of English: it names nothing.
func Function(word string) bool { return englishSpeech.function[word] }
