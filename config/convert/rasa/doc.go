// Package rasa reads bots of Rasa 2 and 3: domain, NLU examples, rules, stories, CALM flows and test
// stories. [Read] makes a [convert.Bot] of them.
//
// The stages follow one another. files.go finds and sorts the files; domain.go, nlu.go, markdown.go, stories.go
// and flows.go read them without judging; behaviour.go collects what rules and stories show after each message;
// plans.go puts what begins alike into a tree and writes it as a plan; convert.go makes the intents and, at the
// end, walks each script along its tree: one with a step that no plan has is in the report, and its story becomes
// a conversation. tests.go turns test stories into conversations, too.
package rasa
