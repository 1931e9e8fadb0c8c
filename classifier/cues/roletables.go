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
	place:  ends2("place name"),
	moment: ends2("moment name"),
	figure: ends2("figure name"),
}

func ends2(class string) map[string]side {
	out := map[string]side{}
	for w := range words(class + " head") {
		out[w] = head
	}
	for w := range words(class + " tail") {
		out[w] = tail
	}
	return out
}

// announced maps the phrases right before a value to the end that they name.
var announced = [...]book[side]{
	place: book[side]{}.
		byLast(head, phrases("from place")).
		byLast(tail, phrases("to place")).
		byLast(neither, phrases("no place")),
	moment: book[side]{}.
		byLast(head, phrases("from moment")).
		byLast(tail, phrases("to moment")).
		byLast(neither, phrases("no moment")),
	figure: book[side]{}.
		byLast(head, phrases("from figure")).
		byLast(tail, phrases("to figure")),
}

// arrivals maps phrases to the end of a journey. A hire begins where the customer arrives, so it
// does not use them.
var arrivals = book[side]{}.
	byLast(tail, phrases("arrival"))

// stays maps phrases to the two days of a stay: guests arrive at its beginning and leave at its
// end.
var stays = book[side]{}.
	byLast(head, phrases("stay begins")).
	byLast(tail, phrases("stay ends"))

// verbs announce an end from a few words away: "return the car in Denver".
var verbs = [...]map[string]side{
	place:  ends2("place verb"),
	moment: ends2("moment verb"),
	figure: {},
}

var stayVerbs = ends2("stay verb")

// neutral lists prepositions that name no end by themselves.
var neutral = words("neutral")

// passed lists words that may stand between an announcing phrase and its value.
var passed = words("passed")

// against lists words that show that a message speaks of the other end, or that its day may be one
// of arrival. A day that no word announces then stays open.
var against = words("against")

// links join two ends in their order: "Boston to Denver".
var links = words("links")

// laterLinks join two times or two figures in their order.
var laterLinks = words("later links")
