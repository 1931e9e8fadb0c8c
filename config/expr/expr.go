package expr

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
	"github.com/slotway/slotway/config/naming"
)

// Limits of a condition: its text, its syntax tree, and the memory cells and steps of one evaluation.
// Nested predicates make an evaluation long, so their depth is limited too.
const (
	maxExprLength     = 2000
	maxExprNodes      = 200
	maxExprMemory     = 100_000
	maxExprSteps      = 500_000 // elements that loops and comparisons look at; a fifth of a second
	maxPredicateDepth = 2
)

// Expr is a compiled condition over params and saved results. Unknown names are nil. Comparisons by
// order, text tests, membership tests and field access with a nil operand are nil or false, never
// an error; nil equals only nil.
type Expr struct {
	Source  string
	names   []string
	loops   bool // it has predicates
	program *vm.Program
}

// ValueName is the name of the value under test in a validation.
const ValueName = "value"

// Parse compiles a condition. names lists the variables that it may use (nil: any). The language is
// expr-lang's without its impure and unbounded parts (ranges, let, method calls); its clock is the
// caller's ([ClockNames]). own is a
// second name for ValueName, the param's own; "" in other conditions.
func Parse(source string, names []string, own string) (*Expr, error) {
	if strings.TrimSpace(source) == "" {
		return nil, errors.New("the condition is empty; write an expression such as status == \"pending\"")
	}
	if len(source) > maxExprLength {
		return nil, fmt.Errorf("the condition has %d bytes, at most %d are allowed; split it", len(source), maxExprLength)
	}
	tree, err := parser.ParseWithConfig(source, exprSyntax())
	if err != nil {
		return nil, exprError(err)
	}
	check := exprCheck{allowed: names, own: own, found: map[string]bool{}, patterns: map[string]*regexp.Regexp{}}
	if err := check.node(tree.Node, 0); err != nil {
		return nil, err
	}
	program, err := expr.Compile(source, exprOptions(check.patterns, own)...)
	if err != nil {
		return nil, exprError(err)
	}
	return &Expr{Source: source, names: slices.Sorted(maps.Keys(check.found)), loops: check.loops, program: program}, nil
}

// Names returns the variables that the condition reads, sorted. A nil Expr has none.
func (e *Expr) Names() []string {
	if e == nil {
		return nil
	}
	return slices.Clone(e.names)
}

// usualStack is the stack size that nearly all conditions need.
const usualStack = 8

// stacks reuses the stacks of conditions: a turn evaluates several.
var stacks = sync.Pool{New: func() any { s := make([]any, 0, usualStack); return &s }}

// True evaluates the condition; a nil Expr is true and a nil result false. Evaluation is bounded.
// Errors name operators and kinds, never values.
func (e *Expr) True(env map[string]any) (bool, error) {
	if e == nil {
		return true, nil
	}
	if e.loops { // without loops the size of the text bounds the steps
		env = maps.Clone(env)
		if env == nil {
			env = map[string]any{}
		}
		env[stepsName] = &steps{left: maxExprSteps}
	} else if env == nil {
		env = map[string]any{}
	}
	stack := stacks.Get().(*[]any)
	machine := vm.VM{MemoryBudget: maxExprMemory, Stack: *stack}
	result, err := machine.Run(e.program, env)
	clear(machine.Stack[:cap(machine.Stack)]) // nobody's values wait in the pool
	*stack = machine.Stack[:0]
	stacks.Put(stack)
	if err != nil {
		return false, fmt.Errorf("condition %q: %w", e.Source, exprRuntimeError(err))
	}
	switch v := result.(type) {
	case nil:
		return false, nil
	case bool:
		return v, nil
	}
	return false, fmt.Errorf("condition %q is %s, not true or false", e.Source, KindOf(result))
}

// exprSyntax configures the parser: only the builtins of exprPredicates, and our own functions as
// ordinary calls.
func exprSyntax() *conf.Config {
	c := conf.CreateNew()
	c.MaxNodes = maxExprNodes
	for name := range c.Builtins {
		if !slices.Contains(exprPredicates, name) {
			c.Disabled[name] = true
		}
	}
	return c
}

const exprRemedy = `write it like total > 50 and status == "pending"`

