package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
)

// site is a possible change to a file: a text that replaces some bytes.
type site struct {
	file       string
	line       int
	begin, end int // bytes
	text       string
}

// swapped maps operators to their replacements.
var swapped = map[token.Token]string{
	token.EQL: "!=", token.NEQ: "==", token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
	token.LAND: "||", token.LOR: "&&", token.ADD: "-", token.SUB: "+",
}

// finder collects the sites of one file.
type finder struct {
	file   string
	source []byte
	set    *token.FileSet
	sites  []site
}

// sitesOf lists all possible changes to a file in the order of their positions.
func sitesOf(path string, source []byte) ([]site, error) {
	f := &finder{file: path, source: source, set: token.NewFileSet()}
	tree, err := parser.ParseFile(f.set, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	for _, d := range tree.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && fn.Name.Name != "init" {
			ast.Inspect(fn.Body, f.visit)
		}
	}
	return f.sites, nil
}

// replace adds a change of the bytes between two positions.
func (f *finder) replace(from, to token.Pos, text string) {
	at := f.set.Position(from)
	f.sites = append(f.sites, site{f.file, at.Line, at.Offset, f.set.Position(to).Offset, text})
}

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.set.Position(n.Pos()).Offset:f.set.Position(n.End()).Offset])
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if text := swapped[n.Op]; text != "" && !isText(n.X) && !isText(n.Y) {
			f.replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), text)
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.replace(n.OpPos, n.OpPos+1, "")
		}
	case *ast.IfStmt:
		f.replace(n.Cond.Pos(), n.Cond.End(), "!("+f.text(n.Cond)+")")
	case *ast.BasicLit:
		if v, err := strconv.Atoi(n.Value); n.Kind == token.INT && err == nil {
			f.replace(n.Pos(), n.End(), strconv.Itoa(v+1))
		}
	case *ast.Ident:
		if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
			f.replace(n.Pos(), n.End(), other)
		}
	case *ast.ExprStmt:
		if _, ok := n.X.(*ast.CallExpr); ok {
			f.replace(n.Pos(), n.End(), "")
		}
	}
	return true
}

// isText reports whether an operand is a string: then + has no replacement.
func isText(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING
}
