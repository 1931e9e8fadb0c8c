package edit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/source"
)

// maxBytes bounds a file that is changed.
const maxBytes = 16 << 20

// ErrChanged reports that a file changed between Plan and Write.
var ErrChanged = errors.New("the file was changed meanwhile")

// Change is a change of one file that has been checked and not been written.
type Change struct {
	File   string
	Before []byte
	After  []byte
	// Agent is the definition with the change; nil if only Write can tell, because the examples go to
	// a file that the agent names.
	Agent *config.Agent

	path string // of the agent
}

// Plan returns the change that adds examples to an intent of the agent at path. An intent
// not_served.NAME that the file does not have is a new group. Errors name the file and the line, and
// what to do.
func Plan(path, intent string, examples []config.Example) (*Change, error) {
	data, err := source.ReadFile(path, maxBytes)
	if err != nil {
		return nil, fmt.Errorf("read agent: %w", err)
	}
	before, err := config.Parse(path, data, filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	marked := make([]string, len(examples))
	for i, e := range examples {
		if marked[i], err = Marked(e); err != nil {
			return nil, err
		}
	}
	root, _ := source.Parse(path, data)
	n := find(root, intent)
	if from := n.Get("examples_from").Items(); len(from) > 0 && n.Get("examples") == nil {
		return planExternal(path, filepath.Join(before.Dir, from[len(from)-1].Text()), intent, examples, marked)
	}
	t := newText(data)
	switch name, group := strings.CutPrefix(intent, notServedPrefix); {
	case n != nil:
		err = t.add(n, marked)
	case group && naming.IsName(name):
		err = t.addGroup(root, name, marked)
	default:
		err = unknown(path, intent, before)
	}
	if err != nil {
		return nil, err
	}
	c := &Change{File: path, Before: data, After: []byte(t.String()), path: path}
	if c.Agent, err = config.Parse(path, c.After, filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("with the new examples the file would be invalid, so nothing is written: %w", err)
	}
	return c, c.check(root, before, intent, examples)
}

// unknown is the error for an intent that the file lacks.
func unknown(path, intent string, agent *config.Agent) error {
	var ids []string
	for _, in := range slices.Concat(agent.Intents, agent.NotServed) {
		ids = append(ids, in.ID)
	}
	return fmt.Errorf("%s has no intent %q: %s", path, intent, naming.Suggest(intent, ids))
}

// check fails unless the change adds the examples and nothing else.
func (c *Change) check(was *source.Node, before *config.Agent, intent string, examples []config.Example) error {
	now, problems := source.Parse(c.File, c.After)
	if len(problems) > 0 {
		return problems.Err()
	}
	if !reflect.DeepEqual(without(was, intent), without(now, intent)) {
		return fmt.Errorf("%s: the file is written in a way that this program cannot extend safely, so nothing is written; add the examples of %s by hand", c.File, intent)
	}
	return gained(before, c.Agent, intent, examples)
}

// gained fails unless an intent has the examples in addition to those it had.
func gained(before, after *config.Agent, intent string, examples []config.Example) error {
	var had []config.Example
	if in := before.Intent(intent); in != nil {
		had = in.Examples
	}
	var has []config.Example
	if in := after.Intent(intent); in != nil {
		has = in.Examples
	}
	want := append(texts(had), texts(examples)...)
	got := texts(has)
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		return fmt.Errorf("the examples of %s would not be what they should be, so nothing is written; add them by hand", intent)
	}
	return nil
}

// texts returns the examples as they are marked.
func texts(list []config.Example) []string {
	out := make([]string, len(list))
	for i, e := range list {
		marked, err := Marked(e)
		if err != nil {
			marked = e.Text
		}
		out[i] = marked
	}
	return out
}

// without returns a file's content without the examples of an intent; a new group that is not served
// is left out whole.
func without(root *source.Node, intent string) any {
	v, _ := root.Value().(map[string]any)
	strip := func(key, id string) {
		list, _ := v[key].([]any)
		for i, item := range list {
			if in, ok := item.(map[string]any); ok && root.Get(key).Items()[i].Get(id).Text() == strings.TrimPrefix(intent, notServedPrefix) {
				delete(in, "examples")
			}
		}
	}
	strip("intents", "id")
	strip("not_served", "name")
	if in, ok := v["system"].(map[string]any); ok {
		if one, ok := in[intent].(map[string]any); ok {
			delete(one, "examples")
		}
	}
	return grouped(v, intent)
}

// grouped leaves out a group that has nothing but its name and its examples.
func grouped(v map[string]any, intent string) any {
	name, ok := strings.CutPrefix(intent, notServedPrefix)
	list, _ := v["not_served"].([]any)
	if !ok || list == nil {
		return v
	}
	list = slices.DeleteFunc(slices.Clone(list), func(item any) bool {
		in, _ := item.(map[string]any)
		return len(in) == 1 && fmt.Sprint(in["name"]) == name
	})
	if v["not_served"] = list; len(list) == 0 {
		delete(v, "not_served")
	}
	return v
}

// Write replaces the file, and reads the agent again. If the agent is invalid then, which a change of
// another of its files may cause, the file is put back.
func (c *Change) Write() (*config.Agent, error) {
	now, err := source.ReadFile(c.File, maxBytes)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", c.File, err)
	}
	if !bytes.Equal(now, c.Before) {
		return nil, fmt.Errorf("%s: %w; try again", c.File, ErrChanged)
	}
	if err := replace(c.File, c.After); err != nil {
		return nil, err
	}
	agent, err := config.Load(c.path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("with the new examples the agent is invalid, so they are taken out again: %w", err), replace(c.File, c.Before))
	}
	return agent, nil
}

func replace(path string, data []byte) error {
	err := durable.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
