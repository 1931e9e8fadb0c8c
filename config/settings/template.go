package settings

import (
	"fmt"
	"strings"

	"github.com/slotway/slotway/config/reference"
)

// templateWidth is the width to which comments of a template are wrapped.
const templateWidth = 100

const templateHead = `# Settings of slotway. Every setting stands here with its meaning. Remove a # to set one.
#
# A commented value is the default, unless its comment says that there is none: then it is an example.
# The environment (SLOTWAY_MEMORY_TTL=2h) and --set memory.ttl=2h win over this file.
# slotway config show lists the settings in force, slotway explain KEY explains one.
`

// Template returns a settings file that has every setting as a comment, with its meaning. It changes
// nothing until somebody removes a #.
func Template() string {
	rows := map[string]row{}
	for _, r := range Default().rows() {
		rows[r.path] = r
	}
	var b strings.Builder
	b.WriteString(templateHead)
	begun := false // the line above begins a group
	for _, e := range Reference().Entries {
		path := strings.TrimPrefix(e.Key, "settings.")
		margin := strings.Repeat("  ", strings.Count(path, "."))
		r, isRow := rows[path]
		if !begun {
			b.WriteByte('\n')
		}
		begun = !isRow
		b.WriteString(reference.Wrap(strings.TrimSpace(e.Meaning+" "+templateFacts(e, r)), margin+"# ", templateWidth) + "\n")
		for _, v := range e.Allowed {
			if v.Meaning != "" {
				b.WriteString(reference.Wrap(v.Value+": "+v.Meaning, margin+"#   ", templateWidth) + "\n")
			}
		}
		if !isRow {
			fmt.Fprintf(&b, "%s%s:\n", margin, e.Last())
			continue
		}
		fmt.Fprintf(&b, "%s# %s: %s\n", margin, e.Last(), templateValue(r, e))
	}
	return b.String()
}

// templateFacts says what the value itself does not show.
func templateFacts(e *reference.Entry, r row) string {
	var facts []string
	meant := false
	names := make([]string, len(e.Allowed))
	for i, v := range e.Allowed {
		names[i], meant = v.Value, meant || v.Meaning != ""
	}
	if len(names) > 0 && !meant {
		facts = append(facts, "Allowed: "+strings.Join(names, ", ")+".")
	}
	if e.Limits != "" {
		facts = append(facts, "Limits: "+e.Limits+".")
	}
	if r.field != nil && e.Default != "" && e.Default != r.plain() {
		facts = append(facts, "Default: "+e.Default+".")
	}
	return strings.Join(facts, " ")
}

// templateValue returns a setting's default as a file has it, or the example if there is none.
func templateValue(r row, e *reference.Entry) string {
	plain := r.plain()
	if plain == "" {
		_, example, _ := strings.Cut(e.Example[strings.LastIndexByte(e.Example, '\n')+1:], ": ")
		return example
	}
	if _, isText := r.field.(*string); isText && !strings.HasPrefix(plain, "http") {
		return strings.TrimSuffix(strings.TrimPrefix(ShowList([]any{plain}), "["), "]")
	}
	return plain
}
