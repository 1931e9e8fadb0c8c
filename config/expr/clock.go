package expr

import (
	"fmt"
	"slices"
	"time"

	"github.com/expr-lang/expr/ast"
	"github.com/slotway/slotway/config/naming"
)

// The names of the clock: the date and the moment of the turn, in the agent's time zone.
const (
	Today = "today"
	Now   = "now"
)

// ClockNames are the names that conditions, arguments and texts may use without any param or result
// behind them.
var ClockNames = []string{Now, Today}

// clockForms are the forms of the clock's values: those of the types date and datetime.
var clockForms = map[string]string{Today: time.DateOnly, Now: "2006-01-02T15:04:05"}

// ClockKinds are the built-in types of the clock's values.
var ClockKinds = map[string]string{Today: "date", Now: "datetime"}

// Clock returns the values of names at a moment.
func Clock(names []string, at time.Time) map[string]any {
	values := make(map[string]any, len(names))
	for _, name := range names {
		values[name] = at.Format(clockForms[name])
	}
	return values
}

// dayForms are the forms of a value that has a date: those of our types, and those that tools return.
var dayForms = []string{time.DateOnly, clockForms[Now], "2006-01-02T15:04", time.DateTime, "2006-01-02 15:04", time.RFC3339Nano}

// dayOf returns the date of a value as it is written, whatever its time zone. A value that is no date
// has none, like a missing one.
func dayOf(v any) (time.Time, bool) {
	s, ok := v.(string)
	if !ok || len(s) < len(time.DateOnly) {
		return time.Time{}, false
	}
	for _, form := range dayForms {
		if t, err := time.Parse(form, s); err == nil {
			return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC), true
		}
	}
	return time.Time{}, false
}

// weekdayOf is the function whose results [checkWeekdays] knows.
const weekdayOf = "weekday"

// weekdays are the results of weekday, from Sunday on as in package time.
var weekdays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

func exprWeekday(v any) (any, error) {
	day, ok := dayOf(v)
	if !ok {
		return nil, nil
	}
	return weekdays[day.Weekday()], nil
}

// exprDaysBetween counts the days from a to b; it is negative if b is the earlier one.
func exprDaysBetween(args ...any) (any, error) {
	a, isA := dayOf(args[0])
	b, isB := dayOf(args[1])
	if !isA || !isB {
		return nil, nil
	}
	return b.Sub(a).Hours() / 24, nil
}

// checkWeekdays reports a literal that weekday never returns, such as "Saturday" or 6.
func checkWeekdays(v *ast.BinaryNode) error {
	for _, sides := range [][2]ast.Node{{v.Left, v.Right}, {v.Right, v.Left}} {
		call, ok := sides[0].(*ast.CallNode)
		if !ok {
			continue
		}
		if callee, ok := call.Callee.(*ast.IdentifierNode); !ok || callee.Value != weekdayOf {
			continue
		}
		literals := []ast.Node{sides[1]}
		if list, ok := sides[1].(*ast.ArrayNode); ok {
			literals = list.Nodes
		}
		for _, literal := range literals {
			if err := checkWeekday(literal); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkWeekday(literal ast.Node) error {
	switch v := literal.(type) {
	case *ast.StringNode:
		if !slices.Contains(weekdays, v.Value) {
			return fmt.Errorf("weekday is never %q; %s", v.Value, naming.Suggest(v.Value, weekdays))
		}
	case *ast.IntegerNode, *ast.FloatNode:
		return fmt.Errorf("weekday is a name, not a number; write weekday(date) == %q", weekdays[1])
	}
	return nil
}
