package expr

import (
	"errors"
	"testing"
	"time"
)

// A condition over long lists ends, whatever it does with them, and one that looks at each element once is true or false.
func TestLongListsEnd(t *testing.T) {
	numbers := make([]any, 20_000)
	for i := range numbers {
		numbers[i] = float64(i)
	}
	env := map[string]any{"numbers": numbers, "text": string(make([]byte, 100_000))}
	for _, test := range []struct {
		condition string
		ends      error
	}{
		{"any(numbers, # == 19999)", nil},
		{"count(numbers, # > 5) > 10", nil},
		{"19999 in numbers", nil},
		{"all(numbers, any(numbers, # < 0) == false)", errSteps},
		{"all(numbers, # in numbers)", errSteps},
		{"all(numbers, numbers == numbers)", errSteps},
		{"count(numbers, sum(numbers) > 5) > 5", errSteps},
		{`none(numbers, text matches "b+$")`, errSteps},
		{`none(numbers, text contains "b")`, errSteps},
	} {
		e, err := Parse(test.condition, nil, "")
		if err != nil {
			t.Fatalf("%s: %v", test.condition, err)
		}
		begun := time.Now()
		holds, err := e.True(env)
		if !errors.Is(err, test.ends) || err == nil && !holds {
			t.Errorf("%s: %v, %v", test.condition, holds, err)
		}
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("%s took %s", test.condition, took)
		}
	}
	if len(env) != 2 {
		t.Errorf("the values were changed: %d names", len(env))
	}
}
