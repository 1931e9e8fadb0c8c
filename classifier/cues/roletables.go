package cues

// side is one of the two ends that a param or a phrase may name.
type side uint8

const (
	neither side = iota
	head         // where something starts: origin, departure, sender, least
	tail         // where it ends: destination, return, recipient, most
)

// kind is the kind of a group's values. Each kind has its own words that announce an end.
type kind uint8

const (
	place  kind = iota // places, accounts, people: whatever a way leads from and to
	moment             // days and times
	figure             // numbers and amounts
)

// namedEnds maps the words of names and labels to ends, by the kind of the values.
var namedEnds = [...]map[string]side{
	place: ends2("origin from departure depart departing leave leaving start starting source src pickup pick sender debit begin outgoing boarding payer giver collection",
		"destination dest to arrival arrive arriving end ending target dropoff drop recipient receiver payee beneficiary credit into addressee delivery return"),
	moment: ends2("departure depart departing start starting checkin begin beginning outbound pickup pick from leave leaving since outward collection first earliest",
		"return returning end ending checkout inbound back until till dropoff drop to finish last latest final"),
	figure: ends2("min minimum lowest least from", "max maximum highest most to limit"),
}

func ends2(heads, tails string) map[string]side {
	out := map[string]side{}
	for w := range words(heads) {
		out[w] = head
	}
	for w := range words(tails) {
		out[w] = tail
	}
	return out
}

// announced maps the phrases right before a value to the end that they name.
var announced = [...]book[side]{
	place: book[side]{}.
		byLast(head, `from,out of,leaving,departing,originating in,i live in,we live in,i am in,im in,we are in,based in,living in,starting in,starting at,start in,start at,starting,starts in,starts at,`+
			`begin in,begin at,beginning in,beginning at,leave,depart,pick up in,pick up at,pickup in,pickup at,picking up in,picking up at,picking it up in,picking it up at,pick it up in,pick it up at,picked up at,picked up in,`+
			`collect in,collect at,collect it in,collect it at,collecting in,collecting at,currently in,pick up,pickup,pick it up,picking it up,picking up,debit,using,were in,weare in,we in`).
		byLast(tail, `to,into,onto,toward,towards,bound for,headed for,heading for,leaving for,leave for,departing for,depart for,`+
			`end in,end at,ending in,ending at,ends in,ends at,drop off in,drop off at,dropoff in,dropoff at,dropping off in,dropping off at,drop it off in,drop it off at,drop it in,drop it at,dropping it off in,dropping it off at,dropped off in,dropped off at,`+
			`return it in,return it at,returning it in,returning it at,return in,return at,returning in,returning at,return it to,ticket for,tickets for,train for,flight for,drop off,dropoff,drop it off,dropping it off,dropping off,drop the car off,left off at,credit`).
		byLast(neither, `next to,close to,due to,similar to,prior to,according to,up to,need to,want to,like to,have to,able to,used to,trying to,far from,different from,away from,back to back,thanks to,related to,apart from,back from,get back to,nothing to`),
	moment: book[side]{}.
		byLast(head, `from,since,leaving,leave,departing,depart,starting,start,starts,beginning,begin,outbound,pick up,picking up,pickup,pick it up,picking it up,picked up,fly out,flying out,flies out,going out,outgoing,going,out,check in,checking in,collect,collecting,collect it,outward`).
		byLast(tail, `extend it to,extend to,extend that to,until,till,til,through,thru,returning,return,returns,back,come back,coming back,ending,end,ends,drop off,dropping off,dropoff,drop it off,dropping it off,inbound,fly back,flying back,fly home,flying home,come home,coming home,home,check out,checking out,bring it back,bringing it back,return it,returning it,going back,go back,inward`).
		byLast(neither, `far from,get back to me,call me back,call back`),
	figure: book[side]{}.
		byLast(head, `from,at least,over,more than,above,minimum,min,no less than,not less than,starting at,starting from`).
		byLast(tail, `at most,under,up to,less than,below,maximum,max,no more than,not more than,to,until,till`),
}

// arrivals maps phrases to the end of a journey. A hire begins where the customer arrives, so it
// does not use them.
var arrivals = book[side]{}.
	byLast(tail, `arriving in,arriving at,arrive in,arrive at,arrives in,arrives at,arrival in,arrival at,be in,be at,get in,land in,landing in,visit,visiting,reach`)

// stays maps phrases to the two days of a stay: guests arrive at its beginning and leave at its
// end.
var stays = book[side]{}.
	byLast(head, `arriving,arrive,arrives,arrival,coming,come,get there,getting there,check in,checking in,checkin,moving in,from,starting,start,since`).
	byLast(tail, `leaving,leave,leaves,departing,depart,departure,going home,check out,checking out,checkout,moving out,until,till,til,through,thru,ending,end`)

// verbs announce an end from a few words away: "return the car in Denver".
var verbs = [...]map[string]side{
	place:  ends2("pick picking picked collect collecting starting start begin beginning depart departing", "drop dropping dropped return returning end ending finish finishing put putting deposit depositing"),
	moment: ends2("leave leaving depart departing start starting begin beginning pick picking collect collecting", "return returning back end ending drop dropping finish finishing bring bringing"),
	figure: {},
}

var stayVerbs = ends2("arrive arriving check-in start starting begin", "leave leaving depart departing end ending")

// neutral lists prepositions that name no end by themselves.
var neutral = words("on at in by around about approximately this next coming for the a an my our")

// passed lists words that may stand between an announcing phrase and its value.
var passed = words("the a an my our your this that next coming around about approximately maybe probably say like on in at by for of city town airport station account location date day time = - +")

// against lists words that show that a message speaks of the other end, or that its day may be one
// of arrival. A day that no word announces then stays open.
var against = words("return returning returns back until till til through thru home end ending ends arrive arriving arrives arrival be there round roundtrip by before was were had did been")

// links join two ends in their order: "Boston to Denver".
var links = words("to - – — → > ->")

// laterLinks join two times or two figures in their order.
var laterLinks = words("to - – — → > until till til through thru and")
