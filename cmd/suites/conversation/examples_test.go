package conversation

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/tools"
)

// TestEveryExampleIsWhatItSays: every example of every agent in the repository, as a first message,
// begins its own task or gets its answer, and fills the params that are marked in it. Each task
// asks for one more param, so that it does not end with the message.
func TestEveryExampleIsWhatItSays(t *testing.T) {
	var c tally
	agents := allAgents(t)
	t.Run("agents", func(t *testing.T) {
		for _, path := range sampled(slices.Sorted(maps.Keys(agents))) {
			def := agents[path]
			t.Run(path, func(t *testing.T) {
				t.Parallel()
				s := &stage{name: strings.TrimSuffix(filepath.Base(path), ".yaml"), def: def}
				scripted := map[string]tools.Tool{}
				for name := range def.Tools {
					scripted[name] = runtimetest.ToolFunc(func(tools.Call) any { return true })
				}
				if err := s.wire(t.TempDir(), scripted); err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = s.app.Close() })
				for _, in := range def.Intents {
					for _, e := range sampled(in.Examples) {
						if !in.System && in.After == nil && e.Asked == "" {
							s.exemplified(&c, in, e)
						}
					}
				}
			})
		}
	})
	c.held(t, map[string]int{ // they may only fall
		"not extracted, declared type": 2,
	})
}

// exemplified says an example.
func (s *stage) exemplified(c *tally, in *config.Intent, e config.Example) {
	c.try()
	reply, err := s.say(s.fresh(), e.Text)
	switch {
	case err != nil:
		c.add("ERROR", "%s: %q: %v", s.name, e.Text, err)
		return
	case s.writes(&reply) > 0:
		c.add("WRITE", "%s: %q: %q", s.name, e.Text, reply.Reply)
	case reply.Intent != in.ID && slices.Contains([]string{"", s.def.Classifier.Fallback}, reply.Intent):
		c.add("begins nothing", "%s: %q, of %s: %q", s.name, e.Text, in.ID, reply.Reply)
		return
	case reply.Intent != in.ID:
		c.add("begins another task", "%s: %q, of %s: %s: %q", s.name, e.Text, in.ID, reply.Intent, reply.Reply)
		return
	}
	for _, span := range e.Spans {
		p := in.Param(span.Param)
		if p == nil {
			continue // remembered for other tasks
		}
		said := string([]rune(e.Text)[span.Start:span.End])
		got, known := reply.Params[span.Param]
		switch {
		case !known:
			c.add("not extracted, "+kindOf(p), "%s: %q: %s %q: params %v: %q", s.name, e.Text, span.Param, said, reply.Params, reply.Reply)
		case !meansSpan(p, span, said, got):
			c.add("ANOTHER VALUE, "+kindOf(p), "%s: %q: %s %q is %v", s.name, e.Text, span.Param, said, got)
		}
	}
}

func kindOf(p *config.Param) string {
	if p.Type.Builtin == "" {
		return "declared type"
	}
	return p.Type.Builtin
}

// meansSpan reports whether a value can be the marked text. For built-in types other than text any
// value will do: their recognisers have tests of their own.
func meansSpan(p *config.Param, span config.Span, said string, got any) bool {
	list, isList := got.([]any)
	if !isList {
		list = []any{got}
	}
	return slices.ContainsFunc(list, func(v any) bool {
		text := fmt.Sprint(v)
		switch {
		case strings.EqualFold(text, span.Value) || strings.EqualFold(text, said):
			return true
		case p.Type.Builtin == "text" || p.Type.Builtin == "person":
			return false
		case len(p.Type.Values) > 0:
			return slices.ContainsFunc(p.Type.Values, func(e config.EnumValue) bool {
				return e.Value == text && slices.ContainsFunc(e.Synonyms, func(s string) bool { return strings.EqualFold(s, said) })
			})
		case len(p.Type.Patterns) > 0:
			return strings.Contains(strings.ToLower(text), strings.ToLower(strings.Trim(said, "#"))) || strings.Contains(strings.ToLower(said), strings.ToLower(text)) || digitsOf(text) == digitsOf(said)
		}
		return true
	})
}

func digitsOf(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

// allAgents loads the agents of the repository, by file. Each task asks for one more param.
func allAgents(t *testing.T) map[string]*config.Agent {
	t.Helper()
	all := map[string]*config.Agent{}
	what, err := phrase.ParseText("What else?")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != ".." && path != "../../.." {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		if d.IsDir() || filepath.Ext(path) != ".yaml" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), "\nintents:") || !strings.Contains(string(text), "examples:") {
			return err
		}
		def, err := config.Load(path)
		if err != nil {
			t.Logf("%s is no agent: %v", path, err)
			return nil
		}
		more := &config.Param{
			Name: "one_more_thing", Label: "one more thing", Scope: config.ScopePlan, Prompt: what,
			Type: &config.Type{Name: "one_more_thing", Values: []config.EnumValue{{Value: "zyzzyva"}, {Value: "qoph"}}},
		}
		for _, in := range def.Intents {
			if !in.System && !in.AnswerOnly {
				in.Required = append(slices.Clip(in.Required), more)
			}
		}
		def.Hash += ", asks one more thing" // another agent than that of the file, to a cache
		all[strings.TrimPrefix(path, "../../../")] = def
		return nil
	})
	if err != nil || len(all) < 10 {
		t.Fatalf("%d agents, %v", len(all), err)
	}
	return all
}
