package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// chosen is the environment variable with the number of the mutant.
const chosen = "SLOTWAY_MUTANT"

// chooser is an additional file for each package with mutants.
const chooser = `package %s

import "os"

var mutantIs = os.Getenv("` + chosen + `")
`

// edit replaces some bytes by a text.
type edit struct {
	begin, end int
	text       string
}

// schema is a file that holds several of its mutants at once. Each changed function has a copy with
// the change, and begins with a check whether to call that copy.
type schema struct {
	source string
	set    *token.FileSet
	tree   *ast.File
	edits  []edit
	copies strings.Builder
}

// lines is the range of lines in a file that belongs to a mutant.
type lines struct {
	from, to int
	mutant   int
}

// withMutants returns a file with mutants, which are keyed by number, and the lines of each.
func withMutants(path string, source []byte, mutants map[int]site) (string, []lines, error) {
	s := &schema{source: string(source), set: token.NewFileSet()}
	var err error
	if s.tree, err = parser.ParseFile(s.set, path, source, parser.SkipObjectResolution); err != nil {
		return "", nil, fmt.Errorf("read %s: %w", path, err)
	}
	var of []lines
	named := map[*ast.FuncDecl]string{} // the call of each with its own arguments
	for _, number := range sortedKeys(mutants) {
		m := mutants[number]
		fn := s.around(m.begin)
		if fn == nil {
			return "", nil, fmt.Errorf("%s:%d is in no function", path, m.line)
		}
		if named[fn] == "" {
			named[fn] = s.arguments(fn)
		}
		name := fmt.Sprintf("%sMutant%d", fn.Name.Name, number)
		s.ask(fn, number, name+named[fn])
		from := 1 + strings.Count(s.source, "\n") + strings.Count(s.copies.String(), "\n")
		s.copy(fn, m, name)
		of = append(of, lines{from, 1 + strings.Count(s.source, "\n") + strings.Count(s.copies.String(), "\n"), number})
	}
	slices.SortStableFunc(s.edits, func(a, b edit) int { return b.begin - a.begin })
	out := s.source
	for _, e := range s.edits {
		out = out[:e.begin] + e.text + out[e.end:]
	}
	return out + s.copies.String(), of, nil
}

func sortedKeys[V any](m map[int]V) []int {
	out := make([]int, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func (s *schema) at(p token.Pos) int { return s.set.Position(p).Offset }

// around returns the function around a byte.
func (s *schema) around(at int) *ast.FuncDecl {
	for _, d := range s.tree.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && s.at(fn.Body.Pos()) <= at && at < s.at(fn.Body.End()) {
			return fn
		}
	}
	return nil
}

// arguments returns the arguments with which a function calls its copy. It names unnamed params.
func (s *schema) arguments(fn *ast.FuncDecl) string {
	types := ""
	if fn.Type.TypeParams != nil {
		var names []string
		for _, f := range fn.Type.TypeParams.List {
			for _, n := range f.Names {
				names = append(names, n.Name)
			}
		}
		types = "[" + strings.Join(names, ", ") + "]"
	}
	var args []string
	for _, f := range fn.Type.Params.List {
		more := ""
		if _, ok := f.Type.(*ast.Ellipsis); ok {
			more = "..."
		}
		for _, n := range s.named(f, len(args)) {
			args = append(args, n+more)
		}
	}
	return types + "(" + strings.Join(args, ", ") + ")"
}

// named returns the names of a field of a function, and makes one up if there is none.
func (s *schema) named(f *ast.Field, from int) []string {
	if len(f.Names) == 0 {
		name := "mutantArg" + strconv.Itoa(from)
		s.edits = append(s.edits, edit{s.at(f.Type.Pos()), s.at(f.Type.Pos()), name + " "})
		return []string{name}
	}
	var out []string
	for i, n := range f.Names {
		name := n.Name
		if name == "_" {
			name = "mutantArg" + strconv.Itoa(from+i)
			s.edits = append(s.edits, edit{s.at(n.Pos()), s.at(n.End()), name})
		}
		out = append(out, name)
	}
	return out
}

// ask inserts the check for a copy into a function, without a new line.
func (s *schema) ask(fn *ast.FuncDecl, number int, call string) {
	if fn.Recv != nil {
		call = s.named(fn.Recv.List[0], 1000+number)[0] + "." + call
	}
	then := "return " + call
	if fn.Type.Results == nil {
		then = call + "; return"
	}
	at := s.at(fn.Body.Lbrace) + 1
	s.edits = append(s.edits, edit{at, at, fmt.Sprintf(" if mutantIs == %q { %s };", strconv.Itoa(number), then)})
}

// copy appends a copy of a function with the change to the file.
func (s *schema) copy(fn *ast.FuncDecl, m site, name string) {
	text := s.source[s.at(fn.Pos()):m.begin] + m.text + s.source[m.end:s.at(fn.End())]
	from := s.at(fn.Name.Pos()) - s.at(fn.Pos())
	fmt.Fprintf(&s.copies, "\n%s%s%s\n", text[:from], name, text[from+len(fn.Name.Name):])
}
