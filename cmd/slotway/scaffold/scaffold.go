// Package scaffold writes the files of a new agent from an embedded template.
//
// A template is a folder of templates; the folder common belongs to all of them. [Write] joins the
// two: a file that both folders have begins with the template's own text. A name that starts with
// "dot_" is written with a dot, since Go embeds no hidden files and the project's own tools would
// obey a .gitignore.
package scaffold

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/naming"
)

//go:embed all:templates
var embedded embed.FS

const (
	root   = "templates"
	common = "common" // the folder with the files of every template
)

// SchemaFile is the JSON Schema that the first line of a new agent.yaml names.
const SchemaFile = "agent.schema.json"

// Template is a kind of agent that Write can begin.
type Template struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
}

// templates lists the templates in the order in which a newcomer should look at them.
var templates = []Template{
	{"minimal", "a library: one task that looks something up, and one that changes it after a yes"},
	{"order-support", "a shop: where is my order, cancel it, return it; choose between several; SQLite"},
	{"appointments", "a dental practice: dates, times, two dentists of one kind, reschedule, cancel; SQLite"},
	{"it-helpdesk", "a help desk: reset a password, tickets, outages, handoff; HTTP tools and their backend in Go"},
	{"faq", "answers: fixed ones, a search in your documents, and a handoff with the question"},
}

// Default is the template that is meant when nobody names one.
const Default = "minimal"

// List returns the templates.
func List() []Template { return slices.Clone(templates) }

// File is one file of a new agent.
type File struct {
	Path string `json:"path"` // below the agent's folder, with slashes
	Kept bool   `json:"kept"` // it was there already, and was left as it is
}

// NotEmptyError is returned for a folder that has files already.
type NotEmptyError struct{ Dir string }

// Error implements error.
func (e *NotEmptyError) Error() string {
	return fmt.Sprintf("%s has files already: name an empty folder, or add what is missing with --force (no file is overwritten)", e.Dir)
}

// Write writes the files of a template below dir, which it makes where it is missing. A folder with
// files is refused unless force is set; then the files that exist are kept. An empty Git repository
// counts as an empty folder.
func Write(dir, template string, force bool) ([]File, error) {
	texts, err := contents(template)
	if err != nil {
		return nil, err
	}
	if err := makeEmpty(dir, force); err != nil {
		return nil, err
	}
	var files []File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		kept, err := writeNew(filepath.Join(dir, filepath.FromSlash(name)), texts[name])
		if err != nil {
			return files, err
		}
		files = append(files, File{Path: name, Kept: kept})
	}
	return files, nil
}

// contents returns the text of each file of a template by its path.
func contents(template string) (map[string][]byte, error) {
	var names []string
	for _, t := range templates {
		names = append(names, t.Name)
	}
	if !slices.Contains(names, template) {
		return nil, naming.Unknown("template", template, names)
	}
	texts := map[string][]byte{SchemaFile: config.SchemaJSON()}
	for _, folder := range []string{template, common} {
		if err := collect(path.Join(root, folder), texts); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// collect adds the files below a folder of the embedded ones to texts.
func collect(folder string, texts map[string][]byte) error {
	return fs.WalkDir(embedded, folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := embedded.ReadFile(name)
		if err != nil {
			return err
		}
		target := strings.ReplaceAll("/"+strings.TrimPrefix(name, folder+"/"), "/dot_", "/.")[1:]
		texts[target] = append(texts[target], text...)
		return nil
	})
}

// makeEmpty makes a folder, or checks that it may be written to.
func makeEmpty(dir string, force bool) error {
	entries, err := os.ReadDir(dir)
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return e.Name() == ".git" })
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return os.MkdirAll(dir, 0o755)
	case err != nil:
		return err
	case len(entries) > 0 && !force:
		return &NotEmptyError{Dir: dir}
	}
	return nil
}

// writeNew writes a file unless it exists.
func writeNew(name string, text []byte) (kept bool, err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return false, err
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = file.Write(text)
	return false, err
}
