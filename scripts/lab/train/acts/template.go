package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// fillers holds words by the name of their list.
type fillers map[string][]string

// ofLanguage holds the lists whose words belong to the language and not to a trade: "name!: ...".
var ofLanguage = map[string]bool{}

// readFillers reads lines of "name: word, word". A name may occur several times.
func (l *lang) readFillers() (fillers, error) {
	data, err := files.ReadFile(l.fillers())
	if err != nil {
		return nil, fmt.Errorf("read fillers: %w", err)
	}
	out := fillers{}
	for line := range strings.Lines(string(data)) {
		name, words, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if known, ok := strings.CutSuffix(name, "!"); ok {
			name = known
			ofLanguage[name] = true
		}
		out[name] = append(out[name], strings.Split(words, ", ")...)
	}
	return out, nil
}

// literal returns the words of a template without its fillers.
func literal(template string) string {
	var out strings.Builder
	depth := 0
	for _, r := range template {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		case '(', ')', '|':
			r = ' '
		}
		if depth == 0 && r != '}' {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// template is a phrase cut into fixed words and places that vary.
type template struct {
	parts []part
	worth int // samples
}

// part is a fixed text, or choices in random order that are taken in turn.
type part struct {
	text    string
	choices []string
}

// Number of samples of a template.
const (
	leastSamples = 8
	mostSamples  = 1000
	eachChoice   = 30 // samples for each of the choices of its longest place
	eachFiller   = 60
)

// parse cuts a phrase and shuffles the choices of its places.
func (f fillers) parse(rng *rand.Rand, phrase string) template {
	t := template{worth: leastSamples}
	fillerWorth := 0
	for phrase != "" {
		open := strings.IndexAny(phrase, "({")
		end := -1
		if open >= 0 {
			end = strings.IndexAny(phrase[open:], closing(phrase[open]))
		}
		if end < 0 {
			t.parts = append(t.parts, part{text: phrase})
			break
		}
		t.parts = append(t.parts, part{text: phrase[:open]})
		inner := phrase[open+1 : open+end]
		var choices []string
		if phrase[open] == '{' {
			choices = append(choices, f.list(inner)...)
			fillerWorth += eachFiller
		} else {
			choices = strings.Split(inner, "|")
			t.worth = max(t.worth, eachChoice*len(choices))
		}
		rng.Shuffle(len(choices), func(i, j int) { choices[i], choices[j] = choices[j], choices[i] })
		t.parts = append(t.parts, part{choices: choices})
		phrase = phrase[open+end+1:]
	}
	t.worth = min(t.worth+fillerWorth, mostSamples)
	return t
}

func closing(open byte) string {
	if open == '{' {
		return "}"
	}
	return ")"
}

func (f fillers) list(name string) []string {
	list := f[name]
	if len(list) == 0 {
		panic("no filler is called " + name)
	}
	return list
}

// text returns sample n of a template. All choices of a place occur about equally often.
func (t *template) text(rng *rand.Rand, f fillers, n int) string {
	var out strings.Builder
	for i, p := range t.parts {
		if p.choices == nil {
			out.WriteString(p.text)
			continue
		}
		out.WriteString(f.fill(rng, p.choices[(n+n/len(p.choices)*i)%len(p.choices)]))
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// fill draws one text from a template.
func (f fillers) fill(rng *rand.Rand, template string) string {
	var out strings.Builder
	for i := 0; i < len(template); {
		switch template[i] {
		case '(':
			if end := strings.IndexByte(template[i:], ')'); end > 0 {
				choices := strings.Split(template[i+1:i+end], "|")
				out.WriteString(f.fill(rng, choices[rng.IntN(len(choices))]))
				i += end + 1
				continue
			}
		case '{':
			if end := strings.IndexByte(template[i:], '}'); end > 0 {
				name := template[i+1 : i+end]
				list := f.list(name)
				out.WriteString(f.fill(rng, list[rng.IntN(len(list))]))
				i += end + 1
				continue
			}
		}
		out.WriteByte(template[i])
		i++
	}
	return strings.Join(strings.Fields(out.String()), " ")
}
