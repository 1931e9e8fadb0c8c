package language

import (
	"fmt"
	"slices"
	"strings"
)

// Table is a file of lists by name.
//
//	# a remark
//	## yes_bars
//	no not never
//	## whole_yes
//	why not, by all means
//
// A list of words has spaces between them; a list of phrases has commas, or one a line.
type Table map[string]string

// Lists reads a table of lists out of the folder of a tag's language; an empty one where the
// language has no such file.
func Lists(tag, file string) Table {
	data, ok := Read(tag, file)
	if !ok {
		return Table{}
	}
	t, err := ParseLists(string(data))
	if err != nil {
		panic(fmt.Sprintf("%s/%s: %v", Base(tag), file, err)) // the files are built in; a test reads them all
	}
	return t
}

// ParseLists reads a table of lists.
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
				return nil, fmt.Errorf("line %d: list %q stands here twice: join the two", at, title)
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

// Words are the words of a list.
func (t Table) Words(name string) []string { return strings.Fields(t[name]) }

// Phrases are the phrases of a list.
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

// Names are the names of the lists, in order.
func (t Table) Names() []string {
	var names []string
	for name := range t {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
