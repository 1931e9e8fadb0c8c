package httpapi

import (
	"encoding/json"
	"errors"
	"math"
)

// maxExactInteger is the largest number up to which each whole one has a float of its own.
const maxExactInteger = 1 << 53

// ParseInteger reads a whole number as JSON Schema has it: 3.0 and 3e0 are one too, and programs
// that know floats alone write them so.
func ParseInteger(raw []byte) (int64, error) {
	var n int64
	if json.Unmarshal(raw, &n) == nil {
		return n, nil
	}
	var f float64
	if err := json.Unmarshal(raw, &f); err != nil {
		return 0, err
	}
	if f != math.Trunc(f) || math.Abs(f) > maxExactInteger {
		return 0, errors.New("no whole number")
	}
	return int64(f), nil
}

// integerField takes a whole number into at, which is nil where there is none.
func integerField(at **int64) field {
	return field{"a whole number", func(raw []byte) error {
		n, err := ParseInteger(raw)
		*at = &n
		return err
	}}
}
