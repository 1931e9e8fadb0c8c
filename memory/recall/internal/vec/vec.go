// Package vec holds what the vector stores share.
package vec

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"github.com/slotway/slotway/memory/recall"
)

// Unit returns a vector scaled to length 1. ok is false for a vector without a direction: a zero one,
// or one with numbers that are not finite.
func Unit(v []float32) (unit []float32, ok bool) {
	var sum float64
	for _, a := range v {
		sum += float64(a) * float64(a)
	}
	length := math.Sqrt(sum)
	if sum == 0 || math.IsInf(length, 0) || math.IsNaN(length) {
		return nil, false
	}
	unit = make([]float32, len(v))
	for i, a := range v {
		unit[i] = float32(float64(a) / length)
	}
	return unit, true
}

// ParseID reads an ID in hexadecimal digits, with or without the hyphens of a UUID.
func ParseID(text string) (recall.ID, error) {
	var id recall.ID
	raw, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	if err != nil || len(raw) != len(id) {
		return id, fmt.Errorf("%d characters are no id", len(text))
	}
	return recall.ID(raw), nil
}
