package planner

import (
	"slices"
	"unicode"
)

// A write needs a yes, and a yes is never guessed (rule 13): a clause must say it, and nothing else in
// the message may ask something, make a condition, or reverse it.

// yesBars are words that reverse a yes or bind it to a condition. Words ending in n't are among
// them.
var yesBars = wordSet(`
	no not nor nope nah never neither none nothing cannot cant dont wont isnt without but
	however although though if unless except until till or wait maybe perhaps instead rather
	once whenever provided providing assuming`)

// freeNext are the words behind which such a word does not count: "let me know if", "I do not need
// it".
var freeNext = map[string]map[string]bool{
	"if":   wordSet("know me us check see ask"),
	"wait": wordSet("to the i can't cannot cant"),
	"not":  wordSet("why"),
}

// yesTerms are words that, right behind a yes, bind it to something in the future.
var yesTerms = wordSet("after before once only first provided providing assuming whenever when while until till unless if depending")

// yesWords are words that go with a yes and do not change it. A clause is a yes to a write only if
// each of its words is one of these, of the question, or of the yeses that the agent lists,
// whatever the model of acts says.
var yesWords = wordSet(`
	a all am an and are as at away be by cool do done excellent exactly fantastic fine for get
	going go good got great happy i i'd i'll i'm id im indeed is it it's its just like looks love
	lovely may me my nice now of on one our perfect perfectly please plz pls proceed really
	right see so sound sounds sure suits super thank thanks that that'd that'll that's thats
	the then these this those thx to u us very want wanna we we'd we'll well will
	wish with wonderful work works would yes you you're your awesome confirmed definitely
	certainly absolutely alright ok okay correct can could info information details
	everything sir ma'am madam confirm agreed agree deal totally positive okey okie k kk ya yah
	yep yup yeah yea yess y aye true roger bet hell heck asap quickly immediately ahead
	continue approve approved affirmative course certain fully quite here there ready account request it'll let's lets make thing guys mate man buddy dear bro finally already last
	pleasure haha hahaha lol hehe jep heart glad gladly joy`)

// weakYes are words that also begin other sentences: a yes by themselves, but not beside a question
// or a wish.
var weakYes = wordSet("ok okay okey k kk right alright fine good great cool well so perfect nice lovely awesome hmm then please thanks thank you and all")

// calm removes lengthened letters: "suuure", "yesss". A letter stays double in words that have it:
// "coool".
func calm(word string) string {
	if !drawnOut(word) {
		return word
	}
	out := make([]rune, 0, len(word))
	var last rune
	var run int // of the letter that came last
	for _, c := range word {
		if run++; c != last {
			last, run = c, 1
		}
		if run < 3 || unicode.IsDigit(c) {
			out = append(out, c)
		}
	}
	if yesWords[string(out)] {
		return string(out)
	}
	return string(slices.Compact(out))
}

// drawnOut reports whether a letter stands three times in a row, as in hardly any word.
func drawnOut(word string) bool {
	var last rune
	var run int // of the letter that came last
	for _, c := range word {
		if run++; c != last {
			last, run = c, 1
		}
		if run == 3 && !unicode.IsDigit(c) {
			return true
		}
	}
	return false
}

// wholeYes are phrases that are a yes although their words are not.
var wholeYes = wordSetOf("why not", "sure why not", "yeah why not", "yes why not", "i guess so", "guess so", "i suppose so", "i already said yes", "i said yes already", "already said yes", "as i said yes", "by all means", "no problem", "if you would", "you may", "be my guest", "i have no objections", "no objections", "works for me", "knock yourself out")

// notYes are phrases that begin with the words of a yes but ask or order something else: "can you
// confirm", "go away", "correct it".
var notYes = map[string]map[string]bool{
	"can":     wordSet("i we you"),
	"could":   wordSet("i we you"),
	"do":      wordSet("i we you they"),
	"go":      wordSet("away"),
	"correct": wordSet("it that this the these those my me"),
	"make":    wordSet("me my your"),
	"get":     wordSet("me my your us"),
	"let's":   wordSet("see"),
	"lets":    wordSet("see"),
}

// elsewise are words for something other than the thing in question.
var elsewise = wordSet("other another different instead rest others")

// undecided are words for a decision that is changed or not made: "I changed my mind".
var undecided = wordSet("mind thoughts reconsider reconsidered reconsidering undecided unsure hesitate hesitating joking kidding joke")

// doings are verbs that stand for whatever was asked: "do it", "go ahead and process it".
var doings = wordSet("do go make get proceed finish complete process confirm submit execute handle arrange sort note save record start run")

// deeds are verbs of a yes that may also be about something else.
var deeds = wordSet("want wanna like love wish proceed continue confirm approve process complete get make")

// agreeing are the words of users who agree by repeating the whole request.
var agreeing = wordSet("yes yep yeah yup ya sure ok okay correct right confirm confirmed absolutely definitely indeed")

// standsFor are words for the thing in question.
var standsFor = wordSet("it that this them these those")

// articles precede a thing. Behind another word, the name of a thing is a verb.
var articles = wordSet("the this that my our your an a these those of")

// desires, modals and hopeful openings are words of wishes about a thing.
var (
	desires = wordSet("want need like take prefer love deserve expect")
	modals  = wordSet("should can may must shall will could might")
	hopeful = wordSet("let have leave make bring give")
)

// keeping are phrases for something that should stay as it is, before it or at the end: "keep the
// order", but not "don't keep me waiting".
var keeping = wordSet("keep leave retain")

// kept are words that precede what should stay.
var kept = wordSet("it them the that this these those my our both everything all as")

// partings are phrases that end a conversation.
var partings = wordSet("bye day")

// needs are the verbs of reasons for wanting something done or undone.
var needs = wordSet("need want like use have fit work")

var persons = wordSet("i we it my our me us i'm i've we're it's")

var ownWords = wordSet("i we it that this its it's thats that's my our i'm we're because cause since as the")

// echoWords may stand around the words of a repeated question.
var echoWords = wordSet("yes ok okay please just it that this them the my a an i want to wanna would like you can then now go ahead and do so right away order one for me of asap quickly immediately already send request whatever")

var verbFillers = wordSet("shall should do may can so we we'll i'll")
