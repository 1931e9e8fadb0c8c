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
	byLast(sign{cues: message.CueCorrect}, `actually,sorry,my bad,oops,whoops,i mean,i meant,i meant to say,i mean to say,meant,correction,scratch that,strike that,`+
		`make it,make that,make them,should be,shouldve been,should have been,should read,ought to be,supposed to be,change it to,change that to,change this to,changed to,change to,`+
		`switch it to,switch that to,switch to,set it to,update it to,correct it to,rather,better,wait,wait no,no wait,hold on,hang on,instead,on second thought,on second thoughts,`+
		`lets make it,lets say,shall we say,i said,i just said,replace it with,replace that with`).
	byLast(sign{cues: message.CueAdd}, `also,plus,another,in addition,in addition to,additionally,as well as,along with,together with,add,adding,on top of that,one more,+`).
	byLast(sign{cues: message.CueNegated, tight: true}, `dont want,dont need,do not want,do not need,no longer want,no longer need,dont use,not going,dont send,do not send,dont ship,do not ship,dont deliver,do not deliver`).
	byLast(sign{cues: message.CueNegated, tight: true, near: true}, `not,isnt,is not,wasnt,aint,arent,anything but,rather than,instead of,in place of,no longer`).
	byLast(sign{cues: message.CueRemove, tight: true, near: true}, `forget the,forget about,skip the,`+`without,w/o,except,except for,apart from,besides,minus,remove,removing,drop,take off,take out,leave out,leave off,hold the,get rid of,but no,and no,no more`).
	byLast(sign{cues: message.CueRemove, tight: true, near: true, bare: true}, `no`).
	byLast(sign{}, `sorry about,sorry for,the wait,to wait,cant wait,long wait,a wait,better than,why not,not only,not sure,if not,rather a,much better,drop off,dropping off,to use,can use,i use,we use`)

// signsAfter are phrases that stand behind a value.
var signsAfter = book[sign]{}.
	byFirst(sign{cues: message.CueCorrect}, `instead,rather,would be better,is better,would be best,works better,is the right one,is right,is correct`).
	byFirst(sign{cues: message.CueCorrect, alone: true}, `actually,i mean,i meant,i should say,sorry`).
	byFirst(sign{cues: message.CueAdd}, `too,as well,also,in addition,on top,additionally`).
	byFirst(sign{cues: message.CueNegated}, `is wrong,was wrong,are wrong,were wrong,is incorrect,was incorrect,is not right,isnt right,was not right,wasnt right,was a mistake,is a mistake,was a typo,is not it,isnt it,is no longer,is out`).
	byFirst(sign{}, `instead of,rather than,actually is,also known,too much,too many,too early,too late,too long,too short,too soon,too expensive,too cheap,too far,too big,too small,too few,too little`)

// carriers may lie between a phrase and its value: they say nothing.
var carriers = words(`the a an my our your this that these those its it is was be being are am of for from in on at with by into to as until till order orders number no nr id code
	about maybe perhaps please just uh um hmm like say i id ill we lets us me want wanted need have get take go going fly choose pick would you can could do then - – — = let put back leaving returning
	new only value item one ones sent send ship shipped deliver delivered bring`)

// verbal are the carriers that do something.
var verbal = words(`i id ill we lets us me want wanted need have get take go going fly choose pick would you can could do let put sent send ship shipped deliver delivered bring leaving returning`)

// unlinked may carry a phrase, but not a label: "I need 5" says not whose the 5 is.
var unlinked = words(`i id ill we lets us me want wanted need have get take go going fly choose pick would you can could do then for from in on at with by into until till`)

// changers are the verbs of a change "to" another value.
var changers = words("change changed changing switch switching update set correct alter amend edit modify adjust reset replace swap turn bump move")

// joins may lie between two values that are said in one go.
var joins = words("and or nor & + / the a an my with")
