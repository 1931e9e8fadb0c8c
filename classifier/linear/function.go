package linear

import "strings"

// functionWeight is the weight of a function word, against 1 of any other word, in the share of a
// text that is known: "what's the weather" is unknown although two thirds of its words were seen.
const functionWeight = 0.05

// functionWords lists the closed-class words of English and the verbs of any request, without
// apostrophes. In other languages the list has no effect.
var functionWords = func() map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(`a an the this that these those there here i me my mine you your we us our they them
		their he she it its him her his is are was were am be been being do does did done have has had will would can could
		should shall may might must im ive ill id youre its thats whats wheres hows whos lets dont doesnt didnt isnt arent
		wont cant couldnt wouldnt havent hasnt not no and or but if so because than as of to in on at by for from with
		about into over up out off what when where which who whom whose why how any some all each every much many more most
		other just also too very really please thanks ok okay yes hi hello hey tell give show say want need like get got
		let make know think go going take see look one something anything someone anyone now then again still`) {
		set[w] = true
	}
	return set
}()

// Function reports whether a word, in lower case and without apostrophes, is a function word
// of English: it names nothing.
func Function(word string) bool { return functionWords[word] }
