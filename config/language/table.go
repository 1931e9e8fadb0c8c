package language

import (
	"fmt"
	"slices"
	"strings"
)

// Table is a file of named lists.
//
//	# a remark
//	## yes_bars
//	no not never
//	## whole_yes
//	why not, by all means
//
// Spaces separate the words of a list; commas or line breaks separate phrases.
type Table map[string]string

// Lists reads a table from the folder of a tag's language; an empty one if the language has no such
// file.
func Lists(tag, file string) Table {
	data, ok := Read(tag, file)
	if !ok {
		return Table{}
	}
	t, err := ParseLists(string(data))
	if err != nil {
		panic(fmt.Sprintf("%s/%s: %v", Base(tag), file, err)) // embedded; a test reads them all
	}
	return t
}

// ParseLists parses a table.
func ParseLists(text string) (Table, error) {
	t := Table{}
	name, at := "", 0
	for line := range strings.Lines(text) {
		at++
		line = strings.TrimSpace(line)
		title, isTitle := strings.CutPrefix(line, "## ")
		switch {
		case isTitle:
			if _, twice := t[title]; twice {
				return nil, fmt.Errorf("line %d: list %q is here twice: join the two", at, title)
			}
			name, t[title] = title, ""
		case line == "" || strings.HasPrefix(line, "#"):
		case name == "":
			return nil, fmt.Errorf("line %d: %q belongs to no list: write \"## name\" above it", at, line)
		default:
			t[name] += line + "\n"
		}
	}
	return t, nil
}

// Words returns the words of a list.
func (t Table) Words(name string) []string { return strings.Fields(t[name]) }

// Phrases returns the phrases of a list.
func (t Table) Phrases(name string) []string {
	var out []string
	for line := range strings.Lines(t[name]) {
		for phrase := range strings.SplitSeq(line, ", ") {
			if phrase = strings.Trim(phrase, " ,\n"); phrase != "" {
				out = append(out, phrase)
			}
		}
	}
	return out
}

// Set returns the words of a list, which the table must have.
func (t Table) Set(name string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(t.of(name)) {
		set[w] = true
	}
	return set
}

// All returns the phrases of a list, which the table must have.
func (t Table) All(name string) []string {
	t.of(name)
	return t.Phrases(name)
}

// of returns a list that code names: without it the program is wrong.
func (t Table) of(name string) string {
	list, ok := t[name]
	if !ok {
		panic(fmt.Sprintf("language: no list %q", name))
	}
	return list
}

// Names returns the names of the lists, sorted.
func (t Table) Names() []string {
	var names []string
	for name := range t {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
