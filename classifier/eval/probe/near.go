package probe

import (
	"cmp"
	_ "embed"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// mostNear is how many requests Near makes, unless the agent has hardly a word.
const mostNear = 300

//go:embed words.txt
var wordTable string

// Near are requests made of the agent's own words that it does not serve: another verb with a
// thing of its own, a verb of its own with another thing, and a verb and a thing of its own that
// no example has together. The kinds take turns; where there are few pairs they are put in another
// form again.
func Near(agent *config.Agent) []Request {
	n := &nearMaker{own: readOwn(agent), examples: exampleStems(agent), made: map[string]bool{}, words: table(wordTable)}
	kinds := [][]pair{n.otherVerbs(), n.otherThings(), n.strangePairs()}
	var out []Request
	for round := range n.words["forms"] {
		for at := range max(len(kinds[0]), len(kinds[1]), len(kinds[2])) {
			for _, pairs := range kinds {
				if len(out) == mostNear {
					return out
				}
				if at >= len(pairs) {
					continue
				}
				if r, ok := n.put(pairs[at], at+3*round); ok {
					out = append(out, r)
				}
			}
		}
	}
	return out
}

// nearMaker makes the requests of one agent.
type nearMaker struct {
	own      *ownWords
	examples [][]string
	words    map[string][]string // by the name of their list
	made     map[string]bool
}

// pair is a verb and the thing that it is said with; own is the agent's word among them.
type pair struct{ verb, thing, own string }

// otherVerbs are pairs of the agent's things with verbs that it has none like.
func (n *nearMaker) otherVerbs() []pair {
	var out []pair
	verbs := n.words["others"]
	for i := range verbs {
		for j, thing := range n.own.things {
			verb := verbs[(i+j)%len(verbs)] // each thing begins with another
			if !n.served(verb, thing) {
				out = append(out, pair{verb, thing, thing})
			}
		}
	}
	return out
}

// otherThings are pairs of the agent's verbs with things of which it has no word.
func (n *nearMaker) otherThings() []pair {
	var out []pair
	things := n.words["things"]
	for i := range things {
		for j, verb := range n.own.verbs {
			thing := things[(i+j)%len(things)]
			if !slices.ContainsFunc(stems(thing), func(s string) bool { return n.own.knows[s] }) {
				out = append(out, pair{verb, thing, verb})
			}
		}
	}
	return out
}

// strangePairs are the agent's verbs with its things where no example has both.
func (n *nearMaker) strangePairs() []pair {
	var out []pair
	for i := range n.own.things {
		for j, verb := range n.own.verbs {
			thing := n.own.things[(i+j)%len(n.own.things)]
			if !n.served(verb, thing) {
				out = append(out, pair{verb, thing, thing})
			}
		}
	}
	return out
}

// served reports whether an example has a thing with a verb, or with one that may mean the same.
func (n *nearMaker) served(verb, thing string) bool {
	like := []string{message.StemOf(verb)}
	for _, family := range n.words["families"] {
		if words := stems(family); slices.Contains(words, message.StemOf(verb)) {
			like = append(like, words...)
		}
	}
	things := stems(thing)
	return slices.ContainsFunc(n.examples, func(e []string) bool {
		return slices.ContainsFunc(things, func(s string) bool { return slices.Contains(e, s) }) &&
			slices.ContainsFunc(like, func(s string) bool { return slices.Contains(e, s) })
	})
}

// put words a pair in one of the forms; ok is false for what is served or there already.
func (n *nearMaker) put(p pair, form int) (r Request, ok bool) {
	if slices.ContainsFunc(stems(p.thing), func(s string) bool { return s == message.StemOf(p.verb) }) {
		return Request{}, false
	}
	forms := n.words["forms"]
	said := forms[form%len(forms)]
	switch {
	case strings.HasSuffix(p.thing, "s"): // several, most likely
		said = strings.NewReplacer(" a {", " the {", " this {", " these {").Replace(said)
	case strings.ContainsAny(p.thing[:1], "aeio"):
		said = strings.Replace(said, " a {", " an {", 1)
	}
	text := strings.NewReplacer("{v}", p.verb, "{n}", p.thing).Replace(said)
	fresh := !n.made[text] && !serves(n.examples, stems(text))
	n.made[text] = true
	return Request{text, p.own}, fresh
}

// table reads the lists of a file: lines of a list by themselves where they are forms or
// families, else what stands between commas.
func table(text string) map[string][]string {
	out := map[string][]string{}
	var name string
	for _, line := range lines(text) {
		if head, ok := strings.CutPrefix(line, "= "); ok {
			name = head
			continue
		}
		if name == "forms" || name == "families" {
			out[name] = append(out[name], line)
			continue
		}
		out[name] = append(out[name], split(line)...)
	}
	return out
}

// ownWords holds the words of the examples and titles of an agent's tasks.
type ownWords struct {
	verbs, things []string // the most frequent first
	knows         map[string]bool
}

// mostOwn is how many words of a kind are used.
const mostOwn = 16

// readOwn finds the words in the examples and titles of an agent's tasks.
func readOwn(agent *config.Agent) *ownWords {
	c := counter{verbs: map[string]int{}, things: map[string]int{}, pairs: map[string]int{}, knows: map[string]bool{}}
	for _, in := range agent.Intents {
		for _, e := range in.Examples {
			c.read(bare(e))
		}
		if !in.AnswerOnly {
			c.read(in.Called())
			if words := tokens(in.Called()); len(words) > 1 && names(words[0]) {
				c.verbs[words[0]]++
			}
		}
	}
	for _, both := range slices.Sorted(maps.Keys(c.pairs)) { // "gym membership", and no "card stolen"
		first, second, _ := strings.Cut(both, " ")
		if n := c.pairs[both]; 2*n > c.things[first] && (n > 1 || c.things[second] > 0) {
			c.things[both] = n
			delete(c.things, first)
		}
	}
	for v := range c.verbs {
		delete(c.things, v)
	}
	return &ownWords{verbs: frequent(c.verbs), things: frequent(c.things), knows: c.knows}
}

// counter counts words: things behind an article or "my", also with the word behind them, and verbs
// that ask for a thing.
type counter struct {
	verbs, things, pairs map[string]int
	knows                map[string]bool // stems of all words that are no function words
}

func (c *counter) read(text string) {
	words := tokens(text)
	for i, w := range words {
		if w != "" && !linear.Function(w) {
			c.knows[message.StemOf(w)] = true
		}
		if !articles[w] || i+1 >= len(words) || !names(words[i+1]) {
			continue
		}
		c.things[words[i+1]]++
		if i+2 < len(words) && names(words[i+2]) {
			c.pairs[words[i+1]+" "+words[i+2]]++
		}
		at := i - 1
		for at >= 0 && articles[words[at]] {
			at-- // "set a new pin"
		}
		if at >= 0 && names(words[at]) && (at == 0 || words[at-1] == "" || asking[words[at-1]]) {
			c.verbs[words[at]]++
		}
	}
}

// articles stand before a thing, and asking before the verb of a request.
var (
	articles = set("a an the my our this your new another")
	asking   = set("to please you lets and can")
)

func set(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// names reports whether a word names something.
func names(w string) bool { return len(w) > 2 && !linear.Function(w) && !articles[w] && !adjectives[w] }

// adjectives stand between an article and its thing, and are none.
var adjectives = set("first last next second old same current wrong different whole little bit lot few own right best theres heres")

// frequent are the words that are said most; of equals the first by name.
func frequent(counts map[string]int) []string {
	words := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return words[:min(len(words), mostOwn)]
}
