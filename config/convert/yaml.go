package convert

import (
	"encoding/json"
	"strings"

	"github.com/slotway/slotway/config/edit"
)

// yamlFile writes YAML line by line. Each method writes at the current depth.
type yamlFile struct {
	b     strings.Builder
	depth int
	dash  bool // the next line begins an element of a list
}

// line writes a line.
func (y *yamlFile) line(text string) {
	if y.dash {
		y.b.WriteString(strings.Repeat("  ", y.depth-1) + "- " + text + "\n")
		y.dash = false
		return
	}
	y.b.WriteString(strings.Repeat("  ", y.depth) + text + "\n")
}

// gap separates two parts by an empty line.
func (y *yamlFile) gap() { y.b.WriteString("\n") }

// comment writes a comment, wrapped.
func (y *yamlFile) comment(text string) {
	width := 100 - 2*y.depth
	line := "#"
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > width && line != "#" {
			y.b.WriteString(strings.Repeat("  ", y.depth) + line + "\n")
			line = "#"
		}
		line += " " + word
	}
	y.b.WriteString(strings.Repeat("  ", y.depth) + line + "\n")
}

// todo writes what a person must decide.
func (y *yamlFile) todo(list []Open) {
	for _, o := range list {
		y.comment("TODO " + o.Text + " (" + o.At.String() + ")")
	}
}

// under writes a key with what write adds below it.
func (y *yamlFile) under(key string, write func()) {
	y.line(key + ":")
	y.depth++
	write()
	y.depth--
}

// elements writes a key with a list of maps, each with what a person must decide above it.
func (y *yamlFile) elements(key string, n int, each func(i int) (open []Open, write func())) {
	y.line(key + ":")
	for i := range n {
		open, write := each(i)
		y.depth++
		y.todo(open)
		y.depth--
		y.item(write)
	}
}

// item writes an element of a list below a key.
func (y *yamlFile) item(write func()) {
	y.depth += 2
	y.dash = true
	write()
	y.dash = false
	y.depth -= 2
}

// text writes a key with a text; nothing for "".
func (y *yamlFile) text(key, value string) {
	if value != "" {
		y.line(key + ": " + edit.Scalar(value))
	}
}

// flag writes a key that is true.
func (y *yamlFile) flag(key string, value bool) {
	if value {
		y.line(key + ": true")
	}
}

// value writes a key with a JSON value.
func (y *yamlFile) value(key string, value any) error {
	if text, ok := value.(string); ok {
		y.line(key + ": " + edit.Scalar(text))
		return nil
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	y.line(key + ": " + string(data))
	return nil
}

// texts writes a key with a text or a list of texts; nothing for an empty one.
func (y *yamlFile) texts(key string, list []string) {
	switch len(list) {
	case 0:
	case 1:
		y.text(key, list[0])
	default:
		y.under(key, func() { y.list(list) })
	}
}

// list writes the elements of a list.
func (y *yamlFile) list(list []string) {
	for _, text := range list {
		y.line("- " + edit.Scalar(text))
	}
}

// names writes a key with a list in one line; nothing for an empty one.
func (y *yamlFile) names(key string, list []string) {
	if len(list) > 0 {
		y.line(key + ": [" + strings.Join(list, ", ") + "]")
	}
}
