package cues

import (
	"github.com/slotway/slotway/classifier/message"
)

// sign is the meaning of a phrase beside a value.
type sign struct {
	cues  message.Cues
	near  bool // no verb may lie between: "I did not get O-1" does not deny it
	tight bool // no pause may lie between the phrase and the value: "no, X" does not take X off
	bare  bool // only where several values are kept or chosen from: "no olives", but not "no 5"
	alone bool // no other value may follow: "O-1 actually", but not "O-1 actually O-2"
}

// signsBefore are phrases that stand before a value; carriers may lie between.
var signsBefore = book[sign]{}.
	byLast(sign{cues: message.CueCorrect}, phrases("before correct")).
	byLast(sign{cues: message.CueAdd}, phrases("before add")).
	byLast(sign{cues: message.CueNegated, tight: true}, phrases("before unwanted")).
	byLast(sign{cues: message.CueNegated, tight: true, near: true}, phrases("before negated")).
	byLast(sign{cues: message.CueRemove, tight: true, near: true}, phrases("before remove")).
	byLast(sign{cues: message.CueRemove, tight: true, near: true, bare: true}, phrases("before bare no")).
	byLast(sign{}, phrases("before none"))

// signsAfter are phrases that stand behind a value.
var signsAfter = book[sign]{}.
	byFirst(sign{cues: message.CueCorrect}, phrases("after correct")).
	byFirst(sign{cues: message.CueCorrect, alone: true}, phrases("after correct alone")).
	byFirst(sign{cues: message.CueAdd}, phrases("after add")).
	byFirst(sign{cues: message.CueNegated}, phrases("after negated")).
	byFirst(sign{}, phrases("after none"))

// carriers may lie between a phrase and its value: they say nothing.
var carriers = words("carriers")

// verbal are the carriers that do something.
var verbal = words("verbal")

// unlinked may carry a phrase, but not a label: "I need 5" says not whose the 5 is.
var unlinked = words("unlinked")

// changers are the verbs of a change "to" another value.
var changers = words("changers")

// joins may lie between two values that are said in one go.
var joins = words("joins")
