package httpapi

import (
	"encoding/json"
	"errors"
	"math"
)

// maxExactInteger is the largest integer up to which every one has its own float64.
const maxExactInteger = 1 << 53

// ParseInteger reads an integer as JSON Schema defines it: 3.0 and 3e0 are integers, too, and programs
// that only know floats write them so.
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

// IntegerField takes an integer into at, which is nil if it is missing.
func IntegerField(at **int64) Field {
	return Field{"a whole number", func(raw []byte) error {
		n, err := ParseInteger(raw)
		*at = &n
		return err
	}}
}
