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
	r := &reader{
		bot: &convert.Bot{Name: convert.Base(filepath.ToSlash(name)), Language: opts.Language}, name: name, opts: opts,
		first: map[string]convert.Place{}, lines: map[string][]config.Example{}, seen: map[string]string{},
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	var err error
	switch {
	case !utf8.Valid(data):
		return nil, fmt.Errorf("%s is not UTF-8", name)
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

// names are those under which a sentence and its label stand: the one that was given, else the usual ones.
func names(given string, usual []string) []string {
	if given != "" {
		return []string{strings.ToLower(given)}
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
	for i, name := range header {
		header[i] = strings.ToLower(strings.TrimSpace(name))
	}
	has := func(name string) bool { return slices.Contains(header, name) }
	texts, labels := names(r.opts.Text, textNames), names(r.opts.Label, labelNames)
	text, label := slices.IndexFunc(texts, has), slices.IndexFunc(labels, has)
	if text < 0 || label < 0 {
		return fmt.Errorf("%s:1: the first line must name the columns: one of %s, and one of %s; it has %q; name others with --text and --label",
			r.name, strings.Join(texts, ", "), strings.Join(labels, ", "), header)
	}
	r.opts.Text, r.opts.Label = texts[text], labels[label]
	for name := range r.opts.Where {
		if !has(strings.ToLower(name)) {
			return fmt.Errorf("%s:1: --where names the column %s; the columns are %q", r.name, name, header)
		}
	}
	for _, name := range header {
		if _, used := r.opts.Where[name]; !used && name != r.opts.Text && name != r.opts.Label {
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
		fields := map[string]any{}
		for i, value := range record[:min(len(record), len(header))] {
			fields[header[i]] = value
		}
		number, _ := table.FieldPos(0)
		r.add(fields, nil, number)
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
		var fields map[string]any
		var marks struct{ Slots []mark }
		switch {
		case len(bytes.TrimSpace(line)) == 0:
		case json.Unmarshal(line, &fields) != nil:
			r.bad++
		default:
			_ = json.Unmarshal(line, &marks) // what other programs have under this name is no mark
			low := map[string]any{}
			for name, value := range fields {
				low[strings.ToLower(name)] = value
			}
			r.add(low, marks.Slots, number)
		}
	}
}

// add keeps a sentence that has a label and the wanted values, once.
func (r *reader) add(fields map[string]any, marks []mark, number int) {
	at := convert.Place{File: r.name, Line: number}
	field := func(names ...string) string {
		for _, name := range names {
			if text, ok := fields[name].(string); ok {
				return text
			}
		}
		return ""
	}
	for name, value := range r.opts.Where {
		if !strings.EqualFold(strings.TrimSpace(field(strings.ToLower(name))), value) {
			return
		}
	}
	text, label := field(names(r.opts.Text, textNames)...), convert.OneLine(field(names(r.opts.Label, labelNames)...))
	e := r.example(text, marks, at)
	if e.Text == "" || label == "" {
		r.none++
		return
	}
	if asked := field("asked"); asked != "" {
		e.Asked = convert.Snake(asked)
	}
	key := e.Asked + "\x00" + strings.ToLower(e.Text)
	if other, is := r.seen[key]; is {
		if other != label {
			r.bot.Report.Add(at, convert.Lost, "the text stands for %s already: %s", other, e.Text)
		}
		return
	}
	r.seen[key] = label
	if _, known := r.first[label]; !known {
		r.first[label] = at
		r.labels = append(r.labels, label)
	}
	r.lines[label] = append(r.lines[label], e)
}

// example makes an example of a text with its marks.
func (r *reader) example(text string, marks []mark, at convert.Place) config.Example {
	runes, end := []rune(text), 0
	var parts []convert.Part
	slices.SortFunc(marks, func(a, b mark) int { return cmp.Compare(a.Start, b.Start) })
	for _, m := range marks {
		if m.Name == "" || m.Start < end || m.End <= m.Start || m.End > len(runes) {
			r.bot.Report.Add(at, convert.Lost, "a mark that lies outside of its text: %s", m.Name)
			continue
		}
		marked := string(runes[m.Start:m.End])
		if m.Value == marked {
			m.Value = ""
		}
		parts = append(parts, convert.Part{Text: string(runes[end:m.Start])}, convert.Part{Text: marked, Param: convert.Snake(m.Name), Value: m.Value})
		end = m.End
	}
	return convert.Sentence(append(parts, convert.Part{Text: string(runes[end:])}))
}
