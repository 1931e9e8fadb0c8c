// Package labelled reads sentences with their labels: CSV, tab-separated text, or JSON lines. Each label
// becomes an intent that answers with a text; what it shall do is for a person to decide.
package labelled

import (
	"bufio"
	"bytes"
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

// line is a sentence with its label and place.
type line struct {
	text, label string
	at          convert.Place
}

// Read reads a file; its ending or its first line says which format it has.
func Read(name string, data []byte) (*convert.Bot, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%s is not UTF-8", name)
	}
	bot := &convert.Bot{Name: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))}
	read := readTable
	if first := bytes.TrimSpace(data); len(first) > 0 && first[0] == '{' {
		read = readJSON
	}
	list, err := read(bot, name, data)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no sentence with a label", name)
	}
	intents(bot, list)
	return bot, nil
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

func readTable(bot *convert.Bot, name string, data []byte) (list []line, err error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord, r.LazyQuotes = -1, false
	first, _, _ := bytes.Cut(data, []byte("\n"))
	switch {
	case bytes.ContainsRune(first, '\t'):
		r.Comma, r.LazyQuotes = '\t', true
	case !bytes.ContainsRune(first, ',') && bytes.ContainsRune(first, ';'):
		r.Comma = ';'
	}
	header, err := r.Read()
	if err != nil {
		return nil, explain(name, err)
	}
	text, label := column(header, textNames), column(header, labelNames)
	if text < 0 || label < 0 {
		return nil, fmt.Errorf("%s:1: the first line must name the columns: one of %s, and one of %s; it has %q",
			name, strings.Join(textNames, ", "), strings.Join(labelNames, ", "), header)
	}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, explain(name, err)
		}
		number, _ := r.FieldPos(0)
		l := line{at: convert.Place{File: name, Line: number}}
		if max(text, label) < len(record) {
			l.text, l.label = record[text], record[label]
		}
		list = add(bot, list, l)
	}
}

// explain names the line of an error.
func explain(name string, err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return fmt.Errorf("%s:%d: %w", name, parse.Line, parse.Err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

func readJSON(bot *convert.Bot, name string, data []byte) (list []line, err error) {
	scan := bufio.NewScanner(bytes.NewReader(data))
	scan.Buffer(nil, len(data)+1)
	for number := 1; scan.Scan(); number++ {
		if len(bytes.TrimSpace(scan.Bytes())) == 0 {
			continue
		}
		var fields map[string]any
		if err := json.Unmarshal(scan.Bytes(), &fields); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		l := line{at: convert.Place{File: name, Line: number}}
		l.text, l.label = field(fields, textNames), field(fields, labelNames)
		list = add(bot, list, l)
	}
	return list, scan.Err()
}

func field(fields map[string]any, names []string) string {
	for _, name := range names {
		if text, ok := fields[name].(string); ok {
			return text
		}
	}
	return ""
}

// add keeps a line that has a text and a label.
func add(bot *convert.Bot, list []line, l line) []line {
	l.text, l.label = strings.Join(strings.Fields(l.text), " "), strings.TrimSpace(l.label)
	switch {
	case l.text == "" && l.label == "":
		return list
	case l.text == "" || l.label == "":
		bot.Report.Add(l.at, convert.Left, "a line without a text or without a label")
		return list
	case strings.Contains(l.text, "]("):
		bot.Report.Add(l.at, convert.Left, "a text that would be read as a marked value: %s", l.text)
		return list
	}
	return append(list, l)
}

// intents makes an intent of each label, in the order of the file.
func intents(bot *convert.Bot, list []line) {
	byLabel, ids := map[string]*convert.Intent{}, map[string]bool{}
	seen := map[string]string{}
	for _, l := range list {
		in := byLabel[l.label]
		if in == nil {
			id := convert.Snake(l.label)
			for n := 2; ids[id]; n++ {
				id = fmt.Sprintf("%s_%d", convert.Snake(l.label), n)
			}
			ids[id] = true
			in = &convert.Intent{ID: id, Title: convert.Spoken(l.label), AnswerOnly: true, Plan: []*convert.Step{{Respond: id}}}
			in.Open = append(in.Open, bot.Report.Decide(l.at, "say what %s does: the label alone does not tell", id))
			byLabel[l.label] = in
			bot.Intents = append(bot.Intents, in)
			bot.Responses = append(bot.Responses, &convert.Response{ID: id, Texts: []string{"This is about " + in.Title + "."}})
		}
		low := strings.ToLower(l.text)
		switch other, is := seen[low]; {
		case is && other != in.ID:
			bot.Report.Add(l.at, convert.Left, "the text stands for %s already: %s", other, l.text)
			continue
		case is:
			continue
		}
		seen[low] = in.ID
		in.Examples = append(in.Examples, config.Example{Text: l.text})
		bot.Report.Count("examples", 1)
	}
	bot.Report.Count("intents", len(bot.Intents))
}
