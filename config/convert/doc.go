// Package convert turns bots of other systems into agents. A reader of one format, in a subpackage,
// makes a [Bot]; [Bot.Write] writes its files, with what a person must decide as comments in them. The
// [Report] says what was carried over, what was not, and why, each with the place in the source.
package convert
