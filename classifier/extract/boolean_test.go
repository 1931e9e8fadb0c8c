package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// A drawn sentence is a frame with the label of a yes-or-no param in it. Every frame means the same for
// every label, so no wording is known by itself.
var booleanFrames = []struct {
	tag    string
	labels []string
	no     []string
	yes    []string
	open   []string // contradict themselves, ask, or stay open
}{
	{
		tag:    "en",
		labels: []string{"pets", "parking space", "nut allergy", "wheelchair", "gluten intolerance", "smoking room"},
		no: []string{
			"we have no %s", "there is no %s", "no %s", "no %s thanks", "I've never had a %s", "I have no known %s", "we do not have any %s", "%s: none", "%s: no",
			"%s none", "%s, none", "without %s please", "we are free of any %s", "I no longer have a %s", "%s not needed", "no, without %s", "I haven't got a %s", "neither a %s nor anything like it",
			"non-%s please", "I would rather not have the %s", "nothing with %s",
		},
		yes:  []string{"%s please", "I have a %s", "%s: yes", "yes, %s", "I do have %s", "%s yes please", "with %s"},
		open: []string{"I have no problem with a %s", "maybe a %s", "I'm not without %s", "yes, no %s", "do you have %s?", "I used to have a %s", "not only %s", "it depends on the %s", "never free of %s"},
	},
	{
		tag:    "de",
		labels: []string{"Haustiere", "Parkplatz", "Nussallergie", "Raucherzimmer", "Rollstuhl"},
		no:     []string{"ich habe keine %s", "%s habe ich keine", "%s bitte nicht", "kein %s", "nein, kein %s", "ohne %s", "%s: nein", "wir haben keinerlei %s nicht mehr", "%s brauchen wir nicht", "ich hatte nie %s"},
		yes:    []string{"ich habe %s", "%s bitte", "%s: ja", "ja, %s", "mit %s"},
		open:   []string{"kein Problem mit %s", "vielleicht %s", "nicht ohne %s", "ja, kein %s", "haben Sie %s?", "nichts dagegen, %s"},
	},
	{
		tag:    "es",
		labels: []string{"mascotas", "aparcamiento", "alergia", "fumadores"},
		no:     []string{"no tengo %s", "sin %s", "%s: no", "no, ninguna %s", "no quiero %s", "nunca tuve %s", "%s no, por favor", "tampoco %s"},
		yes:    []string{"tengo %s", "%s: sí", "sí, %s", "%s por favor"},
		open:   []string{"quizás %s", "no sin %s", "¿tienen %s?", "no me importa %s"},
	},
	{
		tag:    "fr",
		labels: []string{"animaux", "parking", "allergie", "fauteuil"},
		no:     []string{"je n'ai pas de %s", "sans %s", "%s: non", "non, aucune %s", "je n'ai jamais eu de %s", "aucun %s", "pas de %s", "je n'ai plus aucun %s"},
		yes:    []string{"j'ai %s", "%s: oui", "oui, %s", "%s s'il vous plaît"},
		open:   []string{"peut-être %s", "pas sans %s", "avez-vous %s ?", "pas de problème avec %s"},
	},
}

func TestSaidOfASubject(t *testing.T) {
	for _, set := range booleanFrames {
		for _, label := range set.labels {
			x := New(&config.Agent{Language: set.tag, Params: map[string]*config.Param{"flag": {Name: "flag", Label: strings.ToLower(label), Type: &config.Type{Name: "boolean", Builtin: "boolean"}}}}, nil)
			for want, frames := range map[string][]string{"false": set.no, "true": set.yes, "": set.open} {
				for _, frame := range frames {
					text := fmt.Sprintf(frame, label)
					if got := flagOf(x, text); got != want {
						t.Errorf("%s: %q is %q, want %q", set.tag, text, got, want)
					}
				}
			}
		}
	}
}

// flagOf is the answer that a message gives to the question for the param flag, "" for none.
func flagOf(x *Extractor, text string) string {
	for _, v := range x.Extract(classifier.Input{Text: text, Asked: &classifier.Asked{Param: "flag"}}, nil) {
		if v.Param == "flag" {
			return fmt.Sprint(v.Value)
		}
	}
	return ""
}

func TestSaidOfNothing(t *testing.T) {
	x := New(&config.Agent{Params: map[string]*config.Param{
		"flag":  {Name: "flag", Label: "pets", Type: &config.Type{Name: "boolean", Builtin: "boolean"}},
		"other": {Name: "other", Label: "smoking room", Type: &config.Type{Name: "boolean", Builtin: "boolean"}},
	}}, nil)
	for want, texts := range map[string][]string{
		"false": {"I have none", "never did", "not any more", "no longer", "I'm afraid not", "we haven't got any", "nope, none at all", "no, never"},
		"true":  {"I do", "we have", "yes we do", "well, I have"},
		"":      {"I have no idea", "I have a question", "yes, none", "no smoking room please", "not sure", "I am tired", "I don't know", "we have two weeks", "right now"},
	} {
		for _, text := range texts {
			if got := flagOf(x, text); got != want {
				t.Errorf("%q is %q, want %q", text, got, want)
			}
		}
	}
}
