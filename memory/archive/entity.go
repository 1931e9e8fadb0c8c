package archive

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/config/pattern"
)

const maxEntities = 12

var (
	emailPattern = pattern.Must(`[\pL\d._%+-]+@[\pL\d-]+(?:\.[\pL\d-]+)+`)
	idPattern    = pattern.Must(`\b[A-Z]{1,6}-?\d{2,}[A-Z0-9]*(?:-[A-Z0-9]+)*\b|#\d{2,}\b`)
)

// entity is a named thing.
type entity struct {
	name         string
	count, first int
}

// entities returns the names and ids of a range, the most frequent first. E-mail addresses are
// masked. Bare numbers are left out: they may be card or account numbers.
func entities(said []sentence) []string {
	found := map[string]*entity{}
	add := func(name string) {
		if found[name] == nil {
			found[name] = &entity{name: name, first: len(found)}
		}
		found[name].count++
	}
	inside := namesInside(said)
	for i := range said {
		text := said[i].text
		text = emailPattern.ReplaceAllStringFunc(text, func(s string) string { add(mask(s)); return "," })
		text = idPattern.ReplaceAllStringFunc(text, func(s string) string { add(s); return "," })
		for _, name := range names(text, inside) {
			add(name)
		}
	}
	all := make([]*entity, 0, len(found))
	for _, e := range found {
		if whole := fullName(found, e.name); whole != nil {
			whole.count += e.count
			continue
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *entity) int { return cmp.Or(b.count-a.count, a.first-b.first) })
	var out []string
	for _, e := range all[:min(len(all), maxEntities)] {
		out = append(out, e.name)
	}
	return out
}

// fullName returns the only longer name that contains a word: Ada Lovelace for Ada. It returns nil
// if there are several.
func fullName(found map[string]*entity, word string) *entity {
	var whole *entity
	for name, e := range found {
		if name != word && slices.Contains(strings.Fields(name), word) {
			if whole != nil {
				return nil
			}
			whole = e
		}
	}
	return whole
}

// masking replaces the hidden part of an address.
const masking = "***"

// mask keeps the first letter and the domain of an e-mail address.
func mask(mail string) string {
	at := strings.LastIndexByte(mail, '@')
	_, size := utf8.DecodeRuneInString(mail)
	return mail[:size] + masking + mail[at:]
}

// months holds months and weekdays, which are capitalised but are no names.
var months = map[string]bool{
	"january": true, "february": true, "march": true, "april": true, "may": true, "june": true, "july": true,
	"august": true, "september": true, "october": true, "november": true, "december": true, "monday": true,
	"tuesday": true, "wednesday": true, "thursday": true, "friday": true, "saturday": true, "sunday": true,
}

// names returns the runs of capitalised words. A capitalised first word of a sentence counts if it
// is also capitalised within a sentence, or if another capitalised word follows.
func names(text string, inside map[string]bool) []string {
	var out, run []string
	begins := false // the run is at the beginning of the sentence
	flush := func() {
		if begins && len(run) > 0 && len(run) < 2 && !inside[run[0]] {
			run = nil
		}
		if len(run) > 0 {
			out = append(out, strings.Join(run, " "))
		}
		run, begins = nil, false
	}
	for i, field := range strings.Fields(text) {
		core := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if !strings.HasPrefix(field, core) {
			flush()
		}
		core = strings.TrimSuffix(strings.TrimSuffix(core, "'s"), "’s")
		if !nameWord(core) {
			flush()
			continue
		}
		begins = begins || i == 0
		if run = append(run, core); !strings.HasSuffix(field, core) || len(run) == 4 {
			flush()
		}
	}
	flush()
	return out
}

// nameWord reports whether a word is capitalised and no stop word, day or month.
func nameWord(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	lower := strings.ToLower(w)
	return unicode.IsUpper(r) && utf8.RuneCountInString(w) > 1 && !months[lower] && stemOf(lower) != "" && !strings.ContainsAny(w, "'’")
}

// namesInside returns the words that are capitalised within a sentence.
func namesInside(said []sentence) map[string]bool {
	out := map[string]bool{}
	for i := range said {
		for n, field := range strings.Fields(said[i].text) {
			core := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			if n > 0 && nameWord(core) {
				out[core] = true
			}
		}
	}
	return out
}
