package settings

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/slotway/slotway/config/reference"
)

//go:embed reference.yaml
var referenceYAML []byte

const settingsIntro = "How the program runs. A setting comes from the defaults, `slotway.yaml` (or `--config FILE`), the environment and `--set KEY=VALUE`, " +
	"each of which wins over the ones before. `slotway config show` lists every setting with its value and source, `slotway config init` writes a file with all of them.\n\n" +
	"The variable of a setting is its key in capitals with `SLOTWAY_` in front and `_` for each dot: `SLOTWAY_MEMORY_TTL=2h`. A list is `[a, b]`."

// Reference explains every setting.
var Reference = sync.OnceValue(func() *reference.Area {
	texts := reference.MustTexts("config/settings/reference.yaml", referenceYAML)
	a := &reference.Area{Name: "settings", Title: "Settings", Intro: settingsIntro}
	rows := map[string]row{}
	for _, r := range Default().rows() {
		rows[r.path] = r
	}
	// Groups stand in front of their settings, in the order of the table.
	for _, key := range withGroups(Default().rows()) {
		e := texts.Fill("settings", "settings.", key)
		if r, ok := rows[key]; ok {
			r.facts(e)
		} else {
			e.Type, e.Example = "map", key+"."+e.Example
		}
		e.Example = inFile(e.Example)
		a.Entries = append(a.Entries, e)
	}
	return a
})

// withGroups lists the paths of the rows, each behind the groups that it begins.
func withGroups(rows []row) []string {
	var out []string
	for _, r := range rows {
		for i, c := range r.path {
			if group := r.path[:i]; c == '.' && !slices.Contains(out, group) {
				out = append(out, group)
			}
		}
		out = append(out, r.path)
	}
	return out
}

// inFile returns KEY.KEY: VALUE as a settings file has it.
func inFile(dotted string) string {
	path, value, _ := strings.Cut(dotted, ": ")
	var b strings.Builder
	keys := strings.Split(path, ".")
	for i, key := range keys {
		b.WriteString(strings.Repeat("  ", i) + key + ":")
		if i+1 < len(keys) {
			b.WriteByte('\n')
		}
	}
	return b.String() + " " + value
}

// facts adds what the table knows about a setting.
func (r row) facts(e *reference.Entry) {
	e.Example = r.path + ": " + e.Example
	if e.Type == "" {
		e.Type = r.kind()
	}
	if value := r.plain(); e.Default == "" && value != "" {
		e.Default = value
	}
	if len(e.Allowed) == 0 {
		for _, v := range r.oneOf {
			if v != "" {
				e.Allowed = append(e.Allowed, reference.Value{Value: v})
			}
		}
	}
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	switch {
	case r.max > 0:
		e.Limits = number(r.min) + " to " + number(r.max)
	case r.min > 0:
		e.Limits = "at least " + number(r.min)
	}
	e.Also = append(e.Also, reference.Fact{Name: "Variable", Text: envName(r.path)})
	for _, s := range shortNames {
		if s.path == r.path {
			e.Also = append(e.Also, reference.Fact{Name: "Short", Text: s.name})
		}
	}
}

// plain returns the field as text that set reads.
func (r row) plain() string {
	switch v := r.show().(type) {
	case []any:
		return ShowList(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case nil:
		return ""
	default:
		return fmt.Sprint(v)
	}
}

// kind names the type of a setting's values.
func (r row) kind() string {
	switch r.field.(type) {
	case *[]string:
		return "list of texts"
	case *bool:
		return "true or false"
	case *int:
		return "whole number"
	case *float64:
		return "number"
	case *time.Duration:
		return "duration, such as 90s, 10m, 1h30m or 30d"
	case *Size:
		return "size, such as 64KiB or 10MB"
	case *Rate:
		return "rate, such as 20/s or 600/m"
	}
	switch {
	case r.home:
		return "path, in which ~ is the home folder"
	case strings.HasSuffix(r.path, "_env"):
		return "name of a variable"
	case strings.HasSuffix(r.path, "url") || strings.HasSuffix(r.path, "endpoint"):
		return "URL"
	}
	return "text"
}
