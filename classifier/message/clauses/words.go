package clauses

import "strings"

// class is a set of the roles that a word may have in a clause, as far as cutting needs them.
type class uint32

const (
	isWh      class = 1 << iota // opens a question: what, where
	isAux                       // opens a question or an order before any word: is, do, don't
	isModal                     // the same, but is a noun or a name too: can, will, may
	isPronoun                   // a subject: i, it, they
	isPoint                     // this, that, there: a subject before a verb
	isShort                     // a subject with its verb: i'm, that's
	isOrder                     // a verb that hardly is a noun: cancel, tell
	isOrderOf                   // a verb that is as often a noun: book, order, return
	isObject                    // begins what a verb is done to: my, the, me, them, all
	isOwner                     // opens a subject: my, the, your
	isPlace                     // a preposition
	isJoin                      // cuts before the beginning of a clause: and, or, then
	isTurn                      // cuts before any word: but, because, unless
	isSay                       // a word that is said for itself: yes, no, thanks, hello, sorry, wait
	isSoft                      // may stand beside such a word: very, much, there, a lot
	isFiller                    // um, well, oh: no clause by itself
	isAsk                       // before it "if" means whether: know, check, me
	isShorten                   // an abbreviation with a full stop: dr, st, etc
)

// classes are the words of each class, without apostrophes.
var classes = func() map[string]class {
	all := map[string]class{}
	for c, list := range wordLists {
		for w := range strings.FieldsSeq(list) {
			all[w] |= c
		}
	}
	return all
}()

var wordLists = map[class]string{
	isWh: `what where when who whom whose why how which whats wheres whens whos whys hows whatll wherell wut wat wehre whre`,
	isAux: `is are was were do does did has have had am isnt arent wasnt werent dont doesnt didnt hasnt havent hadnt aint
		cant couldnt wont wouldnt shouldnt mustnt neednt`,
	isModal:   `can could will would should shall may might must need`,
	isPronoun: `i you he she we they it u`,
	isPoint:   `this that these those there here everything nothing something someone somebody nobody`,
	isShort: `im ive ill id youre youve youll youd hes shes its itll itd were weve well wed theyre theyve theyll theyd
		thats thatll theres heres lets gonna wanna gotta gimme lemme`,
	isOrder: `cancel send tell give get find make keep put remove delete buy pay bring let forget reschedule confirm activate deactivate
		reactivate add set take tell explain show pick choose help want wanna fix close reset reopen reply email text phone resend
		redo undo restart unlock unsubscribe subscribe enroll enrol register renew upgrade downgrade replace
		repeat skip leave switch swap move remind notify inform connect transfer escalate deliver ship mail hold wait read write
		print export download upload install uninstall configure enable disable block unblock freeze unfreeze dispute redeem apply
		verify look lookup search go come see try hurry ask say talk speak type enter use note include exclude ignore
		contact approve reject deny accept decline submit withdraw extend prolong postpone delay scrap abort drop annul
		book reserve order rent hire cancle canel gimme lemme lets schedule arrange turn play stop start begin continue wake`,
	isOrderOf: `book order return change check track call refund exchange update rent park charge address schedule report request
		claim deposit balance quote review rate list plan order reserve reset mail email text phone stop start play drop delay
		hold wait rent hire extend note turn look search move switch help use transfer ship block freeze dispute set try type print
		upgrade download show upload renew swap pick drop approve`,
	isObject: `my the your our his her their its a an me us them him it this that these those all both any some everything another
		one two three every each other up out off on in for to from with about into at if what where when who why how which whether
		please`,
	isOwner: `my the your our his her their`,
	isPlace: `for to from with about into at of on in by near around over under before after until till between`,
	isJoin:  `and or then also plus so nor n`,
	isTurn:  `but because cause cuz coz bc unless although though however since whereas`,
	isSay: `yes yeah yea yep yup yas y ya ok okay okey okie k kk sure right alright allright fine correct exactly absolutely
		good definitely certainly indeed agreed great perfect cool nice awesome excellent super no nope nah nay n naw never
		hi hello hey hiya heya howdy greetings thanks thank thx ty cheers bye goodbye sorry apologies oops actually wait hold hang
		pardon yess yesss yees noo nooo yse yeh aye affirmative negative
		congrats wonderful brilliant lovely anyway wow sigh ugh`,
	isSoft: `you u very much a lot so there possible morning afternoon evening day please pls plz thats that this then just all now on
		of course not really again too and is it one moment second sec minute min bit many million kind indeed man mate dear sir madam
		guys team everyone folks buddy bot me i mean meant my mistake bad what way for your help time long got see the sounds go
		ahead do hear know think well oh um hmm`,
	isFiller:  `um umm uh uhh uhm er erm ah oh ooh well so hm hmm hmmm mm please pls plz like anyway now look listen btw fyi`,
	isAsk:     `know check see wonder wondering ask asking asked sure me us him her out as what whether tell idea clue matter even only`,
	isShorten: `dr mr mrs ms prof st ave rd blvd ln apt ste fl bldg no nr vs eg ie etc am pm inc ltd co corp jr sr approx dept ext tel mt ft hwy sq po nos ca cf vol fig mo`,
}

// joinNames spells the joining words that have several spellings in one way.
var joinNames = map[string]string{
	"cause": "because", "cuz": "because", "coz": "because", "bc": "because", "n": "and",
}

// notAfter are words behind which a joining word joins no clause: "nothing but", "as if".
var notAfter = wordSets(map[string]string{
	"but":   "nothing anything all none everything",
	"if":    "happens happen happened matters matter know check see wonder wondering ask asking asked sure me us him her out as what tell idea clue matter",
	"so":    "i think hope guess believe not ever if do or said is even",
	"also":  "is are was i we it has have but can",
	"then":  "by since until until back now",
	"plus":  "a b",
	"since": "ever",
	"cause": "the a root main no any",
})

// notBefore are words before which a joining word joins no clause: "or not", "because of".
var notBefore = wordSets(map[string]string{
	"or":     "not else something anything so what whatever",
	"so":     "much many far that long on",
	"and":    "so all",
	"though": "",
	"then":   "again",
	"n":      "",
})

// wordSets makes sets of lists.
func wordSets(lists map[string]string) map[string]map[string]bool {
	sets := make(map[string]map[string]bool, len(lists))
	for name, list := range lists {
		sets[name] = wordSet(list)
	}
	return sets
}

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
