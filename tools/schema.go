package tools

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// maxProblems limits the problems of one call's arguments that an error names.
const maxProblems = 3

// closedLoader refuses references that lead out of the schema: an agent's file must not make the
// process read files or open connections.
type closedLoader struct{}

func (closedLoader) Load(string) (any, error) {
	return nil, errors.New("references outside the schema are not allowed")
}

// compileSchema returns nil for a nil input, which accepts anything.
func compileSchema(input map[string]any) (*jsonschema.Schema, error) {
	if input == nil {
		return nil, nil
	}
	const at = "tool:input"
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat() // a format that nobody checks would be a trap
	c.UseLoader(closedLoader{})
	if err := c.AddResource(at, map[string]any(input)); err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	s, err := c.Compile(at)
	if err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	return s, nil
}

// checkArgs returns what is wrong with args, naming only arguments and schema keywords; "" if they
// are valid.
func checkArgs(s *jsonschema.Schema, args map[string]any) string {
	if s == nil {
		return ""
	}
	err := s.Validate(present(s, args))
	if err == nil {
		return ""
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return "arguments cannot be checked"
	}
	seen := map[string]bool{}
	problems(invalid, seen)
	list := make([]string, 0, len(seen))
	for p := range seen {
		list = append(list, p)
	}
	sort.Strings(list)
	if len(list) > maxProblems {
		list = append(list[:maxProblems], "and more")
	}
	return strings.Join(list, "; ")
}

// present removes nil arguments, since an absent param is nil; an argument whose schema accepts
// null stays.
func present(s *jsonschema.Schema, args map[string]any) map[string]any {
	out := make(map[string]any, len(args))
	for name, v := range args {
		if v == nil {
			p := s.Properties[name]
			if p == nil || p.Validate(nil) != nil {
				continue
			}
		}
		out[name] = v
	}
	return out
}

// problems collects the leaves of a validation error. Below the top level it names only the
// argument: deeper keys may be personal data.
func problems(e *jsonschema.ValidationError, into map[string]bool) {
	for _, c := range e.Causes {
		problems(c, into)
	}
	if len(e.Causes) > 0 {
		return
	}
	if len(e.InstanceLocation) == 0 {
		switch k := e.ErrorKind.(type) {
		case *kind.Required:
			for _, name := range k.Missing {
				into["argument "+name+" is missing"] = true
			}
			return
		case *kind.AdditionalProperties:
			for _, name := range k.Properties {
				into["argument "+name+" is not known"] = true
			}
			return
		}
		into["arguments do not satisfy "+keyword(e.ErrorKind)] = true
		return
	}
	into["argument "+e.InstanceLocation[0]+" does not satisfy "+keyword(e.ErrorKind)] = true
}

// keyword returns the schema's keyword that failed, such as "pattern".
func keyword(k jsonschema.ErrorKind) string {
	for _, word := range k.KeywordPath() {
		return word
	}
	return "the schema"
}
