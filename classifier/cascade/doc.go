// Package cascade is the embedded classifier: it understands a message without a model
// server. [New] trains on an agent's examples; [Classifier.Classify] looks for a stock
// phrase, then for one that opens a longer message, then ranks the intents of what
// remains, and finds the params of the whole.
//
// Where the examples mark enough values, a tagger learned from them adds the values that
// no recogniser can know, and says which of two params of one type is meant. Recognisers
// come first, then enumerations, then the tagger, then the whole reply as free text.
//
// A message that holds nothing but values and courtesy speaks for no intent, and neither
// does one of unknown words: both get a low confidence, whatever the ranking says.
package cascade
