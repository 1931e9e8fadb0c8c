// Package labelled reads sentences with their labels: CSV, tab-separated text, or JSON lines, which may have
// marked values. Each label becomes an intent that answers with a text; what it shall do is for a person to
// decide.
package labelled

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
)

// The names that columns and fields may have.
var (
	textNames  = []string{"text", "utterance", "message", "query", "sentence", "instruction", "question", "example"}
	labelNames = []string{"label", "intent", "category", "class", "tag", "intent_name"}
)

// Options say how to read a file. The zero value reads the usual names, in English.
type Options struct {
	Text, Label string            // names of the columns
	Language    string            // BCP 47
	Where       map[string]string // values that columns must have, such as split: train
}

// reader collects the sentences of a file.
type reader struct {
	bot    *convert.Bot
	name   string
	opts   Options
	labels []string // in the order of the file
	first  map[string]convert.Place
	lines  map[string][]config.Example
	seen   map[string]string // label by sentence
	bad    int               // lines that could not be read
	none   int               // lines without a text or a label
}

// Read reads a file; its first line says which format it has. Lines that cannot be read are counted.
func Read(name string, data []byte, opts Options) (*convert.Bot, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%s is not UTF-8", name)
	}
	r := &reader{
		bot: &convert.Bot{Name: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), Language: opts.Language}, name: name, opts: opts,
		first: map[string]convert.Place{}, lines: map[string][]config.Example{}, seen: map[string]string{},
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	var err error
	switch {
	case len(first) == 0:
		return nil, fmt.Errorf("%s is empty", name)
	case first[0] == '[' || first[0] == '{' && !json.Valid(first):
		return nil, fmt.Errorf("%s:1: this is one JSON value: write JSON lines, each an object such as {\"text\": \"where is my order\", \"intent\": \"track\"}", name)
	case first[0] == '{':
		r.json(data)
	default:
		err = r.table(data, first)
	}
	if err != nil {
		return nil, err
	}
	if len(r.labels) == 0 {
		return nil, fmt.Errorf("%s has no sentence with a label", name)
	}
	at := convert.Place{File: name}
	if r.bad > 0 {
		r.bot.Report.Add(at, convert.Unread, "lines that could not be read: %d", r.bad)
	}
	if r.none > 0 {
		r.bot.Report.Add(at, convert.Lost, "lines without a text or a label: %d", r.none)
	}
	for _, label := range r.labels {
		r.bot.Stub(label, r.first[label], r.lines[label])
	}
	r.bot.Finish()
	return r.bot, nil
}

// column returns the place of the first of the names among fields, or -1.
func column(fields, names []string) int {
	for _, name := range names {
		if i := slices.IndexFunc(fields, func(f string) bool { return strings.EqualFold(strings.TrimSpace(f), name) }); i >= 0 {
			return i
		}
	}
	return -1
}

// named returns the names to look for: the one that was given, else the usual ones.
func named(given string, usual []string) []string {
	if given != "" {
		return []string{given}
	}
	return usual
}

