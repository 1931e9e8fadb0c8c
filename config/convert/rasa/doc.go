// Package rasa reads bots of Rasa 2 and 3: domain, NLU examples, rules, stories, CALM flows and test
// stories. [Read] makes a [convert.Bot] of them.
//
// The stages follow one another. files.go finds and sorts the files; domain.go, nlu.go, stories.go and
// flows.go read them without judging; reactions.go works out what the bot does about each intent, from
// rules and stories; params.go, plans.go and tasks.go write it down as intents; checks.go turns test
// stories into conversations.
//
// What has no counterpart is noted in the report with its place. Nothing is guessed that could write:
// an action counts as a write only if the bot asks for a yes before it.
package rasa
