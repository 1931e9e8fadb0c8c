package planner

import (
	"slices"
	"unicode"
)

// A write is made after a yes only, so a yes is never guessed (rule 13): a clause has to say it,
// and nothing else in the message may ask, condition, or turn it round.

// yesBars are never part of a yes to something: they turn it round or bind it to a condition.
// Words on n't are among them.
var yesBars = wordSet(`
	no not nor nope nah never neither none nothing cannot cant dont wont isnt without but
	however although though if unless except until till or wait maybe perhaps instead rather
	once whenever provided providing assuming`)

// freeNext are the words behind which a bar is none: "let me know if", "I do not need it".
var freeNext = map[string]map[string]bool{
	"if":   wordSet("know me us check see ask"),
	"wait": wordSet("to the i can't cannot cant"),
	"not":  wordSet("why"),
}

// yesTerms, right behind a yes, bind it to something that is still to come.
var yesTerms = wordSet("after before once only first provided providing assuming whenever when while until till unless if depending")

// yesWords are said with a yes and change nothing about it. A clause is a yes to a write only if
// each of its words is one of them, or of the question itself, or of the yeses that the agent
// lists: whatever the model of acts takes it for.
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

// weakYes are the words that people also begin something else with: a yes by themselves, and
// none beside a question or a wish.
var weakYes = wordSet("ok okay okey k kk right alright fine good great cool well so perfect nice lovely awesome hmm then please thanks thank you and all")

// calm is a word without the letters that are drawn out: "suuure", "yesss". A letter is doubled only
// in a word that is said so: "coool".
func calm(word string) string {
	out := make([]rune, 0, len(word))
	var drawn bool
	var last rune
	var run int // of the letter that came last
	for _, c := range word {
		if run++; c != last {
			last, run = c, 1
		}
		if run < 3 || unicode.IsDigit(c) {
			out = append(out, c)
			continue
		}
		drawn = true
	}
	if !drawn || yesWords[string(out)] {
		return string(out)
	}
	return string(slices.Compact(out))
}

// wholeYes are yeses whose words are none by themselves.
var wholeYes = wordSetOf("why not", "sure why not", "yeah why not", "yes why not", "i guess so", "guess so", "i suppose so", "i already said yes", "i said yes already", "already said yes", "as i said yes", "by all means", "no problem", "if you would", "you may", "be my guest", "i have no objections", "no objections", "works for me", "knock yourself out")

// notYes open what has the words of a yes and asks or orders something else: "can you confirm",
// "go away", "correct it".
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

// elsewise are words of what is not the thing in question.
var elsewise = wordSet("other another different instead rest others")

// undecided are words of a decision that is turned round or not made: "I changed my mind".
var undecided = wordSet("mind thoughts reconsider reconsidered reconsidering undecided unsure hesitate hesitating joking kidding joke")

// doings are the verbs that stand for whatever was asked: "do it", "go ahead and process it".
var doings = wordSet("do go make get proceed finish complete process confirm submit execute handle arrange sort note save record start run")

// deeds are verbs of a yes that may also be about something else than what is asked.
var deeds = wordSet("want wanna like love wish proceed continue confirm approve process complete get make")

// agreeing are the words with which somebody agrees who says the whole request again.
var agreeing = wordSet("yes yep yeah yup ya sure ok okay correct right confirm confirmed absolutely definitely indeed")

// standsFor are the words for the thing in question.
var standsFor = wordSet("it that this them these those")

// articles stand before a thing; behind another word its name is a deed.
var articles = wordSet("the this that my our your an a these those of")

// desires, modals and hopeful openings are words of what somebody would like to come of a thing.
var (
	desires = wordSet("want need like take prefer love deserve expect")
	modals  = wordSet("should can may must shall will could might")
	hopeful = wordSet("let have leave make bring give")
)

// keeping is what people say of a thing that is to stay as it is, before it or at the end: "keep the
// order", but not "don't keep me waiting".
var keeping = wordSet("keep leave retain")

// kept are the words behind which something stays.
var kept = wordSet("it them the that this these those my our both everything all as")

// partings close a talk.
var partings = wordSet("bye day")

// needs are the verbs with which people say why they want something undone or done.
var needs = wordSet("need want like use have fit work")

var persons = wordSet("i we it my our me us i'm i've we're it's")

var ownWords = wordSet("i we it that this its it's thats that's my our i'm we're because cause since as the")

// echoWords may stand around the words of a question that is said again.
var echoWords = wordSet("yes ok okay please just it that this them the my a an i want to wanna would like you can then now go ahead and do so right away order one for me of asap quickly immediately already send request whatever")

var verbFillers = wordSet("shall should do may can so we we'll i'll")
