package summary

import (
	"github.com/slotway/slotway/config/language"
	"github.com/slotway/slotway/memory/internal/plaintext"
)

// lists are the words of the tier by class.
var lists = language.Lists(language.English, "summary.txt")

func phrases(class string) plaintext.Phrases { return plaintext.PhrasesOf(lists.Phrases(class)) }

func set(class string) map[string]bool {
	out := map[string]bool{}
	for _, w := range lists.Words(class) {
		out[w] = true
	}
	return out
}

// Words of the salience features; the file says what they are.
var (
	stopWords    = set("stop")
	phatic       = set("phatic")
	vague        = set("vague")
	lendsWeight  = set("emphasis")
	firstPerson  = set("first_person")
	secondPerson = set("second_person")
	thirdPerson  = set("third_person")
	dated        = set("dated")
	kin          = set("kin")
	events       = set("event")
	constraints  = set("constraint")
	belongings   = set("belonging")
)
