package expr

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
)

// exprPredicates lists the builtins of expr-lang that conditions may use.
var exprPredicates = []string{"all", "any", "none", "one", "count", "filter", "map", "sum"}

// exprFunction is a function of conditions. It accepts nil.
type exprFunction struct {
	takes int
	apply func(args ...any) (any, error)
}

// exprFunctions are the functions of conditions.
var exprFunctions = map[string]exprFunction{
	"len":          one(exprLen),
	"lower":        one(func(v any) (any, error) { return onText("lower", v, strings.ToLower) }),
	"upper":        one(func(v any) (any, error) { return onText("upper", v, strings.ToUpper) }),
	"trim":         one(func(v any) (any, error) { return onText("trim", v, strings.TrimSpace) }),
	"abs":          one(func(v any) (any, error) { return onNumber("abs", v, math.Abs) }),
	"round":        one(func(v any) (any, error) { return onNumber("round", v, math.Round) }),
	"floor":        one(func(v any) (any, error) { return onNumber("floor", v, math.Floor) }),
	"ceil":         one(func(v any) (any, error) { return onNumber("ceil", v, math.Ceil) }),
	"number":       one(exprNumber),
	weekdayOf:      one(exprWeekday),
	"days_between": {2, exprDaysBetween},
}

func one(f func(any) (any, error)) exprFunction {
	return exprFunction{1, func(args ...any) (any, error) { return f(args[0]) }}
}

// Names of the functions that nilSafe puts in place of expr-lang's operators.
const (
	opMember = "__member"
	opBool   = "__bool"
	opList   = "__list"
	opMatch  = "__match"
	opBinary = "__binary"
)

// operandError reports an operator that cannot take a kind of value.
type operandError struct{ op, kind string }

func (e *operandError) Error() string { return fmt.Sprintf("%s cannot be applied to %s", e.op, e.kind) }

func exprOptions(patterns map[string]*regexp.Regexp, own string) []expr.Option {
	options := []expr.Option{
		expr.DisableAllBuiltins(), expr.MaxNodes(4 * maxExprNodes), expr.Patch(ownName(own)), expr.Patch(nilSafe{}),
		expr.Function(opMember, func(p ...any) (any, error) { return exprMember(p[0], p[1]), nil }),
		expr.Function(opBool, func(p ...any) (any, error) { return exprBool(p[0]) }, new(func(any) bool)),
		expr.Function(opList, func(p ...any) (any, error) {
			if err := spend(p[1], p[0]); err != nil {
				return nil, err
			}
			return exprList(p[0])
		}, new(func(any, any) []any)),
		expr.Function(opBinary, func(p ...any) (any, error) {
			if err := spend(p[3], p[1], p[2]); err != nil {
				return nil, err
			}
			return exprBinary(p[0].(string), p[1], p[2])
		}),
		expr.Function(opMatch, func(p ...any) (any, error) {
			if err := spend(p[2], p[0]); err != nil {
				return nil, err
			}
			s, ok := p[0].(string)
			return ok && patterns[p[1].(string)].MatchString(s), nil
		}),
	}
	for _, name := range exprPredicates {
		options = append(options, expr.EnableBuiltin(name))
	}
	for name, f := range exprFunctions {
		options = append(options, expr.Function(name, f.apply))
	}
	return options
}

// stepsName is the variable that holds the steps that are left; no name of a condition has a space.
const stepsName = " steps"

// steps bounds the evaluation of a condition with loops.
type steps struct{ left int }

var errSteps = errors.New("takes too many steps over these lists; compare fewer values, or compute it in a tool")

// textsPerStep is how many bytes of a text are looked at in the time of one element.
const textsPerStep = 32

// spend takes the steps off that looking at values takes. Without loops there are none to take off.
func spend(budget any, values ...any) error {
	left, ok := budget.(*steps)
	if !ok {
		return nil
	}
	for _, v := range values {
		switch v := v.(type) {
		case []any:
			left.left -= len(v)
		case map[string]any:
			left.left -= len(v)
		case string:
			left.left -= len(v) / textsPerStep
		}
	}
	if left.left--; left.left < 0 {
		return errSteps
	}
	return nil
}

// ownName rewrites a param's own name to ValueName.
type ownName string

