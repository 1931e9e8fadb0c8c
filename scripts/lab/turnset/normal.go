package turnset

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Normal returns commands in the one form in which a reader's and a file's are compared: hands and
// readers say the same thing in several ways.
func Normal(t *Turn, commands []Command) []Command {
	var out []Command
	for _, c := range commands {
		c.Text = ""
		for _, n := range t.normal(c) {
			if said := slices.ContainsFunc(out, func(o Command) bool { return t.Same(o, n) }); !said || n.Do == Add {
				out = append(out, n)
			}
		}
	}
	return t.startAfter(out)
}

func (t *Turn) normal(c Command) []Command {
	open := t.State.Open
	switch {
	case c.Do == Start && t.State.OpenKind() == AskOffer && open.Task == c.Task, c.Do == Human && t.State.OpenKind() == AskOffer && open.Task == Human:
		return []Command{{Do: Yes}} // what was offered
	case c.Do == Start && t.State.Task == c.Task:
		return nil // it is under way
	case c.Do == Ask && t.readOnly(c.About):
		return []Command{{Do: Start, Task: c.About}} // a task that only reads is asked by beginning it
	case c.Do == Help:
		return []Command{{Do: Ask, About: AboutHelp}}
	case c.Do == Set && t.State.OpenKind() == AskChoice && c.Param == open.Param:
		if option := t.option(c.Value); option != "" {
			return []Command{{Do: Choose, Option: option}}
		}
	}
	p := t.Sketch.Param(c.Param)
	if p != nil && c.Do == Set && t.State.Known[c.Param] != nil && sameValue(*p, c.Value, t.State.Known[c.Param]) {
		return nil // it is known: hands write it or leave it out, and a task may take it over
	}
	if p == nil || p.Type.Name != "list" {
		return []Command{c}
	}
	switch c.Do {
	case Set:
		return listChanges(*p, asList(t.State.Known[c.Param]), asList(c.Value))
	case Add, Remove:
		var each []Command
		for _, v := range asList(c.Value) {
			each = append(each, Command{Do: c.Do, Param: c.Param, Value: v})
		}
		return each
	}
	return []Command{c}
}

func (t *Turn) readOnly(id string) bool {
	task := t.Sketch.Task(id)
	return task != nil && !task.Writes
}

// option returns the option of the open choice that a value is, "" if it is none.
func (t *Turn) option(v any) string {
	p := t.Sketch.Param(t.State.Open.Param)
	for _, option := range t.State.Open.Options {
		if p != nil && sameValue(*p, v, option) {
			return option
		}
	}
	return ""
}

// startAfter adds the start of the task that has just ended to a change of its values: hands write
// it with a start or without.
func (t *Turn) startAfter(commands []Command) []Command {
	if t.State.Last == nil || t.State.Task != "" || slices.ContainsFunc(commands, func(c Command) bool { return c.Do == Start || c.Do == Undo }) {
		return commands
	}
	last := t.Sketch.Task(t.State.Last.Task)
	if slices.ContainsFunc(commands, func(c Command) bool { return (c.Do == Set || c.Do == Add) && last.Param(c.Param) != nil }) {
		return append([]Command{{Do: Start, Task: last.ID}}, commands...)
	}
	return commands
}

// Same reports whether two commands of a turn in their normal form say the same.
func (t *Turn) Same(a, b Command) bool {
	if a.Do != b.Do || a.Task != b.Task || a.Param != b.Param || a.Option != b.Option || a.About != b.About {
		return false
	}
	p := t.Sketch.Param(a.Param)
	if p == nil || a.Do == Correct {
		return true
	}
	if p.Type.Name == "list" {
		return sameElement(*p, a.Value, b.Value)
	}
	return sameValue(*p, a.Value, b.Value)
}

// Hits reports whether a command is one that must never be understood.
func (t *Turn) Hits(f Forbidden, c Command) bool {
	want := Command{Do: f.Do, Task: f.Task, Param: f.Param, Option: f.Option, About: f.About, Value: f.Value}
	if f.Do != c.Do || differs(want.Task, c.Task) || differs(want.Param, c.Param) || differs(want.Option, c.Option) || differs(want.About, c.About) {
		return false
	}
	if f.AnyValue {
		return true
	}
	want.Task, want.Param, want.Option, want.About = c.Task, c.Param, c.Option, c.About
	return t.Same(want, c)
}

func differs(want, got string) bool { return want != "" && want != got }

func asList(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// sameValue reports whether two values of a param are the same, in the form of a file or of the
// program.
func sameValue(p Param, a, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if p.Type.Name == "list" {
		x, y := asList(a), asList(b)
		return len(x) == len(y) && len(without(p, x, y)) == 0
	}
	return sameElement(p, a, b)
}

// sameElement is sameValue for one element of a list.
func sameElement(p Param, a, b any) bool {
	x, y := plainValue(a), plainValue(b)
	if x == y {
		return true
	}
	switch p.Type.Name {
	case "integer", "number", "boolean":
		return false
	case "code", "id":
		return letters(x) == letters(y)
	case "phone":
		return samePhone(x, y)
	case "duration":
		return inSeconds(x) == inSeconds(y)
	case "datetime":
		return toMinute(x) == toMinute(y)
	}
	return folded(x) == folded(y)
}

// plainValue writes a value as text.
func plainValue(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	data, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(data)
}

// folded is a text without what does not change its meaning: case, marks at its ends, and spaces.
func folded(s string) string {
	s = strings.NewReplacer("’", "'", "“", `"`, "”", `"`).Replace(strings.ToLower(s))
	return strings.Trim(strings.Join(strings.Fields(s), " "), ` .,;:!?"'`)
}

// letters is a code without what separates its parts.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// leastDigits is the fewest digits by which two phone numbers are the same without their prefixes.
const leastDigits = 6

// samePhone reports whether two phone numbers are the same, with or without the country.
func samePhone(a, b string) bool {
	x, y := strings.TrimLeft(letters(a), "0"), strings.TrimLeft(letters(b), "0")
	if len(x) < len(y) {
		x, y = y, x
	}
	return len(y) >= leastDigits && strings.HasSuffix(x, y)
}

var durationForm = regexp.MustCompile(`^P(?:([\d.]+)Y)?(?:([\d.]+)M)?(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$`)

// inSeconds is the length of a duration: P2W is P14D. A text that is none is -1.
func inSeconds(s string) float64 {
	parts := durationForm.FindStringSubmatch(s)
	if parts == nil {
		return -1
	}
	total := 0.0
	for i, unit := range []float64{31536000, 2592000, 604800, 86400, 3600, 60, 1} {
		if n, err := strconv.ParseFloat(parts[i+1], 64); err == nil {
			total += n * unit
		}
	}
	return total
}

// toMinute is a date and time without its seconds.
func toMinute(s string) string {
	return s[:min(len(s), len("2026-11-26T10:00"))]
}
