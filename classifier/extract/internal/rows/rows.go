package rows

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/language"
)

// A row of a grammar is a pattern and what is built of it:
//
//	<which> <weekday>                => weekday
//	um|gegen ^ <hour> uhr? <minute>? => clock
//
// A pattern is words, "|" between those that stand for each other, and names in <>: of a class
// of words, of another grammar or of a reader (readers). "?" behind an item makes it optional,
// "_" before it wants it to touch what stands before, "^" begins the span, and "$" wants the
// phrase to end. What only has to be there is no part of the match: "~" wants an item to end
// there, "&" to begin there, "%" that something is looked for or asked (conditions); "!" behind
// these marks denies it.
type row struct {
	items []item
	build string
	args  []string

	builder builder
}

type item struct {
	words    []string // literal
	name     string   // of a class, a grammar or a reader
	class    bool     // the name is that of a class
	reader   func(s reader, i int) (meaning, int)
	grammar  *grammar
	place    func(s reader, i int) bool // what "&" wants
	id       int                        // of what reads it, for the memo
	glued    bool
	optional bool
	mark     byte // one of ^ $ ~ & %, 0 for what reads tokens
	denied   bool // by "!"
}

// grammar is the rows that read one thing, by the words that they may begin with.
type grammar struct {
	id      int
	name    string
	rows    []row
	byWord  map[string][]int
	byCount []int // those that may begin with a number or a sign
	byAny   []int // those that may begin with any word
	starts  []start
}

// start is a row that begins with another grammar: it may begin with what that one may begin with.
type start struct {
	row int
	of  *grammar
}

func (t *Language) readRows(lists language.Table) error {
	for _, name := range lists.Names() {
		if t.Classes[name] != nil {
			return fmt.Errorf("list %s: a list of values.txt has that name: name one of them otherwise", name)
		}
		g := &grammar{id: len(t.grammar), name: name, byWord: map[string][]int{}}
		for line := range strings.Lines(lists[name]) {
			r, err := readRow(strings.TrimSpace(line))
			if err != nil {
				return fmt.Errorf("list %s: %w", name, err)
			}
			g.rows = append(g.rows, r)
		}
		if t.grammar[name] = g; g.id >= 64*len(grammars{}) {
			return fmt.Errorf("list %s: there are more than %d lists", name, 64*len(grammars{}))
		}
	}
	for name, g := range t.grammar {
		for k := range g.rows {
			if err := t.index(g, k); err != nil {
				return fmt.Errorf("list %s: %w", name, err)
			}
		}
	}
	for more := true; more; {
		more = false
		for _, g := range t.grammar {
			for _, s := range g.starts {
				more = g.beginsAs(s) || more
			}
		}
	}
	for _, g := range t.grammar {
		for w, rows := range g.byWord {
			slices.Sort(rows) // of equal readings the first counts
			t.begins[w] = t.begins[w].with(g.id)
		}
		if len(g.byCount) > 0 {
			t.counts = t.counts.with(g.id)
		}
		if len(g.byAny) > 0 {
			t.always = t.always.with(g.id)
		}
	}
	return nil
}

// grammars is a set of grammars by their ids.
type grammars [2]uint64

func (b grammars) with(id int) grammars {
	b[id/64] |= 1 << (id % 64)
	return b
}

func (b grammars) and(c grammars) grammars { return grammars{b[0] | c[0], b[1] | c[1]} }

func (b grammars) has(id int) bool { return b[id/64]&(1<<(id%64)) != 0 }

// beginsAs adds what another grammar may begin with to the row that begins with it; it reports
// whether that was something new.
func (g *grammar) beginsAs(s start) (more bool) {
	for w := range s.of.byWord {
		if !slices.Contains(g.byWord[w], s.row) {
			g.add(w, s.row)
			more = true
		}
	}
	if len(s.of.byCount) > 0 && !slices.Contains(g.byCount, s.row) {
		g.byCount, more = append(g.byCount, s.row), true
	}
	if len(s.of.byAny) > 0 && !slices.Contains(g.byAny, s.row) {
		g.byAny, more = append(g.byAny, s.row), true
	}
	return more
}

func readRow(line string) (row, error) {
	pattern, build, ok := strings.Cut(line, "=>")
	built := strings.Fields(build)
	if !ok || len(built) == 0 {
		return row{}, fmt.Errorf("%q: write PATTERN => BUILD", line)
	}
	builder, known := builders[built[0]]
	if !known {
		return row{}, fmt.Errorf("%q: nothing is built by %q", line, built[0])
	}
	r := row{build: built[0], args: built[1:], builder: builder}
	for f := range strings.FieldsSeq(pattern) {
		it := item{}
		if f == "^" || f == "$" {
			r.items = append(r.items, item{mark: f[0]})
			continue
		}
		if strings.IndexByte("~&%", f[0]) >= 0 && len(f) > 1 && f != "%" {
			it.mark = f[0]
			f, it.denied = strings.CutPrefix(f[1:], "!")
			if f == "$" {
				it.mark = '$'
				r.items = append(r.items, it)
				continue
			}
		}
		if it.mark == '%' {
			if it.name = f; conditions[f] == nil {
				return row{}, fmt.Errorf("%q: there is no condition %%%s", line, f)
			}
			r.items = append(r.items, it)
			continue
		}
		f, it.glued = strings.CutPrefix(f, "_")
		f, it.optional = strings.CutSuffix(f, "?")
		if name, ok := strings.CutPrefix(f, "<"); ok {
			it.name = strings.TrimSuffix(name, ">")
		} else {
			for w := range strings.SplitSeq(f, "|") {
				it.words = append(it.words, message.Spellings(w)...)
			}
		}
		r.items = append(r.items, it)
	}
	if err := builder.check(&r); err != nil {
		return row{}, fmt.Errorf("%q: %w", line, err)
	}
	return r, nil
}

// index notes what a row may begin with, and checks its names.
func (t *Language) index(g *grammar, k int) error {
	begins := true
	for at := range g.rows[k].items {
		it := &g.rows[k].items[at]
		if it.mark == '%' {
			continue
		}
		if it.place = places[it.name]; it.place != nil && it.mark == '&' {
			continue
		}
		terms := t.Classes[it.name]
		it.class, it.reader, it.grammar = terms != nil, readers[it.name], t.grammar[it.name]
		if it.reader != nil {
			it.id = len(t.grammar) + slices.Index(readerNames, it.name)
		}
		if it.name != "" && !it.class && it.reader == nil && it.grammar == nil {
			return fmt.Errorf("<%s> is no class of values.txt, no list of rows and no reader", it.name)
		}
		if !begins || it.mark != 0 {
			continue
		}
		for _, w := range it.words {
			g.add(w, k)
		}
		for _, e := range terms {
			g.add(e.Words[0], k)
		}
		switch {
		case message.Mendable[it.name] && !t.Coded: // a misspelt word may be any
			g.byAny = appendNew(g.byAny, k)
		case it.reader != nil:
			g.byCount = appendNew(g.byCount, k)
		case it.grammar != nil && terms == nil:
			g.starts = append(g.starts, start{k, it.grammar})
		}
		begins = it.optional
	}
	return nil
}

func (g *grammar) add(w string, k int) { g.byWord[w] = appendNew(g.byWord[w], k) }

func appendNew(list []int, k int) []int {
	if slices.Contains(list, k) {
		return list
	}
	return append(list, k)
}