// Visit implements ast.Visitor. A function of that name is visited before its call, which restores
// the name.
func (name ownName) Visit(node *ast.Node) {
	switch v := (*node).(type) {
	case *ast.IdentifierNode:
		if v.Value == string(name) {
			v.Value = ValueName
		}
	case *ast.CallNode:
		if callee, ok := v.Callee.(*ast.IdentifierNode); ok && callee.Value == ValueName {
			callee.Value = string(name)
		}
	}
}

// nilSafe replaces every operator that expr-lang defines for some kinds only by one that accepts
// nil, so that a param without a value never breaks a plan.
type nilSafe struct{}

// Visit implements ast.Visitor; children are visited before their parents.
func (nilSafe) Visit(node *ast.Node) {
	switch v := (*node).(type) {
	case *ast.MemberNode:
		*node = callOp(opMember, v.Node, v.Property)
	case *ast.ChainNode:
		*node = v.Node
	case *ast.UnaryNode:
		if v.Operator == "-" || v.Operator == "+" {
			*node = callOp(opBinary, &ast.StringNode{Value: v.Operator}, &ast.IntegerNode{}, v.Node, left())
			return
		}
		v.Node = callOp(opBool, v.Node)
	case *ast.ConditionalNode:
		v.Cond = callOp(opBool, v.Cond)
	case *ast.PredicateNode:
		return
	case *ast.BuiltinNode:
		v.Arguments[0] = callOp(opList, v.Arguments[0], left())
		patchPredicate(v)
	case *ast.BinaryNode:
		patchBinary(node, v)
	}
}

// patchPredicate makes the results of predicates boolean; map and sum yield values.
func patchPredicate(v *ast.BuiltinNode) {
	if len(v.Arguments) < 2 || v.Name == "map" || v.Name == "sum" {
		return
	}
	if p, ok := v.Arguments[1].(*ast.PredicateNode); ok {
		p.Node = callOp(opBool, p.Node)
	}
}

func patchBinary(node *ast.Node, v *ast.BinaryNode) {
	switch v.Operator {
	case "and", "&&", "or", "||":
		v.Left, v.Right = callOp(opBool, v.Left), callOp(opBool, v.Right)
	case "??":
	case "matches":
		*node = callOp(opMatch, v.Left, v.Right, left())
	default:
		*node = callOp(opBinary, &ast.StringNode{Value: v.Operator}, v.Left, v.Right, left())
	}
}

// left is the variable that holds the steps that are left.
func left() ast.Node { return &ast.IdentifierNode{Value: stepsName} }

func callOp(name string, args ...ast.Node) ast.Node {
	return &ast.CallNode{Callee: &ast.IdentifierNode{Value: name}, Arguments: args}
}

func exprMember(base, property any) any {
	switch key := property.(type) {
	case string:
		value, _ := member(base, key)
		return value
	case nil:
		return nil
	}
	i, ok := number(property)
	list, isList := base.([]any)
	if !ok || !isList {
		return nil
	}
	if i < 0 {
		i += float64(len(list))
	}
	value, _ := member(base, strconv.FormatFloat(i, 'f', -1, 64))
	return value
}

func exprBool(v any) (any, error) {
	switch b := v.(type) {
	case nil:
		return false, nil
	case bool:
		return b, nil
	}
	return nil, &operandError{"a condition", KindOf(v)}
}

func exprList(v any) (any, error) {
	switch list := v.(type) {
	case nil:
		return []any{}, nil
	case []any:
		return list, nil
	}
	return nil, &operandError{"a predicate over a list", KindOf(v)}
}

func exprLen(v any) (any, error) {
	switch x := v.(type) {
	case nil:
		return 0.0, nil
	case string:
		return float64(utf8.RuneCountInString(x)), nil
	case []any:
		return float64(len(x)), nil
	case map[string]any:
		return float64(len(x)), nil
	}
	return nil, &operandError{"len", KindOf(v)}
}

func exprNumber(v any) (any, error) {
	if s, ok := v.(string); ok {
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			return nil, nil // not a number: unknown, like a missing one
		}
		return f, nil
	}
	if f, ok := number(v); ok {
		return f, nil
	}
	return nil, nil
}

func onText(op string, v any, f func(string) string) (any, error) {
	switch s := v.(type) {
	case nil:
		return nil, nil
	case string:
		return f(s), nil
	}
	return nil, &operandError{op, KindOf(v)}
}

func onNumber(op string, v any, f func(float64) float64) (any, error) {
	if v == nil {
		return nil, nil
	}
	if x, ok := number(v); ok {
		return f(x), nil
	}
	return nil, &operandError{op, KindOf(v)}
}