// exprError keeps the first line of the library's message; the lines below quote the source.
func exprError(err error) error {
	var located *file.Error
	if errors.As(err, &located) {
		return fmt.Errorf("%s at column %d of the condition; %s", strings.ReplaceAll(located.Message, "\n", " "), located.Column+1, exprRemedy)
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("%s; %s", first, exprRemedy)
}

// exprRuntimeError passes the errors of our own operators on. It replaces the library's, which may
// quote a value.
func exprRuntimeError(err error) error {
	var own *operandError
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, errSteps):
		return errSteps
	}
	return errors.New("cannot be evaluated over these values")
}

// exprCheck walks the tree as it was written, before the patches.
type exprCheck struct {
	allowed  []string
	own      string // another name for ValueName
	loops    bool
	found    map[string]bool
	patterns map[string]*regexp.Regexp
}

func (c *exprCheck) node(n ast.Node, depth int) error {
	switch v := n.(type) {
	case *ast.IdentifierNode:
		return c.name(v.Value)
	case *ast.CallNode:
		return c.call(v, depth)
	case *ast.BuiltinNode:
		c.loops = true
		return c.nodes(v.Arguments, depth)
	case *ast.PredicateNode:
		if depth++; depth > maxPredicateDepth {
			return fmt.Errorf("predicates are nested %d deep, at most %d are allowed; compute it in a tool", depth, maxPredicateDepth)
		}
		return c.node(v.Node, depth)
	case *ast.BinaryNode:
		return c.binary(v, depth)
	case *ast.UnaryNode:
		return c.node(v.Node, depth)
	case *ast.MemberNode:
		return c.nodes([]ast.Node{v.Node, v.Property}, depth)
	case *ast.ChainNode:
		return c.node(v.Node, depth)
	case *ast.ConditionalNode:
		return c.nodes([]ast.Node{v.Cond, v.Exp1, v.Exp2}, depth)
	case *ast.ArrayNode:
		return c.nodes(v.Nodes, depth)
	case *ast.NilNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.StringNode, *ast.ConstantNode, *ast.PointerNode:
		return nil
	}
	return errors.New("let, slices, maps and sequences are not supported in conditions; compute it in a tool")
}

func (c *exprCheck) nodes(list []ast.Node, depth int) error {
	for _, n := range list {
		if err := c.node(n, depth); err != nil {
			return err
		}
	}
	return nil
}

func (c *exprCheck) name(name string) error {
	if c.allowed != nil && !slices.Contains(c.allowed, name) {
		return naming.Unknown("name", name, c.allowed)
	}
	if !naming.IsName(name) {
		return fmt.Errorf("%q is not a name; use letters, digits and _", name)
	}
	if name == c.own {
		name = ValueName
	}
	c.found[name] = true
	return nil
}

func (c *exprCheck) call(v *ast.CallNode, depth int) error {
	callee, ok := v.Callee.(*ast.IdentifierNode)
	if !ok {
		return errors.New("method calls are not supported in conditions; use a function such as len(x)")
	}
	function, ok := exprFunctions[callee.Value]
	if slices.Contains(ClockNames, callee.Value) {
		return fmt.Errorf("%s is a name and takes no brackets; write %[1]s", callee.Value)
	}
	if !ok {
		known := append(slices.Sorted(maps.Keys(exprFunctions)), exprPredicates...)
		return naming.Unknown("function", callee.Value, known)
	}
	if len(v.Arguments) != function.takes {
		return fmt.Errorf("%s has %d arguments; it takes %d", callee.Value, len(v.Arguments), function.takes)
	}
	return c.nodes(v.Arguments, depth)
}

func (c *exprCheck) binary(v *ast.BinaryNode, depth int) error {
	switch v.Operator {
	case "..":
		return errors.New("ranges are not supported in conditions; write x >= 1 and x <= 5")
	case "matches":
		pattern, ok := v.Right.(*ast.StringNode)
		if !ok {
			return errors.New("matches needs a pattern in quotes; write x matches \"^A\"")
		}
		re, err := CompilePattern(pattern.Value)
		if err != nil {
			return err
		}
		c.patterns[pattern.Value] = re
		return c.node(v.Left, depth)
	case "==", "!=", "in", "not in":
		if err := checkWeekdays(v); err != nil {
			return err
		}
	}
	return c.nodes([]ast.Node{v.Left, v.Right}, depth)
}
