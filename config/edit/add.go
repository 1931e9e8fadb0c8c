package edit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/source"
)

// maxBytes bounds a file that is changed.
const maxBytes = 16 << 20

// notServedPrefix begins the ids of the groups under `not_served`.
const notServedPrefix = "not_served."

// Add adds examples of an intent to the agent at path: to the last file that its key `examples_from` names,
// or to a new one beside it, which the agent's file then names in a line of its own. An intent
// not_served.NAME that the agent does not have is a new group. It returns the file of the examples and the
// agent with them. If that fails, or the agent would be invalid, the files are as they were.
func Add(path, intent string, examples []config.Example) (file string, agent *config.Agent, err error) {
	data, err := source.ReadFile(path, maxBytes)
	if err != nil {
		return "", nil, fmt.Errorf("read agent: %w", err)
	}
	before, err := config.Parse(path, data, filepath.Dir(path))
	if err != nil {
		return "", nil, err
	}
	if name, group := strings.CutPrefix(intent, notServedPrefix); before.Intent(intent) == nil && (!group || !naming.IsName(name)) {
		return "", nil, unknown(path, intent, before)
	}
	for _, e := range examples {
		if _, err := Marked(e); err != nil {
			return "", nil, err
		}
	}
	rel, named := "", data
	root, _ := source.Parse(path, data)
	if from := root.Get("examples_from").Items(); len(from) > 0 {
		rel = from[len(from)-1].Text()
	} else {
		rel = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) + ".examples.jsonl"
		named = fmt.Appendf(slices.Clip(bytes.TrimRight(data, "\r\n")), "\n\nexamples_from: [%q]\n", rel)
		if now, problems := source.Parse(path, named); len(problems) > 0 || !now.Has("examples_from") {
			return "", nil, fmt.Errorf("%s has no keys on lines of their own; write examples_from: [%q] into it, and create that file", path, rel)
		}
	}
	file = filepath.Join(before.Dir, rel)
	had, err := source.ReadFile(file, maxBytes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", nil, fmt.Errorf("read the examples: %w", err)
	}
	lines := bytes.NewBuffer(bytes.Clone(had))
	if len(had) > 0 && had[len(had)-1] != '\n' {
		lines.WriteByte('\n')
	}
	if err := config.WriteExamples(lines, intent, examples); err != nil {
		return "", nil, fmt.Errorf("write the examples: %w", err)
	}
	isNew := !bytes.Equal(named, data) // the agent does not name the file yet
	err = replace(file, lines.Bytes())
	if err == nil && isNew {
		err = replace(path, named)
	}
	if err == nil {
		if agent, err = config.Load(path); err == nil {
			return file, agent, nil
		}
		err = fmt.Errorf("with the new examples the agent would be invalid, so nothing is written: %w", err)
	}
	if isNew {
		err = errors.Join(err, replace(path, data))
	}
	return "", nil, errors.Join(err, replace(file, had))
}

// unknown is the error for an intent that the file lacks.
func unknown(path, intent string, agent *config.Agent) error {
	var ids []string
	for _, in := range slices.Concat(agent.Intents, agent.NotServed) {
		ids = append(ids, in.ID)
	}
	return fmt.Errorf("%s has no intent %q: %s", path, intent, naming.Suggest(intent, ids))
}

// replace writes a file whole; nil: it removes the file.
func replace(path string, data []byte) error {
	if data == nil {
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	err := durable.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
