package main

import (
	"hash/fnv"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/slotway/slotway/classifier/message"
)

// most bounds the words of a message that are read.
const most = 60

// words of a message or a question, with those that have a figure as one word.
type words []string

func wordsOf(text string) words {
	all := message.WordsOf(text)
	if len(all) > most {
		all = all[:most]
	}
	out := make(words, len(all))
	for i, w := range all {
		out[i] = message.Bare(w)
		if strings.ContainsFunc(w, unicode.IsDigit) {
			out[i] = figure
		}
	}
	return out
}

// Words that stand for others.
const (
	figure   = "#" // with a figure in it
	echoed   = "@" // of the question
	open     = "~" // of some trade, not of talk
	optional = "%" // of an option
	begin    = "^"
	end      = "$"
)

// features collects hashes.
type features struct {
	kind string // of the question
	into []uint64
}

// add adds a feature, by itself and with the kind of the question.
func (f *features) add(parts ...string) {
	h := fnv.New64a()
	for _, p := range parts {
		io.WriteString(h, p) // never fails
		h.Write([]byte{0})
	}
	alone := h.Sum64()
	io.WriteString(h, f.kind)
	f.into = append(f.into, alone, h.Sum64())
}

// read collects the features of a message that comes while a question is open.
func (f *features) read(q *question, text string, clauses []message.Clause, talk map[string]bool) {
	kind := q.kind
	if q.write {
		kind += "!"
	}
	f.kind = kind
	said, asked := wordsOf(text), wordsOf(q.text)
	f.add("kind")
	f.add("type", q.typed)
	f.runs("w", said)
	f.runs("m", mask(said, asked, q.options, talk))
	f.letters(said)
	f.frame(said, text)
	f.shared(said, asked, talk)
	f.acts(clauses)
}

// runs adds words and runs of them.
func (f *features) runs(name string, said words) {
	at := func(i int) string {
		switch {
		case i < 0:
			return begin
		case i >= len(said):
			return end
		}
		return said[i]
	}
	for i := range len(said) + 1 {
		w := at(i)
		f.add(name, w)
		f.add(name+"2", at(i-1), w)
		if i > 0 {
			f.add(name+"3", at(i-2), at(i-1), w)
			f.add(name+"skip", at(i-2), w)
		}
	}
	if len(said) <= 4 {
		f.add(name+"all", strings.Join(said, " "))
	}
}

// mask replaces the words of the question and of the options, so that what is learned of one trade holds
// for another: "cancel it" to "Cancel O-1?" is "@ it".
func mask(said, asked words, options []string, talk map[string]bool) words {
	known := map[string]string{}
	for _, o := range options {
		for _, w := range wordsOf(o) {
			known[w] = optional
		}
	}
	for _, w := range asked {
		if telling(w) {
			known[w] = echoed
		}
	}
	out := make(words, len(said))
	for i, w := range said {
		out[i] = w
		if k := known[w]; k != "" {
			out[i] = k
		} else if !talk[w] && w != figure {
			out[i] = open
		}
	}
	return out
}

// letters adds the beginnings of words, so that a misspelt word is near its own.
func (f *features) letters(said words) {
	for _, w := range said {
		if len(w) > 4 {
			f.add("stem", w[:4])
		}
		if short := squeeze(w); short != w {
			f.add("w", short)
		}
	}
}

// squeeze removes letters that are drawn out: "yesss".
func squeeze(w string) string {
	var b strings.Builder
	var last rune
	for _, r := range w {
		if r != last {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// frame adds how a message begins, ends and how long it is.
func (f *features) frame(said words, text string) {
	length := len(said)
	for _, step := range []int{20, 12, 8, 5} {
		if length > step {
			length = step
		}
	}
	f.add("length", strconv.Itoa(length))
	if len(said) > 0 {
		f.add("first", said[0])
		f.add("last", said[len(said)-1])
	}
	for _, sign := range []string{"?", "!", ",", "...", "\"", ":", "\n"} {
		if strings.Contains(text, sign) {
			f.add("sign", sign)
		}
	}
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, "?") {
		f.add("asks", said.at(0))
	}
	for _, r := range text {
		if unicode.IsSymbol(r) {
			f.add("symbol", string(r))
		}
	}
}

func (w words) at(i int) string {
	if i < len(w) {
		return w[i]
	}
	return end
}

// shared adds what share of the message is words of the question.
func (f *features) shared(said, asked words, talk map[string]bool) {
	in := map[string]bool{}
	for _, w := range asked {
		in[w] = true
	}
	both, own, opens := 0, 0, 0
	for _, w := range said {
		switch {
		case in[w]:
			both++
		case w == figure, !talk[w]:
			opens++
		case telling(w):
			own++
		}
	}
	f.add("opens", strconv.Itoa(min(opens, 4)))
	f.add("opens", strconv.Itoa(min(opens, 3)), strconv.Itoa(min(own, 3)))
	f.add("both", strconv.Itoa(min(both, 3)), strconv.Itoa(min(own, 3)))
	f.add("own", strconv.Itoa(min(own, 5)))
}

// acts adds what the clauses do, as package acts reads them without the question.
func (f *features) acts(clauses []message.Clause) {
	for i := range clauses {
		where := "middle"
		switch i {
		case 0:
			where = "first"
		case len(clauses) - 1:
			where = "last"
		}
		for a := range message.NumActs {
			p := clauses[i].Acts[a]
			if p < 0.2 {
				continue
			}
			level := strconv.Itoa(int(p * 4))
			f.add("act", a.String(), level)
			f.add("act"+where, a.String(), level)
		}
	}
	f.add("clauses", strconv.Itoa(min(len(clauses), 4)))
}

// telling reports whether a word says what a question is about. Short words stand in most questions.
func telling(w string) bool { return len(w) > 3 }