func exprBinary(op string, a, b any) (any, error) {
	switch op {
	case "==":
		return equalValues(a, b), nil
	case "!=":
		return !equalValues(a, b), nil
	case "in":
		return isIn(a, b)
	case "not in":
		in, err := isIn(a, b)
		return !in, err
	case "<", "<=", ">", ">=":
		return inOrder(op, a, b)
	case "contains", "startsWith", "endsWith":
		return textTest(op, a, b)
	}
	return arithmetic(op, a, b)
}

func equalValues(a, b any) bool {
	x, isX := number(a)
	y, isY := number(b)
	if isX && isY {
		return x == y
	}
	return reflect.DeepEqual(a, b)
}

func isIn(a, b any) (bool, error) {
	switch set := b.(type) {
	case nil:
		return false, nil
	case []any:
		for _, inner := range set {
			if equalValues(a, inner) {
				return true, nil
			}
		}
		return false, nil
	case map[string]any:
		key, _ := a.(string)
		_, ok := set[key]
		return ok, nil
	}
	return false, &operandError{"in", KindOf(b)}
}

func inOrder(op string, a, b any) (any, error) {
	if a == nil || b == nil {
		return false, nil
	}
	c, err := compareValues(op, a, b)
	if err != nil {
		return nil, err
	}
	switch op {
	case "<":
		return c < 0, nil
	case "<=":
		return c <= 0, nil
	case ">":
		return c > 0, nil
	}
	return c >= 0, nil
}

func compareValues(op string, a, b any) (int, error) {
	x, isX := number(a)
	y, isY := number(b)
	if isX && isY {
		switch {
		case x < y:
			return -1, nil
		case x > y:
			return 1, nil
		}
		return 0, nil
	}
	s, isS := a.(string)
	t, isT := b.(string)
	if isS && isT {
		return strings.Compare(s, t), nil
	}
	return 0, &operandError{op, KindOf(a) + " and " + KindOf(b)}
}

func textTest(op string, a, b any) (any, error) {
	s, isS := a.(string)
	t, isT := b.(string)
	if a == nil || b == nil {
		return false, nil
	}
	if list, ok := a.([]any); ok && op == "contains" {
		return isIn(b, list)
	}
	if !isS || !isT {
		return nil, &operandError{op, KindOf(a) + " and " + KindOf(b)}
	}
	switch op {
	case "contains":
		return strings.Contains(s, t), nil
	case "startsWith":
		return strings.HasPrefix(s, t), nil
	}
	return strings.HasSuffix(s, t), nil
}

func arithmetic(op string, a, b any) (any, error) {
	if a == nil || b == nil {
		return nil, nil
	}
	x, isX := number(a)
	y, isY := number(b)
	if isX && isY {
		switch op {
		case "+":
			return x + y, nil
		case "-":
			return x - y, nil
		case "*":
			return x * y, nil
		case "/":
			return x / y, nil
		case "%":
			return math.Mod(x, y), nil
		case "**", "^":
			return math.Pow(x, y), nil
		}
	}
	s, isS := a.(string)
	t, isT := b.(string)
	if op == "+" && isS && isT {
		return s + t, nil
	}
	return nil, &operandError{op, KindOf(a) + " and " + KindOf(b)}
}

// number accepts float64 and the integers that a condition's literals are.
func number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int:
		return float64(n), true
	}
	return 0, false
}

// maxPattern is the longest pattern in bytes: RE2 is linear in the message, but its factor grows
// with the pattern.
const maxPattern = 1000

// CompilePattern compiles a pattern of a definition; the error says what to write instead.
func CompilePattern(source string) (*regexp.Regexp, error) {
	if len(source) > maxPattern {
		return nil, fmt.Errorf("the pattern has %d bytes, at most %d are allowed; split it into several", len(source), maxPattern)
	}
	re, err := regexp.Compile(source)
	if err == nil {
		return re, nil
	}
	text := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	if strings.Contains(source, "(?=") || strings.Contains(source, "(?!") || strings.Contains(source, "(?<") {
		return nil, fmt.Errorf("%s; patterns are RE2, which has no look-around: use \\b or a group", text)
	}
	return nil, fmt.Errorf("%s; patterns are RE2: see https://github.com/google/re2/wiki/Syntax", text)
}
