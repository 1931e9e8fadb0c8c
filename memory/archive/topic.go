package archive

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

const (
	maxTopics = 6
	maxPhrase = 3 // words
)

// everyday holds stems that occur everywhere. They are no topic by themselves but may be part of
// one.
var everyday = func() map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(`
	want need like know think say tell ask get give take make go come see look find help please thank sorry good great
	nice sure fine right really thing something anything way time today tomorrow yesterday day week lot bit still also
	would could maybe let back use try work start keep new well already just yet much many one two three hi hey welcome
	possible possibly check mean happen got put set call feel ever never always sound love actual actually
	`) {
		if s := stemOf(w); s != "" {
			set[s] = true
		}
	}
	return set
}()

// phrase is a candidate for a topic.
type phrase struct {
	text  string
	stems []string
	count int
	first int
	score float64
}

// topics returns the phrases that distinguish a range from the user's other documents: runs of
// words without stop words, weighted by frequency and rarity.
func topics(said []sentence, rare rarity) []string {
	found := map[string]*phrase{}
	for i := range said {
		for _, run := range runs(said[i].text) {
			note(found, run, len(found))
		}
	}
	all := make([]*phrase, 0, len(found))
	for _, p := range found {
		for _, s := range p.stems {
			if !everyday[s] {
				p.score += rare(s)
			}
		}
		// Two words together say more than each, but less than both.
		p.score *= float64(p.count) / (1 + .4*float64(len(p.stems)-1))
		if p.count > 1 || len(p.stems) < maxPhrase { // three words that occur together once do so by chance
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b *phrase) int {
		return cmp.Or(cmp.Compare(b.score, a.score), len(b.stems)-len(a.stems), a.first-b.first)
	})
	var out []string
	var told [][]string
	for _, p := range all {
		if len(out) == maxTopics || p.score <= 0 {
			break
		}
		if slices.ContainsFunc(told, func(t []string) bool { return within(t, p.stems) || within(p.stems, t) }) {
			continue
		}
		told = append(told, p.stems)
		out = append(out, p.text)
	}
	return out
}

// word is one word of a run.
type word struct{ text, stem string }

// runs returns the parts of a sentence between stop words and punctuation.
func runs(text string) [][]word {
	var out [][]word
	var run []word
	flush := func() {
		if len(run) > 0 {
			out = append(out, run)
		}
		run = nil
	}
	for field := range strings.FieldsSeq(text) {
		core := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if !strings.HasPrefix(field, core) {
			flush()
		}
		stem := stemOf(core)
		if stem == "" || len(core) > 40 || !strings.ContainsFunc(core, unicode.IsLetter) {
			flush()
			continue
		}
		run = append(run, word{strings.TrimSuffix(core, "'s"), stem})
		if !strings.HasSuffix(field, core) {
			flush()
		}
	}
	flush()
	return out
}

// note counts the phrases of a run that neither begin nor end with an everyday word.
func note(found map[string]*phrase, run []word, at int) {
	for i := range run {
		for n := 1; n <= maxPhrase && i+n <= len(run); n++ {
			part := run[i : i+n]
			if everyday[part[0].stem] || everyday[part[n-1].stem] {
				continue
			}
			stems, texts := make([]string, n), make([]string, n)
			for k, w := range part {
				stems[k], texts[k] = w.stem, w.text
			}
			name := strings.Join(stems, " ")
			if found[name] == nil {
				found[name] = &phrase{text: strings.ToLower(strings.Join(texts, " ")), stems: stems, first: at}
			}
			found[name].count++
		}
	}
}

// within reports whether every stem of a is among those of b.
func within(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}
