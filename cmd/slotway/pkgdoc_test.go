package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEverythingIsDocumented holds every package to a doc comment, and every exported name
// outside tests to one of its own.
func TestEverythingIsDocumented(t *testing.T) {
	tree := filepath.Join("..", "..")
	for _, folder := range goFolders(t, tree) {
		files := token.NewFileSet()
		var parsed []*ast.File
		for _, path := range sources(t, filepath.Join(tree, folder)) {
			file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, file)
		}
		for _, problem := range undocumented(files, parsed) {
			t.Errorf("%s: %s", folder, problem)
		}
	}
}

// sources lists the Go files of a folder that are no tests.
func sources(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, entry := range entries {
		if name := entry.Name(); filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			paths = append(paths, filepath.Join(folder, name))
		}
	}
	return paths
}

// undocumented lists what lacks a comment in the files of one package. No file, no problem: a
// folder may hold tests alone.
func undocumented(files *token.FileSet, parsed []*ast.File) []string {
	var problems []string
	report := func(kind string, name *ast.Ident) {
		at := files.Position(name.Pos())
		problems = append(problems, fmt.Sprintf("%s:%d: %s %s has no comment", filepath.Base(at.Filename), at.Line, kind, name.Name))
	}
	documented := len(parsed) == 0
	for _, file := range parsed {
		documented = documented || hasText(file.Doc)
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Name.IsExported() && ofExported(decl.Recv) && !hasText(decl.Doc) {
					report("func", decl.Name)
				}
			case *ast.GenDecl:
				for _, name := range bareNames(decl) {
					report(decl.Tok.String(), name)
				}
			}
		}
	}
	if !documented {
		problems = append(problems, "package has no comment")
	}
	return problems
}

// bareNames are the exported names of a declaration without a comment. A comment above a
// group of constants or variables, or at the end of a line, is one for its names.
func bareNames(decl *ast.GenDecl) []*ast.Ident {
	var bare []*ast.Ident
	for _, spec := range decl.Specs {
		var names []*ast.Ident
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if !hasText(spec.Doc) && (decl.Lparen.IsValid() || !hasText(decl.Doc)) {
				names = []*ast.Ident{spec.Name}
			}
		case *ast.ValueSpec:
			if !hasText(decl.Doc) && !hasText(spec.Doc) && !hasText(spec.Comment) {
				names = spec.Names
			}
		}
		for _, name := range names {
			if name.IsExported() {
				bare = append(bare, name)
			}
		}
	}
	return bare
}

// ofExported says whether a receiver's type is exported; a function has none.
func ofExported(receiver *ast.FieldList) bool {
	if receiver == nil {
		return true
	}
	expr := receiver.List[0].Type
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr: // a type parameter
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.IsExported()
		default:
			return true
		}
	}
}

// hasText says whether a comment says something: directives such as go:embed do not.
func hasText(doc *ast.CommentGroup) bool {
	return doc != nil && strings.TrimSpace(doc.Text()) != ""
}

func TestUndocumentedFindsWhatLacksAComment(t *testing.T) {
	const source = `package bad

import "fmt"

func Bare() {}

// Fine is.
func Fine() {}

//go:noinline
func Directive() {}

type Type struct{}

func (t *Type) Method() {}
func (t Type) lower()   {}

type hidden[T any] struct{}

func (h *hidden[T]) Method() {}

type Generic[K, V any] struct{} // not where Go looks for it

func (g *Generic[K, V]) Put() {}

const (
	A = 1
	B = 2 // is fine
)

// Both are fine.
const (
	C = 1
	D = 2
)

var E, f = fmt.Sprint(), 1

// Not every one of these.
type (
	G int
	// H is fine.
	H int
)
`
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "bad.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"bad.go:5: func Bare has no comment",
		"bad.go:11: func Directive has no comment",
		"bad.go:13: type Type has no comment",
		"bad.go:15: func Method has no comment",
		"bad.go:22: type Generic has no comment",
		"bad.go:24: func Put has no comment",
		"bad.go:27: const A has no comment",
		"bad.go:37: var E has no comment",
		"bad.go:41: type G has no comment",
		"package has no comment",
	}
	if diff := cmp.Diff(want, undocumented(files, []*ast.File{file})); diff != "" {
		t.Errorf("undocumented (-want +got):\n%s", diff)
	}
	if got := undocumented(files, nil); got != nil {
		t.Errorf("undocumented of no files = %q", got)
	}
}
