package rows

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/language"
)

// TestLanguagesLoad reads the tables of every language that has some.
func TestLanguagesLoad(t *testing.T) {
	read := 0
	for _, tag := range language.Tags() {
		words := message.LanguageOf(tag)
		if words.Tag != tag {
			continue // it has no tables, and is read as English
		}
		read++
		if _, err := readLanguage(words); err != nil {
			t.Errorf("%s: %v", tag, err)
		}
	}
	if read < 4 {
		t.Errorf("%d languages have tables of values, want English, German, Spanish and French", read)
	}
}

// TestBrokenRows holds what is told of a row that cannot be read.
func TestBrokenRows(t *testing.T) {
	for line, want := range map[string]string{
		"<hour> uhr":                  "PATTERN => BUILD",
		"<hour> uhr => clok":          "nothing is built",
		"uhr => clock":                "wants one of <hour> <hour12> <hh>",
		"<hour>? uhr => clock":        "wants one of <hour>",
		"in <length> => from_now":     "wants 1 more words",
		"<day> um => time":            "wants one of <clock>",
		"<opens> bis <endd> => open":  "wants one of <end>",
		"<edge> von <overr> => edge":  "wants one of <over>",
		"<feasts> <yyyy>? => feast":   "wants one of <feast>",
		"<weekdays> am => weekday":    "wants one of <weekday>",
		"<numbers> prozent => number": "wants one of <number>",
	} {
		if _, err := readRow(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
	lists, err := language.ParseLists("## clock\n<hour> <nowhere> => clock\n")
	if err != nil {
		t.Fatal(err)
	}
	fresh := &Language{Language: message.LanguageOf("de"), grammar: map[string]*grammar{}, begins: map[string]grammars{}}
	if err := fresh.readRows(lists); err == nil || !strings.Contains(err.Error(), "<nowhere>") {
		t.Errorf("a name of nothing: %v", err)
	}
}
