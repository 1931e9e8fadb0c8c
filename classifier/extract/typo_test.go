package extract

import (
	"testing"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// TestTyposAreNoWords: a misspelt value is read, a word of its own that is near one is not,
// but where it is all the answer and too long to be near by chance.
func TestTyposAreNoWords(t *testing.T) {
	a := &config.Agent{Params: map[string]*config.Param{"damage": {Name: "damage", Type: &config.Type{Name: "damage", Fuzzy: 2, Values: []config.EnumValue{
		{Value: "fire", Synonyms: []string{"burnt"}}, {Value: "water", Synonyms: []string{"leak", "flood"}}, {Value: "theft", Synonyms: []string{"burglary"}}, {Value: "storm"}, {Value: "vandalism"},
	}}}}}
	common := message.Words("a pipe burst under the sink wafer lead wire short blood my dog shot")
	x := New(a, &Options{Knows: func(w string) bool { return common[w] }})
	checkHeard(t, x, []heardCase{
		{"damage", "fier", "damage", "fire"},
		{"damage", "a sotrm hit it", "damage", "storm"},
		{"", "there was a burglery", "damage", "theft"},
		{"damage", "vandlaizm", "damage", "vandalism"},
		{"damage", "wafer", "damage", "water"},
		{"damage", "burnt sink", "damage", "fire"},

		{"damage", "a pipe burst under the sink", "damage", ""},
		{"", "a pipe burst under the sink", "damage", ""},
		{"damage", "pipe", "damage", ""},
		{"damage", "wire", "damage", ""},
		{"damage", "my dog ate a wafer", "damage", ""},
		{"damage", "the lead was short", "damage", ""},
		{"damage", "heft", "damage", ""},
		{"damage", "vindicate", "damage", ""},
	})
}
