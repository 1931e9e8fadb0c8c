package expr

import (
	"maps"
	"slices"
	"testing"

	"github.com/expr-lang/expr/parser/operator"

	"github.com/slotway/slotway/config/reference"
	"github.com/slotway/slotway/internal/test/referencetest"
)

// Every function and operator is explained, every explained function exists, and every example is
// true.
func TestReference(t *testing.T) {
	texts := reference.MustTexts("config/expr/reference.yaml", referenceYAML)
	for _, problem := range referencetest.Lacking(texts, Reference(), "expressions.") {
		t.Error(problem)
	}
	known := texts.Keys()
	functions := append(slices.Collect(maps.Keys(exprFunctions)), exprPredicates...)
	for _, name := range functions {
		if !slices.Contains(known, name) {
			t.Errorf("function %s is not explained", name)
		}
	}
	also := []string{"&&", "||", "!", "^", "==", ".."} // the other spellings, and what is refused
	for _, table := range []map[string]operator.Operator{operator.Binary, operator.Unary} {
		for op := range table {
			if _, err := Parse("a "+op+" b", nil, ""); err == nil && !slices.Contains(also, op) && !slices.Contains(known, op) {
				t.Errorf("operator %s is not explained", op)
			}
		}
	}
	for _, key := range known {
		text, _ := texts.Of(key)
		e, err := Parse(text.Example, nil, "")
		if err != nil {
			t.Errorf("%s: %v", key, err)
			continue
		}
		if ok, err := e.True(testEnv()); !ok || err != nil {
			t.Errorf("%s: %q is %v, %v", key, text.Example, ok, err)
		}
	}
}
