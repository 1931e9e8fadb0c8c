package archive

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/memory"
)

const (
	maxTopics, maxPhrase = 6, 3 // topics, and words of one
	maxEntities, maxName = 12, 4
	maxDates             = 12
)

var (
	emailPattern = pattern.Must(`[\pL\d._%+-]+@[\pL\d-]+(?:\.[\pL\d-]+)+`)
	idPattern    = pattern.Must(`\b[A-Z]{1,6}-?\d{2,}[A-Z0-9]*(?:-[A-Z0-9]+)*\b|#\d{2,}\b`)

	// Stems that occur everywhere are no topic by themselves; days and months are no names.
	everyday, calendar = stems("everyday"), stems("calendar")
)

// word is one word of a run.
type word struct {
	text, stem string
	begins     bool // the sentence
}

// named reports whether a word is capitalised and no day or month.
func (w word) named() bool {
	r, size := utf8.DecodeRuneInString(w.text)
	return unicode.IsUpper(r) && len(w.text) > size && !calendar[w.stem] && !strings.ContainsAny(w.text, "'’")
}

// runs returns the parts of a sentence between stop words and punctuation.
func runs(text string) [][]word {
	var out [][]word
	var run []word
	end := func() {
		if len(run) > 0 {
			out = append(out, run)
		}
		run = nil
	}
	for i, field := range strings.Fields(text) {
		core := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if !strings.HasPrefix(field, core) {
			end()
		}
		stem := stemOf(core)
		if stem == "" || len(core) > 40 || !strings.ContainsFunc(core, unicode.IsLetter) {
			end()
			continue
		}
		run = append(run, word{strings.TrimSuffix(strings.TrimSuffix(core, "'s"), "’s"), stem, i == 0})
		if !strings.HasSuffix(field, core) {
			end()
		}
	}
	end()
	return out
}

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
	var all []*phrase
	for _, p := range found {
		for _, s := range p.stems {
			if !everyday[s] {
				p.score += rare(s)
			}
		}
		// Two words together say more than each, but less than both.
		p.score *= float64(p.count) / (1 + .4*float64(len(p.stems)-1))
		if p.score > 0 && (p.count > 1 || len(p.stems) < maxPhrase) { // three words that occur together once do so by chance
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b *phrase) int {
		return cmp.Or(cmp.Compare(b.score, a.score), len(b.stems)-len(a.stems), a.first-b.first)
	})
	var out []string
	var told [][]string
	for _, p := range all {
		if len(out) == maxTopics {
			break
		}
		if !slices.ContainsFunc(told, func(t []string) bool { return within(t, p.stems) || within(p.stems, t) }) {
			told, out = append(told, p.stems), append(out, p.text)
		}
	}
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
				stems[k], texts[k] = w.stem, strings.ToLower(w.text)
			}
			name := strings.Join(stems, " ")
			if found[name] == nil {
				found[name] = &phrase{text: strings.Join(texts, " "), stems: stems, first: at}
			}
			found[name].count++
		}
	}
}

// within reports whether every element of a is in b.
func within(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}

// names returns the runs of capitalised words in a sentence, and those that are sure: a single word
// at its beginning is not.
func names(text string) (all, sure []string) {
	for _, run := range runs(text) {
		for len(run) > 0 {
			n := 0
			var words []string
			for n < min(len(run), maxName) && run[n].named() {
				words = append(words, run[n].text)
				n++
			}
			if name := strings.Join(words, " "); n > 0 {
				all = append(all, name)
				if n > 1 || !run[0].begins {
					sure = append(sure, name)
				}
			}
			run = run[max(n, 1):]
		}
	}
	return all, sure
}

// entities returns the names and ids of a range, the most frequent first. A word that only begins
// sentences is no name. Bare numbers are left out, which may be those of cards and accounts, and
// addresses.
func entities(said []sentence) []string {
	counts, known := map[string]int{}, map[string]bool{}
	var order, unsure []string
	add := func(name string) {
		if counts[name]++; counts[name] == 1 {
			order = append(order, name)
		}
	}
	for i := range said {
		text := emailPattern.ReplaceAllString(said[i].text, ",")
		text = idPattern.ReplaceAllStringFunc(text, func(id string) string { add(id); return "," })
		all, sure := names(text)
		for _, name := range all {
			if slices.Contains(sure, name) {
				add(name)
				known[name] = true
			} else {
				unsure = append(unsure, name)
			}
		}
	}
	for _, name := range unsure {
		if known[name] {
			add(name)
		}
	}
	for _, name := range order { // a name counts for the only longer one that has it: Ada for Ada Lovelace
		longer := slices.DeleteFunc(slices.Clone(order), func(o string) bool { return o == name || !slices.Contains(strings.Fields(o), name) })
		if len(longer) == 1 {
			counts[longer[0]] += counts[name]
			counts[name] = 0
		}
	}
	order = slices.DeleteFunc(order, func(name string) bool { return counts[name] == 0 })
	slices.SortStableFunc(order, func(a, b string) int { return counts[b] - counts[a] })
	return order[:min(len(order), maxEntities)]
}

// dates returns the days among facts, in order. A day without a year is in the year of its message.
func dates(facts []memory.Fact) []string {
	var out []string
	for _, f := range facts {
		if f.Key != "date" {
			continue
		}
		words := strings.FieldsFunc(strings.ReplaceAll(f.Value, " of ", " "), func(r rune) bool { return strings.ContainsRune(" ,.", r) })
		for i, w := range words {
			if unicode.IsLetter(rune(w[0])) {
				words[i] = w[:min(3, len(w))] // of a month
			} else {
				words[i] = strings.TrimRight(w, "stndrh")
			}
		}
		if len(words) == 2 {
			words = append(words, f.ValidFrom.Format("2006"))
		}
		for _, layout := range [...]string{time.DateOnly, "2 Jan 2006", "Jan 2 2006"} {
			if day, err := time.Parse(layout, strings.Join(words, " ")); err == nil {
				out = append(out, day.Format(time.DateOnly))
			}
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), maxDates)]
}