func (r *reader) table(data, first []byte) error {
	table := csv.NewReader(bytes.NewReader(data))
	table.FieldsPerRecord = -1
	switch {
	case bytes.ContainsRune(first, '\t'):
		table.Comma, table.LazyQuotes = '\t', true
	case !bytes.ContainsRune(first, ',') && bytes.ContainsRune(first, ';'):
		table.Comma = ';'
	}
	header, err := table.Read()
	if err != nil {
		return fmt.Errorf("%s:1: %w", r.name, err)
	}
	texts, labels := named(r.opts.Text, textNames), named(r.opts.Label, labelNames)
	text, label := column(header, texts), column(header, labels)
	if text < 0 || label < 0 {
		return fmt.Errorf("%s:1: the first line must name the columns: one of %s, and one of %s; it has %q; name others with --text and --label",
			r.name, strings.Join(texts, ", "), strings.Join(labels, ", "), header)
	}
	where := map[int]string{}
	for name, value := range r.opts.Where {
		at := column(header, []string{name})
		if at < 0 {
			return fmt.Errorf("%s:1: --where names the column %s; the columns are %q", r.name, name, header)
		}
		where[at] = value
	}
	for i, name := range header {
		if _, used := where[i]; !used && i != text && i != label {
			r.bot.Report.Add(convert.Place{File: r.name, Line: 1}, convert.Left, "the column %s: all its lines are read; --where %s=VALUE takes some", name, name)
		}
	}
	for {
		record, err := table.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			r.bad++
			continue
		}
		field := func(i int) string {
			if i < len(record) {
				return record[i]
			}
			return ""
		}
		wanted := true
		for at, value := range where {
			wanted = wanted && strings.EqualFold(strings.TrimSpace(field(at)), value)
		}
		if number, _ := table.FieldPos(0); wanted {
			r.add(field(label), config.Example{Text: field(text)}, number)
		}
	}
}

// mark is a marked value of a JSON line.
type mark struct {
	Name, Value string
	Start, End  int
}

// json reads JSON lines, with marked values as `slotway export lines` writes them.
func (r *reader) json(data []byte) {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var fields map[string]any
		var marks struct {
			Asked string
			Slots []mark
		}
		if json.Unmarshal(line, &fields) != nil {
			r.bad++
			continue
		}
		_ = json.Unmarshal(line, &marks) // what other programs have under these names is no mark
		field := func(names []string) string {
			for _, name := range names {
				if text, ok := fields[name].(string); ok {
					return text
				}
			}
			return ""
		}
		wanted := true
		for name, value := range r.opts.Where {
			wanted = wanted && strings.EqualFold(field([]string{name}), value)
		}
		if !wanted {
			continue
		}
		text := field(named(r.opts.Text, textNames))
		runes, end := []rune(text), 0
		var parts []convert.Part
		slices.SortFunc(marks.Slots, func(a, b mark) int { return cmp.Compare(a.Start, b.Start) })
		for _, mark := range marks.Slots {
			if mark.Name == "" || mark.Start < end || mark.End <= mark.Start || mark.End > len(runes) {
				r.bot.Report.Add(convert.Place{File: r.name, Line: number}, convert.Lost, "a mark that lies outside of its text: %s", mark.Name)
				continue
			}
			value := mark.Value
			if value == string(runes[mark.Start:mark.End]) {
				value = ""
			}
			parts = append(parts, convert.Part{Text: string(runes[end:mark.Start])},
				convert.Part{Text: string(runes[mark.Start:mark.End]), Param: convert.Snake(mark.Name), Value: value})
			end = mark.End
		}
		example := convert.Sentence(append(parts, convert.Part{Text: string(runes[end:])}))
		if marks.Asked != "" {
			example.Asked = convert.Snake(marks.Asked)
		}
		r.add(field(named(r.opts.Label, labelNames)), example, number)
	}
}

// add keeps a sentence that has a label, once.
func (r *reader) add(label string, e config.Example, number int) {
	at := convert.Place{File: r.name, Line: number}
	if e.Text, label = convert.OneLine(e.Text), convert.OneLine(label); e.Text == "" || label == "" {
		r.none++
		return
	}
	if strings.Contains(e.Text, "](") {
		r.bot.Report.Add(at, convert.Lost, "a text that would be read as a marked value: %s", e.Text)
		return
	}
	key := e.Asked + "\x00" + strings.ToLower(e.Text)
	switch other, is := r.seen[key]; {
	case is && other != label:
		r.bot.Report.Add(at, convert.Lost, "the text stands for %s already: %s", other, e.Text)
		return
	case is:
		return
	}
	r.seen[key] = label
	if _, known := r.first[label]; !known {
		r.first[label] = at
		r.labels = append(r.labels, label)
	}
	r.lines[label] = append(r.lines[label], e)
}
