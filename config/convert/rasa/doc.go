// Package rasa reads bots of Rasa 2 and 3: domain, NLU examples, rules, stories, CALM flows and test
// stories. [Read] makes a [convert.Bot] of them.
//
// The stages follow one another. files.go finds and sorts the files; domain.go, nlu.go, markdown.go, stories.go
// and flows.go read them without judging; behaviour.go collects what rules and stories show after each message;
// plans.go writes them as a plan, side by side as long as they do the same; convert.go makes the intents and, at
// the end, asks each script whether every plan that comes to it has all of it: one that has not is in the report, and
// its story becomes
// a conversation. tests.go turns test stories into conversations, too.
package rasa
